package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one fault in a file, with its place.
type Problem struct {
	File string
	Line int    // 0 when the file as a whole is meant
	Key  string // the path of the key, like "defaults.job.lead"; may be empty
	Msg  string // what is wrong and what to do
	Hint string // what else helps; may be empty

	follows bool // from another problem, and goes with it
}

func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Msg)
	return b.String()
}

// Error is a configuration that can't be used at all. It lists every problem
// of the configuration, those of single sites and jobs included.
type Error struct{ Problems []Problem }

func (e *Error) Error() string { return list(e.Problems) }

// Fault is one site, job, address or included file that can't be used while the rest
// of the configuration can.
type Fault struct {
	Kind     string // "site", "job", "notify" or "include"
	Name     string
	Problems []Problem
}

func (f Fault) String() string { return f.Kind + " " + f.Name + ": " + list(f.Problems) }

// Err is the fault as an error.
func (f Fault) Err() error { return &Error{Problems: f.Problems} }

// Err is all that keeps sites and jobs out of use, as one error; nil if nothing
// does.
func (c *Config) Err() error {
	if len(c.Faults) == 0 {
		return nil
	}
	return &Error{Problems: causes(c.Faults)}
}

// causes are the problems of faults without those that only follow from
// others.
func causes(faults []Fault) []Problem {
	var out []Problem
	for _, f := range faults {
		for _, p := range f.Problems {
			if !p.follows {
				out = append(out, p)
			}
		}
	}
	return out
}

func list(ps []Problem) string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.String()
	}
	return strings.Join(out, "\n")
}

func sortProblems(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// Nearest is the word among known that a person most likely meant by got, or
// "" when none is close.
func Nearest(got string, known []string) string {
	best, dist := "", max(1, len(got)/3)
	for _, k := range known {
		if d := distance(strings.ToLower(got), strings.ToLower(k)); d < dist || best == "" && d == dist {
			best, dist = k, d
		}
	}
	return best
}

// distance is the edit distance of two words, an exchange of neighbours
// counting as one edit.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	var before []int
	prev := make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range s {
		row := make([]int, len(t)+1)
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(prev[j+1]+1, row[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(t)]
}
