package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var seoul = time.FixedZone("KST", 9*3600) //nolint:gochecknoglobals // a constant

func noon() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

// queue is a folder under test. Its files were last changed an hour ago.
type queue struct {
	*Folder
	t   *testing.T
	dir string
}

func newQueue(t *testing.T, files map[string]string) *queue {
	t.Helper()
	dir := t.TempDir()
	q := &queue{NewFolder(FolderOptions{Dir: dir, Now: noon}), t, dir}
	for name, text := range files {
		q.write(name, text)
	}
	return q
}

func (q *queue) path(name string) string { return filepath.Join(q.dir, name) }

func (q *queue) write(name, text string) { q.writeAt(name, text, noon().Add(-time.Hour)) }

func (q *queue) writeAt(name, text string, changed time.Time) {
	q.t.Helper()
	path := q.path(name)
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(path), 0o755),
		os.WriteFile(path, []byte(text), 0o644),
		os.Chtimes(path, changed, changed),
	); err != nil {
		q.t.Fatal(err)
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(q.dir); dir = filepath.Dir(dir) {
		if err := os.Chtimes(dir, changed, changed); err != nil {
			q.t.Fatal(err)
		}
	}
}

func (q *queue) link(target, name string) {
	q.t.Helper()
	if err := os.Symlink(target, q.path(name)); err != nil {
		q.t.Fatal(err)
	}
}

func (q *queue) entries() []Entry {
	q.t.Helper()
	entries, err := q.Entries(q.t.Context(), seoul)
	if err != nil {
		q.t.Fatal(err)
	}
	return entries
}

// states are "name state" lines.
func (q *queue) states() []string {
	var states []string
	for _, e := range q.entries() {
		states = append(states, e.Name+" "+string(e.State))
		if (e.Item != nil) != (e.State == Ready) || (e.Reason == "") != (e.State == Ready) {
			q.t.Errorf("entry %+v: an item when ready, a reason otherwise", e)
		}
	}
	return states
}

func (q *queue) want(states ...string) {
	q.t.Helper()
	if diff := cmp.Diff(states, q.states()); diff != "" {
		q.t.Errorf("entries: (-want +got)\n%s", diff)
	}
}

func (q *queue) entry(name string) Entry {
	q.t.Helper()
	for _, e := range q.entries() {
		if e.Name == name {
			return e
		}
	}
	q.t.Fatalf("no entry %s", name)
	return Entry{}
}

func (q *queue) item(name string) Item {
	q.t.Helper()
	e := q.entry(name)
	if e.Item == nil {
		q.t.Fatalf("%s is %s: %s", name, e.State, e.Reason)
	}
	return *e.Item
}

// wantReason wants name in a state for a reason that holds part.
func (q *queue) wantReason(name string, state State, part string) {
	q.t.Helper()
	if e := q.entry(name); e.State != state || !strings.Contains(e.Reason, part) {
		q.t.Errorf("%s is %s, %q; want %s, …%s…", name, e.State, e.Reason, state, part)
	}
}

func TestEntriesInNaturalOrder(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{
		"10-ten.md": "x", "2-two.md": "x", "1-one.MD": "x", "b.html": "<p>x</p>", "A.markdown": "x", "a-2.md": "y",
		"2026-12-01-day.mdown": "x", "100-hundred.htm": "x",
	})
	q.want("1-one.MD ready", "2-two.md ready", "10-ten.md ready", "100-hundred.htm ready", "2026-12-01-day.mdown ready",
		"A.markdown ready", "a-2.md ready", "b.html ready")
}

func TestB67Droppings(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{
		".a.md.swp": "open", ".a.md.swo": "open", ".#a.md": "open", "a.md~": "backup", "~$a.md": "backup", "#a.md#": "backup",
		"a.mdx7k2q.bck": "not a .md", "a.txt": "not a .md", "a": "not a .md", "a.md.tmp": "not a .md", "a.md.crdownload": "not a .md",
		"._a.md": "operating system", ".DS_Store": "operating system", "Thumbs.db": "operating system", "desktop.ini": "operating system",
		".hidden.md": "hidden", ".a.md.icloud": "download a.md",
		"a (Jo's conflicted copy 2026-12-01).md": "conflict", "a.sync-conflict-20261201-120000-ABC.md": "conflict", "a_conflict-20261201.md": "conflict",
		"a (1).md": "copy of a.md", "a - Copy.md": "copy of a.md", "a - Copy (2).md": "copy of a.md", "a copy 3.md": "copy of a.md",
		"a - 복사본.md": "copy of a.md", "b (2).md": "copy of b.md",
		"a-DESKTOP-AB12CD.md": "copy of a.md", "b-LAPTOP-1A2B3C4D.md": "copy of b.md", "a - Kopie (2).md": "copy of a.md",
		"a (Kim의 충돌된 복사본 2026-12-01).md": "copy of a.md", "b (In Konflikt stehende Kopie von Jo 2026-12-01).md": "copy of b.md",
		"a (Copie en conflit de Jo 2026-12-01).md":   "copy of a.md", //nolint:misspell // French
		"a (競合コピー 2026-12-01).md":                    "copy of a.md",
		"a (конфликтующая копия с ПК 2026-12-01).md": "copy of a.md",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t, map[string]string{name: "x", "a.md": "x", "done/b.md": "x"})
			q.wantReason(name, Ignored, part)
			q.wantReason("a.md", Ready, "")
		})
	}
}

