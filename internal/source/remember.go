package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"morrow/internal/markup"
)

// What a process read of a large folder spares the next one the reading: it is
// kept in a file, which may be deleted at any moment. It is believed as long as
// a file has the size, the time and the identity that it had.

const (
	// worthKeeping is how many files a process must have read itself to write
	// down what they say. Fewer are read again in no time.
	worthKeeping = 500
	maxKept      = 16 << 10 // bytes of a text; longer ones are read again
)

// stamp is what tells a file that was not touched, in a form that outlasts the
// process.
type stamp struct {
	Size, Changed int64 // Changed in nanoseconds
	ID, Device    uint64
}

// kept is the form of the file. Program is that of the program, since another
// one may read the same front matter in another way.
type kept struct {
	Program string
	Files   []keptFile
}

type keptFile struct {
	Name   string
	Stamp  stamp
	Sum    [sha256.Size]byte
	Item   Item
	Dates  []keptDate
	Type   markup.Value
	State  State
	Reason string
}

type keptDate struct {
	Wall  time.Time
	Zoned bool
}

// recall fills the memory of files with what an earlier process kept.
func (f *Folder) recall() {
	if f.memory == "" || f.recalled {
		return
	}
	f.recalled = true
	data, err := os.ReadFile(f.memory)
	if err != nil {
		return // a file that is not there, or can't be read, remembers nothing
	}
	var k kept
	if gob.NewDecoder(bytes.NewReader(data)).Decode(&k) != nil || k.Program != program() {
		return
	}
	f.cache = make(map[string]cached, len(k.Files))
	for _, file := range k.Files {
		p := parsed{item: file.Item, typ: file.Type, state: file.State, reason: file.Reason}
		for _, d := range file.Dates {
			p.dates = append(p.dates, moment{wall: d.Wall, zoned: d.Zoned})
		}
		f.cache[file.Name] = cached{stamp: file.Stamp, sum: file.Sum, parsed: p}
	}
}

// keep writes down what is remembered, if this process has read much of it. Its
// error is for tests: nothing depends on the file.
func (f *Folder) keep() error {
	if f.memory == "" || f.fresh < f.worth {
		return nil
	}
	f.fresh = 0
	k := kept{Program: program()}
	for name, c := range f.cache {
		if !c.isPlain() {
			continue
		}
		file := keptFile{Name: name, Stamp: c.stamp, Sum: c.sum, Item: c.item, Type: c.typ, State: c.state, Reason: c.reason}
		for _, d := range c.dates {
			file.Dates = append(file.Dates, keptDate{d.wall, d.zoned})
		}
		k.Files = append(k.Files, file)
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(k); err != nil {
		return err
	}
	return writeWhole(f.memory, data.Bytes())
}

// writeWhole puts a private file in its place at once, so that whoever reads
// it at the same time gets the old one or the new one.
func writeWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}

// isPlain says whether gob gives back what it is given: it takes a pointer to
// false for none, and does not know the types in Meta.
func (c cached) isPlain() bool {
	it := c.item
	return len(it.Body) <= maxKept && it.Sticky == nil && it.Meta == nil
}

// fits says whether a file is still the one that is remembered.
func (c cached) fits(info fs.FileInfo) bool {
	if c.info != nil {
		return unchanged(c.info, info)
	}
	return c.stamp == stampOf(info)
}

// program tells this program from any other build of it.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}
