package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// telling are options of a caller that knows two kinds of events, and addresses
// that begin with the word good.
func telling() Options {
	o := options()
	env := o.Env
	o.Env = func(name string) (string, bool) {
		if name == "TO" {
			return "good://hush", true
		}
		return env(name)
	}
	o.Events = []string{"booked", "failed"}
	good := func(address string) error {
		if !strings.HasPrefix(address, "good:") {
			return errors.New("is not good")
		}
		return nil
	}
	o.Address = func(address, key string, allowHTTP bool) error {
		if key == "weak" && !allowHTTP {
			return errors.New("has a weak key")
		}
		return good(address)
	}
	o.Ping = func(address string, _ bool) error { return good(address) }
	return o
}

// TestNotify reads addresses in all their forms.
func TestNotify(t *testing.T) {
	t.Parallel()
	path := write(t, map[string]string{"c.yaml": strings.Replace(good, "source:", "ping: good://p\n    source:", 1) + `
  - {name: other, site: blog, check: "0 21 * * *", publish: "0 9 * * *", source: {folder: q}, ping: {address_file: to, allow_http: true}}
notify:
  - good://plain
  - ${TO}
  - {address_file: to, events: failed}
  - {address: "good://x", key: weak, allow_http: true, events: [booked, failed]}
  - {address: "good://y", key_file: to}
`, "to": "good://fromfile\n"})
	cfg, err := Load(path, telling())
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.Err(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range cfg.Notify {
		address, errAddress := n.Address.Secret()
		key, errKey := n.Key()
		if errAddress != nil || errKey != nil {
			t.Fatal(errAddress, errKey)
		}
		got = append(got, fmt.Sprintf("%s %s %q %v %v", n.Name, address.Reveal(), key.Reveal(), n.Address.AllowHTTP, n.Events))
		if text := fmt.Sprintf("%v %+v %#v", n, n, n); strings.Contains(text, "good://") || strings.Contains(text, "weak") {
			t.Errorf("prints as %s", text)
		}
	}
	want := []string{
		`#1 good://plain "" false []`, `#2 good://hush "" false []`, `#3 good://fromfile "" false [failed]`,
		`#4 good://x "weak" true [booked failed]`, `#5 good://y "good://fromfile" false []`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var known []string
	for _, s := range cfg.Secrets() {
		known = append(known, s.Reveal())
	}
	if diff := cmp.Diff([]string{"abcd efgh", "good://plain", "good://hush", "good://x", "weak", "good://y", "good://p"}, known); diff != "" {
		t.Errorf("known secrets (-want +got):\n%s", diff)
	}
	for i, want := range []string{"good://p", "good://fromfile"} {
		ping, err := cfg.Jobs[i].Ping.Secret()
		if err != nil || !cfg.Jobs[i].Ping.IsSet() || ping.Reveal() != want || cfg.Jobs[i].Ping.AllowHTTP != (i == 1) {
			t.Errorf("ping %q, %v", ping.Reveal(), err)
		}
	}
}

// TestOneAddress may stand without a list, and a default ping is every job's.
func TestOneAddress(t *testing.T) {
	t.Parallel()
	path := write(t, map[string]string{"c.yaml": good + "notify: good://one\ndefaults: {job: {ping: good://all}}\n"})
	cfg, err := Load(path, telling())
	if err != nil {
		t.Fatal(err)
	}
	ping, err := cfg.Jobs[0].Ping.Secret()
	if len(cfg.Notify) != 1 || err != nil || ping.Reveal() != "good://all" {
		t.Errorf("%d addresses, ping %q, %v", len(cfg.Notify), ping.Reveal(), err)
	}
}

// TestNotifyFaults: a faulty address stops only itself, and no message repeats
// what may be one.
func TestNotifyFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{}": "notify.#1: has no address and no address_file",
		"{address: good://s3cret, address_file: f}": "notify.#1: has address and address_file; keep one",
		"{address: good://x, key: k, key_file: f}":  "notify.#1: has key and key_file; keep one",
		"bad://s3cret":                               "notify.#1: is not good",
		"{address: good://x, key: weak}":             "notify.#1: has a weak key",
		"{address: good://x, events: good://s3cret}": "notify.#1.events: names an event that does not exist; known here: booked, failed",
		"{address: good://x, events: faild}":         `notify.#1.events: names an event that does not exist; did you mean "failed"?`,
		"{good://s3cret}":                            "notify.#1: has an unknown key that looks like a part of a password or of an address; put that in 'single quotes'",
		"{addresss: good://s3cret}":                  `notify.#1.addresss: unknown key; did you mean "address"?`,
		"${NOTSET}":                                  "notify.#1: environment variable NOTSET is not set",
		"[[a]]":                                      "notify.#1: want keys and values, got a list",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": good + "notify:\n  - " + text + "\n  - good://sound\n"})
			cfg, err := Load(path, telling())
			if err != nil {
				t.Fatal(err)
			}
			if len(cfg.Jobs) != 1 || len(cfg.Notify) != 1 || cfg.Notify[0].Name != "#2" {
				t.Errorf("%d jobs and %+v, want one and #2", len(cfg.Jobs), cfg.Notify)
			}
			got := strings.Join(told(t, path, telling()), "\n")
			if !strings.Contains(got, want) || strings.Contains(got, "s3cret") {
				t.Errorf("told %q, want %q", got, want)
			}
		})
	}
	t.Run("ping", func(t *testing.T) {
		t.Parallel()
		path := write(t, map[string]string{"c.yaml": strings.Replace(good, "source:", "ping: bad://s3cret\n    source:", 1)})
		if diff := cmp.Diff([]string{"c.yaml:12: jobs.daily.ping: is not good"}, told(t, path, telling())); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestSecretlessNotify: a command that tells nobody anything needs no address
// from the environment.
func TestSecretlessNotify(t *testing.T) {
	t.Parallel()
	o := telling()
	o.Secretless = true
	path := write(t, map[string]string{"c.yaml": strings.Replace(good, "source:", "ping: ${NOTSET}\n    source:", 1) + "notify: ${NOTSET}\n"})
	cfg, err := Load(path, o)
	if err != nil || cfg.Err() != nil {
		t.Errorf("%v, %v", err, cfg.Err())
	}
}

// TestAddressFile: what is wrong with it is told without its path, where the
// address may stand by mistake, and that others can read it is warned of.
func TestAddressFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes are Unix's")
	}
	path := write(t, map[string]string{"c.yaml": good + "notify: [{address_file: good:hush}, {address_file: two}]\n", "two": "a\nb\n"})
	cfg, err := Load(path, telling())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"read address_file: no such file or directory", "address_file gave no single line of UTF-8 text"} {
		if _, err := cfg.Notify[i].Address.Secret(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := os.Chmod(filepath.Join(filepath.Dir(path), "two"), 0o644); err != nil {
		t.Fatal(err)
	}
	if cfg, err = Load(path, telling()); err != nil || len(cfg.Warnings) != 1 || !strings.Contains(cfg.Warnings[0], "other users can read the address in") {
		t.Errorf("%v, warnings %q", err, cfg.Warnings)
	}
}
