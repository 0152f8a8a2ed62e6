package source

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"morrow/internal/pattern"
)

// copySuffix is what file managers, browsers and sync programs put behind the
// name of a copy: a number in brackets, a word for copy, the name that Windows
// gave to the other machine (OneDrive), a conflict in brackets (Dropbox, by
// the language of the account).
var copySuffix = pattern.Lazy(`(?i)^(.+?)(?:` +
	` ?\(\d+\)` +
	`|(?: - | )(?:copy|copie|copia|cópia|kopie|kopia|kopi|копия|копія|コピー|副本|복사본)(?: \(?\d+\)?)?` +
	`|-(?:desktop|laptop|win)-[a-z0-9]{6,12}(?:-\d+)?` +
	`| ?\([^()]*(?:conf?li[ct]|konfli[kc]t|çakış|конфл[иі]кт|충돌|競合|冲突|衝突|xung đột|ขัดแย้ง)[^()]*\)` +
	`)$`)

// originalOf is the name that such a copy would stem from: "a (1).md",
// "a - Copy.md", "a copy 2.md" from "a.md". A name alone proves nothing
// ("Trip (2).md"): it is a copy only beside its original.
func originalOf(name string) (string, bool) {
	m := copySuffix().FindStringSubmatch(stem(name))
	switch {
	case m == nil:
		return "", false
	case article(name) != "":
		return m[1] + "/", true
	}
	return m[1] + filepath.Ext(name), true
}

// booked are the names of the files in done/ by their stems, by those without
// the number that Consume gave too.
type booked map[string][]string

// has says whether done/ has a file of that name, whatever its case.
func (b booked) has(name string) bool { return len(b[orderOf(name).stem]) > 0 }

func bookedIn(done string) booked {
	found, _ := os.ReadDir(done) // what it can't show is no proof of a copy
	b := make(booked, len(found))
	for _, e := range found {
		name := listedName(e)
		s := orderOf(name).stem
		b[s] = append(b[s], name)
		if bare, ok := unnumbered(s); ok {
			b[bare] = append(b[bare], name)
		}
	}
	return b
}

// unnumbered is a stem without the number that Consume gives where done/ has
// a file of that name; ok is false where it ends in none.
func unnumbered(stem string) (bare string, ok bool) {
	bare, ok = strings.CutSuffix(strings.TrimRight(stem, "0123456789"), "-")
	return bare, ok && bare != "" && !strings.HasSuffix(stem, "-")
}

// sameText names the file that c is a copy of to the byte, in the folder or in
// done/, going by the name too: a copy's begins with that of its original
// ("a 2.md" from "a.md"). Nor is one a copy that shows other pictures. "" if
// there is none; c is an original then itself.
func (f *Folder) sameText(ctx context.Context, root string, c candidate, originals map[string]string, b booked) string {
	own := f.cache[c.name].sum
	s := c.order.stem
	for end := range s {
		if first, ok := originals[s[:end]]; ok && f.cache[first].sum == own && !f.otherPictures(ctx, root, c, filepath.Join(root, article(first))) {
			return first
		}
		for _, name := range b[s[:end]] {
			beside := root // where a file's pictures stay
			if article(name) != "" {
				beside = filepath.Join(root, doneDir, name)
			}
			if f.hasText(ctx, filepath.Join(root, doneDir, name), c.info.Size(), own) && !f.otherPictures(ctx, root, c, beside) {
				return filepath.Join(doneDir, name)
			}
		}
	}
	originals[s] = c.name
	return ""
}

// otherPictures says whether a picture beside c is another than that of the same
// name in the folder dir, where a text of the same bytes has its own. One that
// does not answer is none.
func (f *Folder) otherPictures(ctx context.Context, root string, c candidate, dir string) bool {
	own := filepath.Join(root, article(c.name))
	if own == dir {
		return false
	}
	if own == root { // walk the folder that is an item's alone
		own, dir = dir, own
	}
	other, err := within(ctx, f.hung, own+" "+dir, func() (other bool, err error) {
		err = filepath.WalkDir(own, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || !picture().MatchString(path) {
				return err
			}
			same, err := sameBytes(path, filepath.Join(dir, strings.TrimPrefix(path, own)))
			if err == nil && !same {
				other = true
				return fs.SkipAll
			}
			return nil
		})
		return other, err
	})
	return err == nil && other
}

var picture = pattern.Lazy(`(?i)\.(?:jpe?g|png|gif|webp|avif)$`)

// hasText says whether the file or folder at path, in done/, has that text. One
// that does not answer has none.
func (f *Folder) hasText(ctx context.Context, path string, size int64, want [sha256.Size]byte) bool {
	data, err := within(ctx, f.hung, path, func() ([]byte, error) {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			text, _, _ := articleText(path)
			path = filepath.Join(path, text)
			info, err = os.Stat(path)
		}
		if err != nil || info.Size() != size {
			return nil, err
		}
		return f.read(path, info)
	})
	return err == nil && sha256.Sum256(data) == want
}
