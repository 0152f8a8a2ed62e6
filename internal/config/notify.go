package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// hidden is a secret that stands in the configuration, or in a file that is
// read when the secret is asked for.
type hidden struct {
	text Secret
	file string
}

// read gives the secret, empty if there is none. The error names key, the key
// of the configuration.
func (h hidden) read(key string) (Secret, error) {
	if h.file == "" {
		return h.text, nil
	}
	raw, err := readSecret(h.file)
	if err != nil {
		// Without its path: the secret may stand there by mistake.
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err
		}
		return Secret{}, fmt.Errorf("read %s: %w", key, err)
	}
	return oneLine(key, raw)
}

// Address is where people, or the machines that watch for them, are told. Who
// knows it can use it, so that it is a secret itself.
type Address struct {
	AllowHTTP bool // unencrypted to another machine
	hidden    hidden
}

// IsSet says whether there is an address.
func (a Address) IsSet() bool { return a.hidden.file != "" || a.hidden.text.reveal != nil }

// Secret gives the address. It reads address_file only now, and each time.
func (a Address) Secret() (Secret, error) { return a.hidden.read("address_file") }

// Notify is one address that is told what happens.
type Notify struct {
	Name    string   // its place in the list, like "#1"
	Events  []string // the kinds that it is told of; empty for all
	Address Address

	key hidden
}

// Key gives the key that a webhook signs its messages with, empty if there is
// none.
func (n Notify) Key() (Secret, error) { return n.key.read("key_file") }

// notify reads the list of addresses, or a single one. A faulty one stops only
// itself: nobody's booking waits for it.
func (l *loader) notify(r *reader, list *yaml.Node) {
	if list == nil {
		return
	}
	items := []*yaml.Node{list}
	if n := resolve(list); n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	for i, n := range items {
		sub, one := r.child(), Notify{Name: "#" + strconv.Itoa(i+1)}
		path := "notify." + one.Name
		known := sub.addressFields(&one.Address)
		known["key"] = sub.hidden("the key", func(s Secret) { one.key = hidden{text: s} })
		known["key_file"] = sub.hiddenFile("the key", func(file string) { one.key = hidden{file: file} })
		known["events"] = sub.events(&one.Events, l.opt.Events)
		seen := sub.address(n, path, known)
		if seen.count("key", "key_file") > 1 {
			sub.fail(seen.at("key_file"), path, "has key and key_file; keep one")
		}
		l.check(sub, n.Line, path, one)
		if len(sub.problems) > 0 {
			l.fault("notify", one.Name, sub.problems)
			continue
		}
		l.cfg.Notify = append(l.cfg.Notify, one)
	}
}

// check lets the caller check an address that is known already.
func (l *loader) check(r *reader, line int, path string, n Notify) {
	address := n.Address.hidden.text.Reveal()
	if len(r.problems) > 0 || l.opt.Address == nil || address == "" || n.key.file != "" {
		return
	}
	if err := l.opt.Address(address, n.key.text.Reveal(), n.Address.AllowHTTP); err != nil {
		r.fail(line, path, "%s", err)
	}
}

// ping reads the address of a job's dead man's switch.
func (r *reader) ping(dst *Address, check func(address string, allowHTTP bool) error) setter {
	return func(n *yaml.Node, path string) {
		*dst = Address{}
		before := len(r.problems)
		r.address(n, path, r.addressFields(dst))
		address := dst.hidden.text.Reveal()
		if len(r.problems) > before || check == nil || address == "" {
			return
		}
		if err := check(address, dst.AllowHTTP); err != nil {
			r.fail(n.Line, path, "%s", err)
		}
	}
}

// addressFields are the keys of an address.
func (r *reader) addressFields(dst *Address) fields {
	return fields{
		"address":      r.hidden("the address", func(s Secret) { dst.hidden = hidden{text: s} }),
		"address_file": r.hiddenFile("the address", func(file string) { dst.hidden = hidden{file: file} }),
		"allow_http":   r.boolean(&dst.AllowHTTP),
	}
}

// address reads an address that stands alone, or with other keys.
func (r *reader) address(n *yaml.Node, path string, known fields) lines {
	if resolve(n).Kind == yaml.ScalarNode {
		known["address"](n, path)
		return lines{"": n.Line}
	}
	before := len(r.problems)
	seen := r.mapping(n, path, known)
	switch {
	case len(r.problems) > before: // what lacks may be what is wrong
	case seen.count("address", "address_file") > 1:
		r.fail(seen.at("address_file"), path, "has address and address_file; keep one")
	case seen.count("address", "address_file") == 0:
		r.misshapen(n.Line, path, "has no address and no address_file")
	}
	return seen
}

// events reads kinds of events. What is written is not repeated: it may be an
// address in a wrong place.
func (r *reader) events(dst *[]string, known []string) setter {
	return r.each(func() { *dst = nil }, func(s string) error {
		for _, k := range known {
			if s == k {
				*dst = append(*dst, s)
				return nil
			}
		}
		return errors.New("names an event that does not exist" + suggest(s, known))
	})
}

// hidden reads a secret that is written out or comes from the environment; what
// names it for people.
func (r *reader) hidden(what string, set func(Secret)) setter {
	return func(n *yaml.Node, path string) {
		text := ""
		if literal(n) || !r.secretless {
			var ok bool
			if text, ok = r.scalar(n, path); !ok {
				return
			}
		}
		set(NewSecret(text))
		if literal(n) && openToOthers(r.file) {
			r.warn(fmt.Sprintf("%s:%d: %s: other users can read %s in this file; make it private (chmod 600) or use the key that ends in _file", r.file, n.Line, path, what))
		}
	}
}

// hiddenFile reads the path of the file that holds a secret.
func (r *reader) hiddenFile(what string, set func(file string)) setter {
	return func(n *yaml.Node, path string) {
		text, ok := r.scalar(n, path)
		if !ok {
			return
		}
		file := r.absolute(text)
		set(file)
		if openToOthers(file) {
			r.warn(fmt.Sprintf("%s:%d: %s: other users can read %s in %s; make it private (chmod 600)", r.file, n.Line, path, what, file))
		}
	}
}
