// Package e2e runs the program as people do, as processes, on real WordPress
// sites of every version under test, and holds it to what it promises: one
// post a slot, whatever is killed, stopped, cut off or answered late.
//
// The chaos tests draw what befalls a run from -chaos.seed, so that every run
// of them tries the same; MORROW_FULL makes them long. What the machine makes
// of it in time differs: a failure prints what happened, call by call.
package e2e
