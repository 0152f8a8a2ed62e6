package compose

import "fmt"

// SuffixError says that WordPress stored another slug than the one sent, with
// a suffix: another post has the slug. Verify returns it when nothing else
// differs.
type SuffixError struct{ Sent, Stored string }

func (e *SuffixError) Error() string {
	return fmt.Sprintf("the slug %q is taken: WordPress stored %q", e.Sent, e.Stored)
}
