package compose

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"morrow/internal/markup"
	"morrow/internal/source"
)

const (
	// patience is how long the pictures of an item may take to be read: a cloud
	// or network folder can hang.
	patience = time.Minute
	// youngest is how long a file must have been left alone: one that is
	// still being written would be public with half of it for ever.
	youngest = 10 * time.Second
)

// picture is one that an item asks for.
type picture struct {
	dest     string // as written
	alt      string
	line     int // of the item's file
	featured bool
	id       int64 // of the media library, where that is what is written
	file     file  // else
}

func (p picture) String() string {
	const limit = 60 // one that is written out in place (data:…) would fill the screen
	dest := p.dest
	if r := []rune(dest); len(r) > limit {
		dest = string(r[:limit]) + "…"
	}
	return fmt.Sprintf("line %d: the picture %s", p.line, dest)
}

// file is a picture's file on this machine.
type file struct {
	path     string // relative to the item's Root
	name     string // under which it is uploaded
	mime     string
	size     int64
	modified time.Time
	hash     string // of its content
}

// title is what the file is called, without its extension.
func (f file) title() string {
	name := norm.NFC.String(path.Base(f.path))
	return strings.TrimSuffix(name, path.Ext(name))
}

// pictures are those of an item that are not on the web, each once, the
// featured image last. A draft on the site has none: it goes out as it is.
func pictures(it source.Item) []picture {
	if it.Post.ID != 0 {
		return nil
	}
	images := markup.Images
	if it.HTML {
		images = markup.HTMLImages
	}
	var list []picture
	for _, img := range images(it.Body) {
		if same := slices.IndexFunc(list, func(p picture) bool { return p.dest == img.Dest }); same >= 0 {
			list[same].alt = cmp.Or(list[same].alt, img.Alt)
		} else if img.Dest != "" && !onWeb(img.Dest) {
			list = append(list, picture{dest: img.Dest, alt: img.Alt, line: max(it.BodyLine, 1) - 1 + img.Line})
		}
	}
	if f := it.Featured; f.File != "" {
		id, _ := strconv.ParseUint(f.File, 10, 63) // 0 for a file
		list = append(list, picture{dest: f.File, alt: f.Alt, line: f.Line, featured: true, id: int64(id)})
	}
	return list
}

// onWeb says whether an address is one that readers can follow, on whatever
// site. One without a host is so only in the site's own folder of uploads.
func onWeb(dest string) bool {
	lower := strings.ToLower(dest)
	for _, start := range []string{"https://", "http://", "//", "/wp-content/"} {
		if strings.HasPrefix(lower, start) {
			return true
		}
	}
	return false
}

// examine finds and reads the files of the pictures and gives what is wrong
// with each, nil for a sound one. err is that of all of them: the end of ctx,
// or files that do not answer.
func (c *Composer) examine(ctx context.Context, it source.Item, list []picture) (wrong []error, err error) {
	type result struct {
		files []file
		wrong []error
	}
	read := make(chan result, 1)
	go func() {
		r := result{make([]file, len(list)), make([]error, len(list))}
		for i, p := range list {
			r.files[i], r.wrong[i] = c.fileOf(it, p)
		}
		read <- r
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case r := <-read:
		for i := range list {
			list[i].file = r.files[i]
		}
		return r.wrong, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		return nil, faultf("its pictures gave no answer within %s; is the cloud or network folder connected?", patience)
	}
}

// fileOf finds and reads the file of a picture.
func (c *Composer) fileOf(it source.Item, p picture) (file, error) {
	scheme, _, hasScheme := strings.Cut(p.dest, ":")
	switch {
	case p.id != 0:
		return file{}, nil
	case p.featured && onWeb(p.dest):
		return file{}, errors.New("is an address; a featured image has to be a file in the folder of the queue, or the id of a picture on the site")
	case hasScheme && strings.EqualFold(scheme, "data"):
		return file{}, errors.New("is written out in the text; save it as a file beside the text")
	case it.Root == "":
		return file{}, errors.New("has no folder that it could lie in; write its whole address (https://…)")
	}
	root, err := os.OpenRoot(it.Root)
	if err != nil {
		return file{}, unread(err)
	}
	defer func() { _ = root.Close() }()
	at, err := locate(root, it.Dir, p.dest)
	if errors.Is(err, errNoFile) && hasScheme {
		return file{}, errors.New("is no address that a reader could follow; write the file's path, relative to the text")
	} else if err != nil {
		return file{}, err
	}
	return c.read(root, at)
}

func unread(err error) error { return fmt.Errorf("can't be read: %w", bare(err)) }

// read looks into a file: what it is, and the hash of its content.
func (c *Composer) read(root *os.Root, at string) (file, error) {
	f, err := root.Open(filepath.FromSlash(at))
	if err != nil {
		return file{}, unread(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return file{}, unread(err)
	}
	switch age := c.o.Now().Sub(info.ModTime()); {
	case info.Size() == 0:
		return file{}, errors.New("is empty")
	case age >= 0 && age < youngest:
		return file{}, fmt.Errorf("has just been changed; it is taken once it has been left alone for %s", youngest)
	}
	head := make([]byte, min(512, info.Size()))
	if _, err := io.ReadFull(f, head); err != nil {
		return file{}, unread(err)
	}
	mime, ext := kindOf(head)
	if ext == "" {
		return file{}, fmt.Errorf("is %s, and no JPEG, PNG, GIF, WebP or AVIF; save it as one of these", mime)
	}
	hash := sha256.New()
	size, err := io.Copy(hash, io.MultiReader(bytes.NewReader(head), f))
	if err != nil {
		return file{}, unread(err)
	}
	out := file{path: at, mime: mime, size: size, modified: info.ModTime(), hash: hex.EncodeToString(hash.Sum(nil)[:10])}
	// A part of the hash, so that no cache shows another picture of that name.
	out.name = out.title() + "-" + out.hash[:8] + ext
	return out, nil
}

// kindOf says by its first bytes what a file is. ext is empty unless that is a
// picture that browsers show and WordPress takes. WordPress goes by the bytes
// too, and renames what is called otherwise (wp_check_filetype_and_ext).
func kindOf(head []byte) (mime, ext string) {
	mime, _, _ = strings.Cut(http.DetectContentType(head), ";")
	if len(head) > 12 && string(head[4:8]) == "ftyp" {
		switch brands := string(head[8:min(32, len(head))]); {
		case strings.Contains(brands, "avif"):
			mime = "image/avif"
		case strings.Contains(brands, "hei"), strings.Contains(brands, "mif1"):
			mime = "image/heic"
		}
	}
	switch mime {
	case "image/jpeg":
		return mime, ".jpg"
	case "image/png", "image/gif", "image/webp", "image/avif":
		return mime, "." + strings.TrimPrefix(mime, "image/")
	}
	if bytes.Contains(head, []byte("<svg")) {
		mime = "image/svg+xml"
	}
	return mime, ""
}
