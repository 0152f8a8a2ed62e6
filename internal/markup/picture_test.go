package markup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// uploaded is a site that has a.png, and no other picture.
func uploaded(img Image) (Picture, bool) {
	if img.Dest != "a.png" {
		return Picture{}, false
	}
	return Picture{ID: 5, URL: "https://x/u/a.png?1&2", Width: 800, Height: 600, Alt: "from the site"}, true
}

func TestPictures(t *testing.T) {
	t.Parallel()
	const figure = `<figure class="wp-block-image size-full">`
	for name, tc := range map[string]struct{ md, want string }{
		"block": {
			"![b](a.png)", "<!-- wp:image {\"id\":5,\"sizeSlug\":\"full\",\"linkDestination\":\"none\"} -->\n" + figure +
				"<img src=\"https://x/u/a.png?1&amp;2\" alt=\"b\" class=\"wp-image-5\"/></figure>\n<!-- /wp:image -->",
		},
		"block in a link": {
			"[![](a.png)](https://y/)", "<!-- wp:image {\"id\":5,\"sizeSlug\":\"full\",\"linkDestination\":\"custom\"} -->\n" + figure +
				"<a href=\"https://y/\"><img src=\"https://x/u/a.png?1&amp;2\" alt=\"from the site\" class=\"wp-image-5\"/></a></figure>\n<!-- /wp:image -->",
		},
		"block not found": {"![b](b.png)", "<!-- wp:image -->\n<figure class=\"wp-block-image\"><img src=\"b.png\" alt=\"b\"/></figure>\n<!-- /wp:image -->"},
		"inline": {
			"c ![b](a.png) ![](b.png)", "<!-- wp:paragraph -->\n<p>c <img src=\"https://x/u/a.png?1&amp;2\" alt=\"b\" class=\"wp-image-5\" width=\"800\" height=\"600\">" +
				" <img src=\"b.png\" alt=\"\"></p>\n<!-- /wp:paragraph -->",
		},
		"raw HTML": {
			"<p>\n<IMG class='c' alt=\"\" src=\"a.png\" srcset=\"a-2.png 2x\"> <img src=b.png> <img src=a.png>\n</p>",
			"<!-- wp:html -->\n<p>\n<img class=\"c wp-image-5\" alt=\"\" src=\"https://x/u/a.png?1&amp;2\"> <img src=b.png> " +
				"<img src=\"https://x/u/a.png?1&amp;2\" class=\"wp-image-5\" alt=\"from the site\">\n</p>\n<!-- /wp:html -->",
		},
		"raw HTML inline": {
			"c <img\nsrc=a.png>", "<!-- wp:paragraph -->\n<p>c <img src=\"https://x/u/a.png?1&amp;2\" class=\"wp-image-5\" alt=\"from the site\"></p>\n<!-- /wp:paragraph -->",
		},
		"within an element": {
			"<div>\n\n![b](a.png)\n\n</div>", "<!-- wp:html -->\n<div>\n<p><img src=\"https://x/u/a.png?1&amp;2\" alt=\"b\" class=\"wp-image-5\" width=\"800\" height=\"600\"></p>\n</div>\n<!-- /wp:html -->",
		},
		"the author's own block": {
			"<!-- wp:image -->\n<figure class=\"wp-block-image\"><img class=\"c\" src=\"a.png\"/></figure>\n<!-- /wp:image -->",
			"<!-- wp:image -->\n\n<figure class=\"wp-block-image\"><img class=\"c\" src=\"https://x/u/a.png?1&amp;2\"/></figure>\n<!-- /wp:image -->",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := Blocks([]byte(tc.md), Options{Image: uploaded})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPicturesOfHTML(t *testing.T) {
	t.Parallel()
	const img = `<img src="https://x/u/a.png?1&amp;2" class="wp-image-5" alt="from the site">`
	for blocks, want := range map[bool]string{false: "<p>" + img + "</p>", true: "<!-- wp:html -->\n<p>" + img + "</p>\n<!-- /wp:html -->"} {
		got, err := Raw([]byte("\n<p><img src=a.png></p>"), blocks, Options{Image: uploaded})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("blocks %v (-want +got):\n%s", blocks, diff)
		}
	}
}

// A rendering asks for just those images that Images and HTMLImages list.
func TestPicturesAskedFor(t *testing.T) {
	t.Parallel()
	const html = "\n<p>\n<img src=c.png></p>\n"
	const md = "![a *b*](<a b.png> \"t\") and ![](b\\_&amp;.png) <img\nsrc=x.png>\n\n- [![l](l.png)](https://y)\n" + html + "\n`![no](code.png)`"
	for name, tc := range map[string]struct {
		listed []Image
		render func(Options) error
	}{
		"blocks":   {Images([]byte(md)), func(o Options) error { _, _, err := Blocks([]byte(md), o); return err }},
		"html":     {Images([]byte(md)), func(o Options) error { _, _, err := HTML([]byte(md), o); return err }},
		"raw html": {HTMLImages([]byte(html)), func(o Options) error { _, err := Raw([]byte(html), true, o); return err }},
	} {
		var asked []Image
		err := tc.render(Options{Image: func(img Image) (Picture, bool) {
			asked = append(asked, img)
			return Picture{}, false
		}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.listed, asked); diff != "" || len(asked) == 0 {
			t.Errorf("%s (-listed +asked):\n%s", name, diff)
		}
	}
}
