// Package source finds the items that are to be posted.
package source

import (
	"time"

	"morrow/wpclient"
)

// Item is one piece of content, ready to be composed. Whoever gets one only
// reads it: its slices are shared with the source.
type Item struct {
	// Key is the item's identity: it survives editing the text and changing
	// the order prefix. Name is what people are shown (the file's name).
	Key, Name string
	Title     string // plain text
	Slug      string // as wished, not yet cleaned as WordPress cleans it
	Excerpt   string
	Body      []byte // Markdown, or HTML for an .html file
	HTML      bool
	BodyLine  int // the file's line that Body begins on, 1-based
	// Root is the folder below which the item's own files lie, such as its
	// pictures, and Dir where addresses in the text start from, relative to
	// it, with slashes. Root is empty where an item has no files.
	Root, Dir  string
	Featured   Featured
	Categories []string
	Tags       []string
	Author     string // a login or name; empty for the account in use
	Settings
	PublishOn string // YYYY-MM-DD: only that day's slot; empty for any
	// NotBefore: no slot before this instant. Zero or past is no obstacle.
	NotBefore time.Time
	Warnings  []string
	// Post is the draft on the site that the item is; its ID is 0 for a file.
	Post wpclient.Post
}

// State of an entry.
type State string

// States of an entry.
const (
	Ready   State = "ready"
	Held    State = "held"    // an item that may not go out now (draft sign, too young, …)
	Faulty  State = "faulty"  // an item that can't go out before someone mends it
	Ignored State = "ignored" // not an item
)

// Entry is one thing found in the source, with its fate.
type Entry struct {
	Name   string
	State  State
	Reason string // why it is not ready; what to do
	// Wait is how long a Held entry has yet to be left alone; 0 when it is held
	// for something else.
	Wait time.Duration
	Item *Item // set when Ready
}
