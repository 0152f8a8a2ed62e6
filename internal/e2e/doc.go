// Package e2e runs the program as people do, as processes, on real WordPress
// sites of every version under test, and holds it to what it promises: one
// post a slot, whatever is killed, stopped, cut off or answered late.
package e2e
