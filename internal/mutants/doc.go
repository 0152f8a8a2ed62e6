// Package mutants shows that each guard of Morrow is watched by a test.
//
// A guard is a line that keeps a promise: that no slot gets two posts, that
// what is not known never books, that a person's post is left alone. Its test
// here takes the guards out one by one, each by an overlay of one file for the
// compiler, and wants the tests that are named beside it to go red. Nothing in
// the product changes for it.
//
// The package has only tests.
package mutants
