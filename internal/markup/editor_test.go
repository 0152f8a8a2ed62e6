package markup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/wptest"
)

// corpus is what people write and what the authors of CommonMark and GFM
// thought of: Markdown by a name.
func corpus(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	posts, err := filepath.Glob("testdata/posts/*.md")
	if err != nil || len(posts) == 0 {
		t.Fatalf("found %d posts, %v", len(posts), err)
	}
	for _, file := range append(posts, "testdata/corpus.md") {
		_, body, _, err := Split(read(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		texts[filepath.Base(file)] = string(body)
	}
	maps.Copy(texts, examples(t))
	return texts
}

// examples are those of the CommonMark specification and of goldmark's tests
// for the extensions of GFM.
func examples(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	goldmark := strings.TrimSpace(string(dir))
	var spec []struct {
		Markdown string `json:"markdown"`
		Example  int    `json:"example"`
	}
	if err := json.Unmarshal(read(t, filepath.Join(goldmark, "_test/spec.json")), &spec); err != nil {
		t.Fatal(err)
	}
	for _, e := range spec {
		texts[fmt.Sprintf("CommonMark %d", e.Example)] = e.Markdown
	}
	for _, extension := range []string{"table", "strikethrough", "linkify", "tasklist", "footnote"} {
		const end = "\n//= = = = = = = = = = = = = = = = = = = = = = = =//"
		for example := range strings.SplitSeq(string(read(t, filepath.Join(goldmark, "extension/_test", extension+".txt"))), end) {
			parts := strings.Split(example, "//- - - - - - - - -//\n")
			if len(parts) == 3 {
				texts[extension+" "+strings.TrimSpace(parts[0])] = strings.TrimSuffix(parts[1], "\n")
			}
		}
	}
	return texts
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// rendered is every text as blocks; a picture named uploaded.png is on the site.
func rendered(t *testing.T, texts map[string]string) map[string]string {
	t.Helper()
	blocks := map[string]string{}
	for name, text := range texts {
		out, _, err := Blocks([]byte(text), Options{Image: func(img Image) (Picture, bool) {
			return Picture{ID: 7, URL: "https://example.com/wp-content/uploads/uploaded.png", Width: 640, Height: 480}, strings.HasSuffix(img.Dest, "uploaded.png")
		}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		blocks[name] = out
	}
	return blocks
}

// verdict is what an editor says of one text.
type verdict struct {
	Faults []string `json:"faults"` // the blocks it calls invalid
	Saved  string   `json:"saved"`  // the text as it would save it
}

// readBlocks has the block editor of a WordPress version read the texts, that of the
// npm packages for "".
func readBlocks(t *testing.T, version string, blocks map[string]string) map[string]verdict {
	t.Helper()
	in, err := json.Marshal(blocks)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "editor/read", version)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]verdict{}
	if err := json.Unmarshal(out, &verdicts); err != nil {
		t.Fatal(err)
	}
	return verdicts
}

// angles leaves the brackets in attributes alone: browsers have escaped them
// since 2025, jsdom doesn't yet.
func angles(blocks string) string {
	return regexp.MustCompile(`="[^"]*"`).ReplaceAllStringFunc(blocks, strings.NewReplacer("&lt;", "<", "&gt;", ">").Replace)
}

// known are the faults of the oldest editor: it wants raw HTML as a browser
// would write it, and sizes as numbers.
func known(version, fault string) bool {
	return version == "6.1.9" && (strings.HasPrefix(fault, "core/html\n") || strings.Contains(fault, "is-resized"))
}

const recorded = "testdata/read.txt"

// TestBlocksAreValid has WordPress's own editors read what Blocks makes of the
// corpus and of mixtures of its lines. None may call a block invalid, and the newest would save the text as
// it is. UPDATE_GOLDEN=1 records what they have read.
func TestBlocksAreValid(t *testing.T) {
	t.Parallel()
	if os.Getenv("MORROW_FULL") == "" {
		t.Skip("MORROW_FULL=1 installs the block editor and runs it; TestBlocksAsRead compares with what it has read")
	}
	texts := corpus(t)
	recordedBlocks := rendered(t, texts)
	for i, md := range mixtures(t, 1_000) {
		texts[fmt.Sprintf("mixture %d: %q", i, md)] = md
	}
	blocks := rendered(t, texts)
	for _, version := range append([]string{""}, wptest.Versions()...) {
		t.Run("editor "+version, func(t *testing.T) {
			t.Parallel()
			for name, v := range readBlocks(t, version, blocks) {
				for _, fault := range v.Faults {
					if !known(version, fault) {
						t.Errorf("%s: %s", name, fault)
					}
				}
				if diff := cmp.Diff(angles(blocks[name]), angles(v.Saved)); diff != "" && version == "" {
					t.Errorf("%s (-written +saved):\n%s", name, diff)
				}
			}
		})
	}
	t.Cleanup(func() {
		if os.Getenv("UPDATE_GOLDEN") == "" || t.Failed() {
			return
		}
		if err := os.WriteFile(recorded, []byte(record(recordedBlocks)), 0o600); err != nil {
			t.Error(err)
		}
	})
}

// TestBlocksAsRead: what Blocks makes of the corpus is what the editors have
// read.
func TestBlocksAsRead(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(string(read(t, recorded)), record(rendered(t, corpus(t)))); diff != "" {
		t.Errorf("have the editors read what changed, with MORROW_FULL=1 UPDATE_GOLDEN=1 (-read +now):\n%s", diff)
	}
}

func record(blocks map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		sum := sha256.Sum256([]byte(blocks[name]))
		fmt.Fprintf(&b, "%s %s\n", hex.EncodeToString(sum[:6]), name)
	}
	return b.String()
}
