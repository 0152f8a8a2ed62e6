package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const (
	maxFile   = 2 << 20          // bytes; more takes long to render
	readLimit = 10 * time.Second // for one file, or the folder's list
	maxHangs  = 3                // after which the rest of a list is not read
)

var (
	errHangs    = fmt.Errorf("no answer within %v", readLimit)
	errChanging = errors.New("changing, or not fully downloaded")
	errTooLarge = fmt.Errorf("larger than %d MiB", maxFile>>20)
)

// within calls f, which may hang on a cloud or network folder, and waits for
// it no longer than readLimit. A call that hangs is left behind; until it
// returns, no other one with its name is made.
func within[T any](ctx context.Context, hung map[string]chan struct{}, name string, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	if left, ok := hung[name]; ok {
		select {
		case <-left:
		default:
			return none, errHangs
		}
	}
	answer, returned := make(chan result, 1), make(chan struct{})
	go func() {
		defer close(returned)
		value, err := f()
		answer <- result{value, err}
	}()
	timer := time.NewTimer(readLimit)
	defer timer.Stop()
	select {
	case r := <-answer:
		return r.value, r.err
	case <-ctx.Done():
		hung[name] = returned
		return none, ctx.Err()
	case <-timer.C:
		hung[name] = returned
		return none, errHangs
	}
}

// readFile reads the file that was listed as want. It must look the same
// before and after, and have the size that it claims.
func readFile(path string, want fs.FileInfo) ([]byte, error) {
	if want.Size() > maxFile {
		return nil, errTooLarge
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	now, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !unchanged(want, now) || int64(len(data)) != want.Size() {
		return nil, errChanging
	}
	return data, nil
}

// unchanged: the same file with the same size and time.
func unchanged(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}
