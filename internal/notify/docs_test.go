package notify

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentedAddresses: what docs/notifications.md shows can be written.
func TestDocumentedAddresses(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "notifications.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Addresses")
	found := regexp.MustCompile("`([a-z+]+://[^`]+)`").FindAllStringSubmatch(table, -1)
	if len(found) < 10 {
		t.Fatalf("found %q", found)
	}
	for _, m := range found {
		key := ""
		if strings.HasPrefix(m[1], "https://") {
			key = "key"
		}
		if err := Check(m[1], key, false); err != nil {
			t.Errorf("%s %v", m[1], err)
		}
	}
	for _, k := range Kinds() {
		if !strings.Contains(string(page), "| `"+string(k)+"` |") {
			t.Errorf("%s is not described", k)
		}
	}
}
