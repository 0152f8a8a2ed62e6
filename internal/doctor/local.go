package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"morrow/internal/source"
)

// Folder tries whether Morrow can write to a folder, or make it: by a hidden
// file that it takes away again.
func Folder(check, dir, use string) Finding {
	existing := dir
	for existing != filepath.Dir(existing) {
		if _, err := os.Stat(existing); !os.IsNotExist(err) {
			break
		}
		existing = filepath.Dir(existing)
	}
	f, err := os.CreateTemp(existing, ".morrow-doctor-*")
	if err != nil {
		return fail(check, fmt.Sprintf("Morrow can't write to %s: %s", existing, reason(err)),
			"give this user the right to write there, or choose another folder; "+use)
	}
	_, _ = f.Close(), os.Remove(f.Name())
	if existing != dir {
		return ok(check, dir+", to be made when it is needed")
	}
	return ok(check, dir)
}

// reason is an error of the file system without the path, which was told.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// Queue judges what a job has to book: what its source lists, or why it can't.
// made: a command makes the items, so that an empty queue is none.
func Queue(where string, entries []source.Entry, err error, made bool) Finding {
	if err != nil {
		return fail("queue", err.Error(), "correct source: in the configuration, or make the folder")
	}
	ready, faulty := 0, []string{}
	for _, e := range entries {
		switch e.State {
		case source.Ready:
			ready++
		case source.Faulty:
			faulty = append(faulty, e.Name)
		case source.Held, source.Ignored:
		}
	}
	switch {
	case len(faulty) > 0:
		return warn("queue", fmt.Sprintf("%s can't go out as %s: %s", count(len(faulty), "file", "files"), plural(len(faulty), "it is", "they are"), abridged(faulty)),
			"`morrow queue` says what is wrong with each")
	case made:
		return ok("queue", "a command makes the posts")
	case ready == 0:
		return warn("queue", "nothing is ready in "+where+": the next slot stays empty", "put a post into it; `morrow queue` says why others wait")
	}
	return ok("queue", count(ready, "post is", "posts are")+" ready in "+where)
}