func TestNamesThatOnlyLookLikeCopies(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"Trip (2).md": "x", "Part.md": "x", "Part 2.md": "y", "how to copy.md": "x", "ignored~not.md": "x", "War (a conflict of interest).md": "x"})
	q.want("how to copy.md ready", "ignored~not.md ready", "Part.md ready", "Part 2.md ready", "Trip (2).md ready",
		"War (a conflict of interest).md ready")
}

func TestSubFolders(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{
		"a.md": "x", "done/b.md": "x", "a.assets/x.png": "x", "images/x.png": "x", ".git/x.md": "x", "later/c.md": "y", "later/d.md": "z",
	})
	q.want("a.md ready", "later ignored")
	q.wantReason("later", Ignored, "a folder without an index.md; other sub-folders are not read")
}

func TestNotARegularFile(t *testing.T) {
	t.Parallel()
	q := newQueue(t, nil)
	var lc net.ListenConfig
	socket, err := lc.Listen(t.Context(), "unix", q.path("a.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	q.wantReason("a.md", Ignored, "not a regular file")
}

func TestB66HalfWritten(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		age   time.Duration
		state State
		part  string
	}{
		"just now":      {0, Held, "left alone for 10s"},
		"9 s ago":       {9 * time.Second, Held, "changed 9s ago"},
		"10 s ago":      {10 * time.Second, Ready, ""},
		"in the future": {-time.Second, Held, "future"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t, nil)
			q.writeAt("a.md", "x", noon().Add(-tt.age))
			q.wantReason("a.md", tt.state, tt.part)
		})
	}
	t.Run("young again after it was read", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"a.md": "x"})
		q.want("a.md ready")
		q.writeAt("a.md", "", noon())
		q.want("a.md held")
		q.now = func() time.Time { return noon().Add(time.Minute) }
		q.wantReason("a.md", Faulty, "empty")
	})
	t.Run("a longer rest", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"a.md": "x"})
		q.minAge = 2 * time.Hour
		q.want("a.md held")
	})
}

func TestB66ChangingWhileRead(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(q *queue){
		"grows":    func(q *queue) { q.writeAt("a.md", "longer", noon().Add(-time.Hour)) },
		"touched":  func(q *queue) { q.writeAt("a.md", "x", noon().Add(-time.Minute)) },
		"replaced": func(q *queue) { q.write("b.txt", "x"); _ = os.Rename(q.path("b.txt"), q.path("a.md")) },
		"gone":     func(q *queue) { _ = os.Remove(q.path("a.md")) },
		"shorter":  func(q *queue) { q.write("a.md", "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "replaced" && runtime.GOOS == "windows" {
				t.Skip("a file's identity is read by its name there, after the fact")
			}
			q := newQueue(t, map[string]string{"a.md": "x"})
			q.read = func(path string, want fs.FileInfo) ([]byte, error) {
				change(q)
				return readFile(path, want)
			}
			q.wantReason("a.md", Held, "changed while it was read")
		})
	}
}

func TestB81Placeholders(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{
		"empty.md": "", "blank.md": " \n\t\n", "zeros.md": strings.Repeat("\x00", 4096), "tail.md": "Hi\n" + strings.Repeat("\x00", 100),
		"large.md": strings.Repeat("x", maxFile+1), "good.md": "x",
	})
	q.wantReason("empty.md", Faulty, "empty")
	q.wantReason("blank.md", Faulty, "empty")
	q.wantReason("zeros.md", Faulty, "placeholder")
	q.wantReason("tail.md", Faulty, "line 2")
	q.wantReason("large.md", Faulty, "2 MiB")
	q.wantReason("good.md", Ready, "")

	q.read = func(string, fs.FileInfo) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Err: fs.ErrPermission}
	}
	q.write("secret.md", "x")
	q.wantReason("secret.md", Faulty, "permission")
}

func TestB81SizeThatReadingDisproves(t *testing.T) {
	t.Parallel()
	const path = "/proc/version" // claims to be empty
	info, err := os.Stat(path)
	if err != nil {
		t.Skip("needs a /proc file system")
	}
	if data, err := readFile(path, info); !errors.Is(err, errChanging) {
		t.Errorf("%q, %v; want that it is changing", data, err)
	}
}

