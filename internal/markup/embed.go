package markup

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"

	"morrow/internal/pattern"
)

// provider matches the addresses that WordPress embeds (WP_oEmbed of 6.7; one
// that an older version doesn't know yet is a link there). A group's name is
// the type and the provider's name in the embed block.
var provider = pattern.Lazy(`(?i)^https?://(?:` + strings.Join([]string{
	`(?P<video_youtube>(?:(?:m|www)\.)?youtube\.com/(?:watch|playlist|shorts|live).*|youtu\.be/.*)`,
	`(?P<video_vimeo>(?:[^/]+\.)?vimeo\.com/.*)`,
	`(?P<video_dailymotion>(?:www\.)?dailymotion\.com/.*|dai\.ly/.*)`,
	`(?P<video_wordpress_tv>wordpress\.tv/.*)`,
	`(?P<video_videopress>videopress\.com/v/.*)`,
	`(?P<video_ted>(?:www\.|embed\.)?ted\.com/talks/.*)`,
	`(?P<video_animoto>(?:www\.)?(?:animoto|video214)\.com/play/.*)`,
	`(?P<video_tiktok>(?:www\.)?tiktok\.com/(?:.*/video/|@).*)`,
	`(?P<photo_flickr>(?:www\.)?flickr\.com/.*|flic\.kr/.*)`,
	`(?P<photo_smugmug>(?:[^/]+\.)?smugmug\.com/.*)`,
	`(?P<rich_imgur>(?:[^/]+\.)?imgur\.com/.*)`,
	`(?P<rich_twitter>(?:www\.)?twitter\.com/(?:\w{1,15}(?:/(?:status(?:es)?|lists|timelines)/.*|/likes)?|i/moments/.*))`,
	`(?P<rich_bluesky>bsky\.app/profile/.*/post/.*)`,
	`(?P<rich_soundcloud>(?:www\.)?soundcloud\.com/.*)`,
	`(?P<rich_spotify>(?:open|play)\.spotify\.com/.*)`,
	`(?P<rich_mixcloud>(?:www\.)?mixcloud\.com/.*)`,
	`(?P<rich_reverbnation>(?:www\.)?reverbnation\.com/.*)`,
	`(?P<rich_pocket_casts>pca\.st/.+)`,
	`(?P<rich_reddit>(?:www\.)?reddit\.com/r/[^/]+/comments/.*)`,
	`(?P<rich_tumblr>[^/]+\.tumblr\.com/.*)`,
	`(?P<rich_pinterest>(?:[a-z]{2}|www)\.pinterest\.com(?:\.(?:au|mx))?/.*)`,
	`(?P<rich_speaker_deck>(?:www\.)?speakerdeck\.com/.*)`,
	`(?P<rich_scribd>(?:www\.)?scribd\.com/(?:doc|document)/.*)`,
	`(?P<rich_issuu>(?:www\.)?issuu\.com/.+/docs/.+)`,
	`(?P<rich_kickstarter>(?:www\.)?kickstarter\.com/projects/.*|kck\.st/.*)`,
	`(?P<rich_cloudup>cloudup\.com/.*)`,
	`(?P<rich_crowdsignal>(?:[^/]+\.)?(?:crowdsignal\.net|polldaddy\.com|survey\.fm)/.*|poll\.fm/.*)`,
	`(?P<rich_amazon_kindle>(?:[a-z0-9-]+\.)?amazon\.(?:com|com\.mx|com\.br|ca|co\.uk|de|fr|it|es|in|nl|ru|co\.jp|com\.au|cn)/.*|` +
		`(?:www\.)?(?:a\.co|amzn\.(?:to|eu|in|asia)|z\.cn)/.*)`,
	`(?P<rich_wolfram_cloud>(?:www\.)?wolframcloud\.com/obj/.+)`,
	`(?:www\.)?screencast\.com/.*`,
	`www\.someecards\.com/(?:.+-cards/.+|usercards/viewcard/.+)`,
	`some\.ly/.+`,
	`(?:(?:play|www)\.)?anghami\.com/.*`,
}, "|") + `)$`)

// embedAddress is the address that a paragraph consists of, "" when it is
// anything else or no provider's.
func (r renderer) embedAddress(n ast.Node) string {
	link, ok := n.FirstChild().(*ast.AutoLink)
	if !ok || link.NextSibling() != nil || link.AutoLinkType != ast.AutoLinkURL {
		return ""
	}
	dest := link.URL(r.src)
	if bytes.ContainsAny(dest, `<>"`) || ambiguous(string(dest)) || !provider().Match(dest) {
		return ""
	}
	return string(dest)
}

// embed is the block of an address, in plain HTML the address alone on its
// line, where WordPress finds it (WP_Embed::autoembed).
func (r renderer) embed(address string) string {
	if !r.blocks {
		return "\n" + EscapeText(address) + "\n"
	}
	attrs, class := `"url":`+blockJSON(address), "wp-block-embed"
	if kind, slug := providerOf(address); slug != "" {
		attrs += `,"type":"` + kind + `","providerNameSlug":"` + slug + `"`
		class += " is-type-" + kind + " is-provider-" + slug + " wp-block-embed-" + slug
		if kind == "video" && slug != "tiktok" {
			attrs += `,"responsive":true,"className":"wp-embed-aspect-16-9 wp-has-aspect-ratio"`
			class += " wp-embed-aspect-16-9 wp-has-aspect-ratio"
		}
	}
	return r.wrap("embed", "{"+attrs+"}", `<figure class="`+class+`"><div class="wp-block-embed__wrapper">`+"\n"+
		html.EscapeString(address)+"\n</div></figure>")
}

// providerOf is the type and the name of an address's provider, "" where the
// editor has none for it.
func providerOf(address string) (kind, slug string) {
	m := provider().FindStringSubmatch(address)
	for i, name := range provider().SubexpNames() {
		if m != nil && m[i] != "" && name != "" {
			kind, slug, _ = strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
		}
	}
	return kind, slug
}

// blockJSON writes s as the block editor does in a block's comment
// (serializeAttributes): nothing in it ends the comment.
func blockJSON(s string) string {
	quoted, _ := json.Marshal(s) //nolint:errchkjson // a string always has a form
	return strings.NewReplacer(`--`, `\u002d\u002d`, `\"`, `\u0022`).Replace(string(quoted))
}
