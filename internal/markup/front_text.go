package markup

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns a file's text as UTF-8 without byte order mark, lines ending
// in \n.
func decode(data []byte) ([]byte, error) {
	var err error
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		data, err = decodeUTF16(data, binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		data, err = decodeUTF16(data, binary.BigEndian)
	}
	if err != nil {
		return nil, err
	}
	for bytes.HasPrefix(data, []byte("\ufeff")) {
		data = data[len("\ufeff"):]
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	return data, checkText(data)
}

func decodeUTF16(data []byte, order binary.ByteOrder) ([]byte, error) {
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		r, n := rune16(data, order)
		if n == 0 {
			return nil, faultAt(fileLine(out, len(out)), "broken UTF-16; save the file as UTF-8")
		}
		out, data = utf8.AppendRune(out, r), data[n:]
	}
	return out, nil
}

// rune16 reads one character; n is 0 for half a character.
func rune16(data []byte, order binary.ByteOrder) (r rune, n int) {
	if len(data) < 2 {
		return 0, 0
	}
	r = rune(order.Uint16(data))
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(data) < 4 {
		return 0, 0
	}
	if r = utf16.DecodeRune(r, rune(order.Uint16(data[2:]))); r == utf8.RuneError {
		return 0, 0
	}
	return r, 4
}

// checkText refuses what is no text.
func checkText(data []byte) error {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return faultAt(fileLine(data, i), "holds NUL bytes (UTF-16 without a byte order mark?); save the file as UTF-8")
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return faultAt(fileLine(data, i), "not UTF-8 text; save the file as UTF-8")
		}
		i += n
	}
	return nil
}

// fileLine is the 1-based line that offset lies on.
func fileLine(text []byte, offset int) int {
	return 1 + bytes.Count(text[:offset], []byte("\n"))
}
