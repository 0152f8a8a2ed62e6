package lock

import (
	"regexp"
	"testing"
)

func TestSiteKey(t *testing.T) {
	t.Parallel()
	tests := []struct{ site, want string }{
		{"https://blog.example.com", "blog.example.com"},
		{"http://blog.example.com", "blog.example.com"},
		{"HTTPS://Blog.Example.COM/", "blog.example.com"},
		{"https://blog.example.com:443/", "blog.example.com"},
		{"http://blog.example.com:80", "blog.example.com"},
		{"https://blog.example.com.", "blog.example.com"},
		{"https://user:pass@blog.example.com/?a=b#c", "blog.example.com"},
		{" blog.example.com ", "blog.example.com"},
		{"blog.example.com:8080", "blog.example.com:8080"},
		{"http://localhost:8080/", "localhost:8080"},
		{"https://example.com/Blog/", "example.com/Blog"},
		{"https://example.com//Blog//", "example.com/Blog"},
		{"https://example.com/blog", "example.com/blog"},
		{"https://example.com/%7Ejo", "example.com/~jo"},
		{"https://예시.한국", "xn--vv4b11d.xn--3e0b707e"},
		{"https://xn--vv4b11d.xn--3e0b707e", "xn--vv4b11d.xn--3e0b707e"},
		{"http://[::1]:8080", "::1:8080"},
		{"http://my_host/x", "my_host/x"},
	}
	for _, tt := range tests {
		got, err := siteKey(tt.site)
		if err != nil || got != tt.want {
			t.Errorf("siteKey(%q) = %q, %v; want %q", tt.site, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "  ", "https://", "https:///path", "http://a b", "http://[::1"} {
		if got, err := siteKey(bad); err == nil {
			t.Errorf("siteKey(%q) = %q; want an error", bad, got)
		}
	}
}

func TestFileNamesDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, s := range []string{"a.example", "a.example/b", "a.example/B", "a.example:8080", "b.example"} {
		name, err := fileName(s)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%s and %s share %s", s, other, name)
		}
		seen[name] = s
	}
}

func FuzzFileName(f *testing.F) {
	for _, s := range []string{site, "http://[::1]:80/x", "예시.한국/블로그", "a/../..", `a\b`, "//", "%zz"} {
		f.Add(s)
	}
	safe := regexp.MustCompile(`^morrow-[a-z0-9.-]{1,60}-[0-9a-f]{12}$`)
	f.Fuzz(func(t *testing.T, s string) {
		name, err := fileName(s)
		if err != nil {
			return
		}
		if !safe.MatchString(name) {
			t.Errorf("fileName(%q) = %q, not safe in a folder", s, name)
		}
	})
}
