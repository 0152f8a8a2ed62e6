package markup

// Value is one front-matter value with its text as written.
type Value struct {
	Key  string // as written
	Line int    // 1-based line in the file
	// Text is a scalar as written (quotes removed); List the texts of a list.
	Text   string
	List   []string
	IsList bool
	Null   bool
	// Map holds the values of a mapping, in order.
	Map []Value
}

// Front is a file's front matter, in the order written, and its format.
type Front struct {
	Format string // "yaml", "toml", "json" or "" for none
	Values []Value
}

// Lookup finds a key, case-insensitively.
func (f Front) Lookup(key string) (Value, bool) { panic("todo") }

// FrontError is a fault in the front matter.
type FrontError struct {
	Line int
	Msg  string
}

func (e *FrontError) Error() string { panic("todo") }

// Split parts a file into front matter and body. A BOM is dropped, UTF-16
// converted, CRLF read as LF; bodyLine is the body's first line, 1-based.
func Split(data []byte) (front Front, body []byte, bodyLine int, err error) { panic("todo") }