func TestB81ReadThatHangs(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"1.md": "x", "2.md": "x", "3.md": "x", "4.md": "x", "5.md": "x"})
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int32 // those that hang run on
		hang := make(chan struct{})
		q.read = func(path string, want fs.FileInfo) ([]byte, error) {
			reads.Add(1)
			if filepath.Base(path) != "1.md" {
				<-hang
			}
			return readFile(path, want)
		}
		begin := time.Now()
		entries, err := q.Entries(t.Context(), seoul)
		if took := time.Since(begin); err != nil || took != 3*readLimit || reads.Load() != 4 {
			t.Fatalf("listed in %v with %d reads (%v), want 30s and 4", took, reads.Load(), err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, fmt.Sprintf("%s %s %s", e.Name, e.State, e.Reason))
		}
		const connected = "; is the cloud or network folder connected?"
		want := []string{
			"1.md ready ",
			"2.md held reading it gave no answer within 10s" + connected,
			"3.md held reading it gave no answer within 10s" + connected,
			"4.md held reading it gave no answer within 10s" + connected,
			"5.md held not read this time, because other files here gave no answer" + connected,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}

		if _, err := q.Entries(t.Context(), seoul); err != nil || reads.Load() != 4 {
			t.Errorf("%d reads (%v): what hangs was asked again", reads.Load(), err)
		}
		close(hang)
		synctest.Wait()
		if entries, err := q.Entries(t.Context(), seoul); err != nil || entries[4].State != Ready {
			t.Errorf("the folder is back: %+v, %v", entries, err)
		}
	})
}

func TestEntriesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "x"})
	hang := make(chan struct{})
	defer close(hang)
	ctx, cancel := context.WithCancel(t.Context())
	q.read = func(string, fs.FileInfo) ([]byte, error) {
		cancel()
		<-hang
		return nil, nil
	}
	if _, err := q.Entries(ctx, seoul); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestB82Links(t *testing.T) {
	t.Parallel()
	t.Run("the folder is a link", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"real/a.md": "x"})
		q.link("real", "queue")
		linked := &queue{NewFolder(FolderOptions{Dir: q.path("queue"), Now: noon}), t, q.path("queue")}
		q.link("a.md", "real/0.md")
		linked.want("0.md ignored", "a.md ready")
		if err := linked.Consume(t.Context(), linked.item("a.md")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(q.path("real/done/a.md")); err != nil {
			t.Error(err)
		}
	})
	t.Run("one file under several names", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"b.md": "x", "elsewhere/c.md": "y"})
		q.link("b.md", "a.md")
		q.link("elsewhere/c.md", "d.md")
		q.link(q.path("elsewhere/c.md"), "e.md")
		if err := os.Link(q.path("b.md"), q.path("f.md")); err != nil {
			t.Fatal(err)
		}
		q.want("a.md ignored", "b.md ready", "d.md ready", "e.md ignored", "elsewhere ignored", "f.md ignored")
		q.wantReason("a.md", Ignored, "link to b.md")
		q.wantReason("e.md", Ignored, "same file as d.md")

		for _, name := range []string{"b.md", "d.md"} {
			if err := q.Consume(t.Context(), q.item(name)); err != nil {
				t.Fatal(err)
			}
		}
		q.want("a.md ignored", "elsewhere ignored") // no second name comes up as an item
		for name, want := range map[string]string{"done/b.md": "x", "done/f.md": "x", "done/d.md": "y", "done/e.md": "y", "elsewhere/c.md": "y"} {
			if got, err := os.ReadFile(q.path(name)); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v; want %q", name, got, err, want)
			}
		}
	})
	t.Run("a second name that goes meanwhile", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"a.md": "x"})
		if err := os.Link(q.path("a.md"), q.path("b.md")); err != nil {
			t.Fatal(err)
		}
		item := q.item("a.md")
		if err := errors.Join(os.Remove(q.path("b.md")), q.Consume(t.Context(), item)); err != nil {
			t.Error(err)
		}
	})
	t.Run("loops and dead ends", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"a.md": "x", "done/old.md": "x"})
		q.link("..", "up.md")
		q.link(".", "self")
		q.link("loop.md", "loop.md")
		q.link("nowhere.md", "dead.md")
		q.link("done/old.md", "booked.md")
		q.want("a.md ready", "booked.md ignored", "dead.md ignored", "loop.md ignored", "self ignored", "up.md ignored")
		q.wantReason("up.md", Ignored, "link to a folder")
		q.wantReason("dead.md", Ignored, "nowhere")
		q.wantReason("booked.md", Ignored, "was booked")
	})
}

func TestFolderFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{"none": "make it", "file": "not a directory"} {
		path := filepath.Join(dir, name)
		_, err := NewFolder(FolderOptions{Dir: path}).Entries(t.Context(), seoul)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want %s and %q", err, path, part)
		}
	}
}

func TestSecondOfOneIdentity(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{
		"1-a.md": "---\ndraft: true\n---\nx", "2-a.html": "x",
		"3-b.md": "x", "4-c.md": "---\nslug: B\n---\nx",
		"5-d.md": "---\nslug: e\n---\nx", "6-d.md": "---\nslug: f\n---\nx",
		"7-g.md": "---\nslug: [\n---\nx", "8-g.md": "x",
		"x.md": "---\nslug: re\u0301sume\u0301\n---\nx", "y.md": "---\nslug: R\u00e9sum\u00e9\n---\nx",
		"caf\u00e9.md": "x", "9-cafe\u0301.md": "x",
	})
	q.want("1-a.md held", "2-a.html faulty", "3-b.md ready", "4-c.md faulty", "5-d.md ready", "6-d.md faulty", "7-g.md faulty", "8-g.md ready",
		"9-cafe\u0301.md ready", "caf\u00e9.md faulty",
		"x.md ready", "y.md faulty")
	q.wantReason("2-a.html", Faulty, "same slug as 1-a.md")
	q.wantReason("4-c.md", Faulty, "same slug as 3-b.md")
	q.wantReason("6-d.md", Faulty, "same name as 5-d.md")
}

func TestNameNotUTF8(t *testing.T) {
	t.Parallel()
	q := newQueue(t, nil)
	const name = "caf\xe9.md"
	if os.WriteFile(q.path(name), []byte("x"), 0o600) != nil {
		t.Skip("this file system takes no such name")
	}
	q.wantReason(name, Faulty, "UTF-8")
}

func TestReadOnce(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "x", "b.md": "---\ndraft: true\n---\nx", "c.md": ""})
	reads := 0
	q.read = func(path string, want fs.FileInfo) ([]byte, error) {
		reads++
		return readFile(path, want)
	}
	q.entries()
	q.entries()
	if reads != 3 {
		t.Errorf("%d reads of 3 unchanged files, listed twice", reads)
	}
	q.write("b.md", "y")
	if string(q.item("b.md").Body) != "y" || reads != 4 {
		t.Errorf("%d reads, want one more for the changed file", reads)
	}
	if err := os.Remove(q.path("a.md")); err != nil {
		t.Fatal(err)
	}
	q.entries()
	if len(q.cache) != 2 {
		t.Errorf("%d files remembered, 2 are there", len(q.cache))
	}
}

func TestZoneChangesWithoutReading(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "---\ndate: 2027-01-05\n---\nx"})
	for _, loc := range []*time.Location{seoul, time.UTC} {
		entries, err := q.Entries(t.Context(), loc)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := entries[0].Item.NotBefore, time.Date(2027, 1, 5, 0, 0, 0, 0, loc); !got.Equal(want) {
			t.Errorf("not before %v, want %v", got, want)
		}
	}
}

func BenchmarkEntriesAgain(b *testing.B) {
	dir := b.TempDir()
	old := noon().Add(-time.Hour)
	for i := range 10_000 {
		path := filepath.Join(dir, fmt.Sprintf("%05d-post-%d.md", i, i))
		text := fmt.Sprintf("---\ntitle: Post %d\ntags: [a, b]\n---\n%s", i, strings.Repeat("A line of *text*.\n\n", 50))
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, old, old.Add(-time.Duration(i)*time.Second))); err != nil {
			b.Fatal(err)
		}
	}
	f := NewFolder(FolderOptions{Dir: dir, Now: noon})
	begin := time.Now()
	if _, err := f.Entries(b.Context(), seoul); err != nil {
		b.Fatal(err)
	}
	b.Logf("first time: %v", time.Since(begin))
	for b.Loop() {
		if _, err := f.Entries(b.Context(), seoul); err != nil {
			b.Fatal(err)
		}
	}
}

// TestPostType: an item that is meant for another type of post is faulty.
func TestPostType(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.md": "---\ntype: post\n---\nHi", "b.md": "---\nType: Posts\n---\nHi", "c.md": "---\npost_type: podcast\n---\nHi",
		"d.md": "---\ntype: page\ndraft: true\n---\nHi", "e.md": "Hi",
	}
	q := newQueue(t, files)
	q.want("a.md ready", "b.md ready", "c.md faulty", "d.md held", "e.md ready")
	q.wantReason("c.md", Faulty, "line 2: post_type: podcast, but this job makes posts")
	q.typ = "podcasts"
	q.want("a.md faulty", "b.md faulty", "c.md ready", "d.md held", "e.md ready")
}
