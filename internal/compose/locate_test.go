package compose

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// tree makes files, each holding its own path, and links.
func tree(t testing.TB, files []string, links map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range files {
		if err := os.WriteFile(at(name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range links {
		if err := os.Symlink(target, at(name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// B64: pictures are found where people and their programs put them.
func TestB64PicturesAreFound(t *testing.T) {
	t.Parallel()
	root := tree(t, []string{
		"a.png", "images/b c.png", "images/50%.png", "images/100%25.png", "post.assets/d.png", "caf\u00e9.png", "ca\u0302/o.png", "Photo.JPG",
		"attachments/deep/pic one.png", "static/img/s.png", "what?.png", "no#1.png", "article/index.md", "article/images/e.png", "article/own.png", "trip/trip.md", "trip/mine.png",
		"twice/x.png", "again/x.png", "done/old.png", ".trash/gone.png",
	}, map[string]string{"inside.png": "a.png", "folder": "images"})
	for _, tt := range []struct{ dir, dest, want string }{
		{".", "a.png", "a.png"},
		{".", "./a.png", "a.png"},
		{".", "images/../a.png", "a.png"},
		{".", "images/b%20c.png", "images/b c.png"},
		{".", "images/b c.png", "images/b c.png"},
		{".", "images/50%.png", "images/50%.png"},
		{".", "images/50%25.png", "images/50%.png"},
		{".", "images/100%25.png", "images/100%25.png"},
		{".", `images\b c.png`, "images/b c.png"},
		{".", `.\post.assets\d.png`, "post.assets/d.png"},
		{".", "images/b%20c.png?raw=true", "images/b c.png"},
		{".", "a.png#center", "a.png"},
		{".", "what?.png", "what?.png"},
		{".", "no#1.png", "no#1.png"},
		{".", "cafe\u0301.png", "caf\u00e9.png"},
		{".", "c\u00e2/o.png", "ca\u0302/o.png"},
		{".", "caf%C3%A9.png", "caf\u00e9.png"},
		{".", "photo.jpg", "Photo.JPG"},
		{".", "pic one.png", "attachments/deep/pic one.png"},
		{".", "pic%20one.png", "attachments/deep/pic one.png"},
		{".", "/img/s.png", "static/img/s.png"},
		{".", "/images/b c.png", "images/b c.png"},
		{".", "inside.png", "inside.png"},
		{".", "folder/b c.png", "folder/b c.png"},
		{"article", "images/e.png", "article/images/e.png"},
		{"article", "../a.png", "a.png"},
		{"article", "a.png", "a.png"},
		{"article", "own.png", "article/own.png"},
	} {
		if got, err := locate(root, tt.dir, tt.dest); err != nil || got != tt.want {
			t.Errorf("%s from %s: %q, %v, want %q", tt.dest, tt.dir, got, err, tt.want)
		}
	}
	for dest, says := range map[string]string{
		"x.png":           "is found as again/x.png and as twice/x.png; write its path",
		"own.png":         errNoFile.Error(), // another article's
		"mine.png":        errNoFile.Error(),
		"old.png":         errNoFile.Error(),
		"gone.png":        errNoFile.Error(),
		"images/a.png":    errNoFile.Error(), // a picture of that name lies elsewhere
		"images/none.png": errNoFile.Error(),
		"images":          "is no file",
	} {
		if got, err := locate(root, ".", dest); err == nil || err.Error() != says {
			t.Errorf("%s: %q, %v, want %q", dest, got, err, says)
		}
	}
}

// Whatever a text names, what is found is a file of the tree.
func FuzzLocate(f *testing.F) {
	outside := tree(f, []string{"secret.png", "sub/secret.png"}, nil).Name()
	root := tree(f, []string{"a.png", "images/b c.png", "sub/c.png"}, map[string]string{
		"link.png": filepath.Join(outside, "secret.png"), "out": outside, "loop": "loop", "up": "..", "sub/back": "../images",
	})
	for _, dest := range []string{"a.png", "images/b%20c.png", "../a.png", "link.png", "out/secret.png", "secret.png", "loop/x", "up/x", "sub/back/b c.png", "/etc/passwd", `..\x`, "%2e%2e/", "a.png/x", "\x00", "?#"} {
		f.Add(".", dest)
		f.Add("sub", dest)
	}
	f.Fuzz(func(t *testing.T, dir, dest string) {
		if !fs.ValidPath(dir) {
			return
		}
		got, err := locate(root, dir, dest)
		if err != nil {
			return
		}
		target, err := filepath.EvalSymlinks(filepath.Join(root.Name(), filepath.FromSlash(got)))
		if err != nil {
			t.Fatalf("%q from %q: %v", dest, dir, err)
		}
		base, err := filepath.EvalSymlinks(root.Name())
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(base, target)
		if err != nil || !filepath.IsLocal(rel) {
			t.Errorf("%q from %q is found outside: %s", dest, dir, target)
		}
	})
}
