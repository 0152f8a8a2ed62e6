// Package markup reads front matter and Markdown and writes WordPress blocks
// or HTML; it also has the codec of the marker.
package markup

// Warning is something in the text that may not look as its author meant.
type Warning struct {
	Line int
	Msg  string
}

// Image is an image that the Markdown names.
type Image struct {
	Line int
	Dest string // as written, percent-decoding left to the caller
	Alt  string
}

// Images lists the images of a Markdown text, HTML <img> and Obsidian
// embeds included.
func Images(body []byte) []Image { panic("todo") }

// Blocks renders Markdown as WordPress block markup.
func Blocks(body []byte) (string, []Warning, error) { panic("todo") }

// HTML renders Markdown as plain HTML that WordPress's own filters leave alone.
func HTML(body []byte) (string, []Warning, error) { panic("todo") }
