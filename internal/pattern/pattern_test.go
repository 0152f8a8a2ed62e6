package pattern_test

import (
	"testing"

	"morrow/internal/pattern"
)

func TestLazyCompilesOnceAndLate(t *testing.T) {
	t.Parallel()
	digits := pattern.Lazy(`^\d+$`)
	first := digits()
	if !first.MatchString("42") || first.MatchString("4x") {
		t.Error("the pattern matches something else")
	}
	if digits() != first {
		t.Error("it was compiled twice")
	}
	faulty := pattern.Lazy(`(`) // no panic before it is used
	defer func() {
		if recover() == nil {
			t.Error("a faulty pattern went unnoticed")
		}
	}()
	faulty()
}
