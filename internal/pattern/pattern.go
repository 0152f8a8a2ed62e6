// Package pattern has regular expressions that cost nothing until they are used.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy gives a function that compiles expr when it is first called and gives
// the same one ever after. It serves for package variables: most commands need
// few of them, and regexp.MustCompile would compile each at every start. The
// call panics where expr can't be parsed. It is safe for concurrent use.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
