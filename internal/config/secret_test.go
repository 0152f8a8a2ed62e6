package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

func TestSecretNeverPrints(t *testing.T) {
	t.Parallel()
	const text = "hush hush"
	site := Site{Name: "blog", password: NewSecret(text)}
	cfg := &Config{Sites: []Site{site}}
	asJSON, err := json.Marshal(map[string]any{"secret": site.password, "site": site})
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := yaml.Marshal(site.password)
	if err != nil {
		t.Fatal(err)
	}
	printed := []string{string(asJSON), string(asYAML)}
	for _, v := range []any{site.password, &site.password, site, &site, cfg, *cfg} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			printed = append(printed, fmt.Sprintf(verb, v))
		}
	}
	out := strings.Join(printed, "\n")
	if strings.Contains(out, text) || strings.Contains(out, fmt.Sprintf("%x", text)) {
		t.Errorf("the secret is told in %s", out)
	}
	if got := site.password.Reveal(); got != text {
		t.Errorf("Reveal() = %q, want %q", got, text)
	}
}

func TestSiteSecret(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are a Unix shell's")
	}
	file := func(text string) Site {
		path := filepath.Join(t.TempDir(), "pw")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Site{Name: "blog", passwordFile: path}
	}
	command := func(line string) Site { return Site{Name: "blog", passwordCommand: shell(line)} }
	keyring := func(text string, err error) Site {
		return Site{Name: "blog", URL: "https://Blog.example.com/", User: "editor", passwordKeyring: func(account string) (string, error) {
			if account != "editor@blog.example.com" {
				return "", fmt.Errorf("account %q", account)
			}
			return text, err
		}}
	}
	tests := map[string]struct {
		site Site
		want string
		err  string
	}{
		"literal":                    {site: Site{password: NewSecret("a b")}, want: "a b"},
		"file":                       {site: file("a b c\r\n"), want: "a b c"},
		"file with BOM":              {site: file("\ufeffabc\n"), want: "abc"},
		"empty file":                 {site: file("\n"), err: "site blog: password_file gave nothing"},
		"file in UTF-16":             {site: file("\xff\xfea\x00b\x00"), err: "site blog: password_file gave no single line of UTF-8 text"},
		"two lines":                  {site: file("a\nb\n"), err: "site blog: password_file gave no single line of UTF-8 text"},
		"huge file":                  {site: file(strings.Repeat("a", 5000)), err: "site blog: password_file gave more than 4096 bytes; want one line, the secret alone"},
		"missing file":               {site: Site{Name: "blog", passwordFile: "/nowhere/pw"}, err: "site blog: read password_file: no such file or directory; put the application password into that file, or correct password_file"},
		"keyring":                    {site: keyring("a b c", nil), want: "a b c"},
		"keyring that is locked":     {site: keyring("", errors.New("locked")), err: "site blog: read password_keyring: locked; a keyring is open to its owner alone, while logged in: for a service use password_file"},
		"empty keyring":              {site: keyring("", nil), err: "site blog: password_keyring gave nothing"},
		"command":                    {site: command("echo a b"), want: "a b"},
		"command without shell":      {site: Site{passwordCommand: []string{"echo", "$HOME"}}, want: "$HOME"},
		"command that fails":         {site: command("echo hush; echo hush >&2; exit 3"), err: "site blog: run password_command: exit status 3; run it by hand to see why"},
		"command that is not there":  {site: Site{Name: "blog", passwordCommand: []string{"no-such-command"}}, err: `site blog: run password_command: the program that it names can't be started: executable file not found in $PATH`},
		"command that is no program": {site: Site{Name: "blog", passwordCommand: []string{"/"}}, err: "site blog: run password_command: the program that it names can't be started: is a directory"},
		"command that asks on stdin": {site: command("read x; echo got $x"), want: "got"},
		"command that says far too much": {
			site: command("head -c 100000 /dev/zero | tr '\\0' a"),
			err:  "site blog: password_command gave more than 4096 bytes; want one line, the secret alone",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.site.Secret(t.Context())
			if fmt.Sprint(err) != tt.err && (err != nil || tt.err != "") {
				t.Fatalf("error = %v, want %q", err, tt.err)
			}
			if got.Reveal() != tt.want {
				t.Errorf("secret = %q, want %q", got.Reveal(), tt.want)
			}
		})
	}
}

// TestB70PasswordCommandLeavesAChild: a background child that keeps the pipe
// open must not hold a run.
// What stands in the value of a password key is never told, however it is
// mistyped.
func TestMistypedPasswordIsNotTold(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"password: *Qz7k", "password: *Qz7k Xw9v", "password: ${Qz7kXw9v}", "password: ${Qz7k-Xw9v}", "password: @Qz7k", "password: |Qz7k",
		"password: !<Qz7k", "password: Qz7k: Xw9v", "password: [Qz7k", "password: {Qz7k: Xw9v}", "password: 'Qz7k' Xw9v", "password: &Qz7k",
		"password: x\n    Qz7k Xw9v Qz7k: x", "password: x\n    Qz7k: x", "api: x\n    Qz7k Xw9v Qz7k: x", "api: x\n    Qz7kXw9vQz7kXw9vQz==: x",
		"api: x\n    Qz7k-" + strings.Repeat("Xw9v-", 10) + ": x", "password_command: [Qz7k]", "password_command: /Qz7k", "password_file: Qz7k Xw9v",
	} {
		path := write(t, map[string]string{"c.yaml": strings.Replace(good, "password: ${PW}", line, 1)})
		cfg, err := Load(path, options())
		if err == nil {
			err = cfg.Err()
		}
		if err == nil {
			_, err = cfg.Sites[0].Secret(t.Context())
		}
		if err == nil {
			t.Errorf("%q is taken for sound", line)
		} else if said := err.Error(); strings.Contains(said, "Qz7k") || strings.Contains(said, "Xw9v") {
			t.Errorf("%q: told: %s", line, said)
		}
	}
	const text = "sites: [{name: a, url: https://a.example, user: u, password: Qz7k, Xw9v}]\njobs: []\n"
	cfg, err := Load(write(t, map[string]string{"c.yaml": text}), options())
	if err == nil {
		err = cfg.Err()
	}
	if err == nil || strings.Contains(err.Error(), "Xw9v") {
		t.Errorf("in brackets: error %v", err)
	}
}

func TestB70PasswordCommandLeavesAChild(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the command is a Unix shell's")
	}
	started := time.Now()
	got, err := Site{passwordCommand: shell("sleep 20 & echo abc")}.Secret(t.Context())
	if err != nil || got.Reveal() != "abc" {
		t.Errorf("secret = %q, %v; want what the command itself printed", got.Reveal(), err)
	}
	if took := time.Since(started); took > 15*time.Second {
		t.Errorf("took %v: waited for the child", took)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	for _, path := range []string{a, b} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct{ flag, variable, want, err string }{
		"flag before variable": {flag: a, variable: b, want: a},
		"variable":             {variable: b, want: b},
		"flag that is missing": {flag: filepath.Join(dir, "c"), err: "named by --config"},
		"variable of nothing":  {variable: filepath.Join(dir, "c"), err: "named by MORROW_CONFIG"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Find(tt.flag, environment(map[string]string{PathVariable: tt.variable}))
			if got != tt.want || !strings.Contains(fmt.Sprint(err), tt.err) {
				t.Errorf("Find = %q, %v; want %q, error with %q", got, err, tt.want, tt.err)
			}
		})
	}
}

// TestFindNeverLooksInTheCurrentFolder stands in a folder with a file of the
// right name.
func TestFindNeverLooksInTheCurrentFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the variables are Unix's")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "user"))
	t.Setenv("HOME", filepath.Join(dir, "home"))
	if err := os.WriteFile("config.yaml", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Find("", environment(nil))
	var none *NotFoundError
	if !errors.As(err, &none) || len(none.Looked) != 2 || none.Looked[1] != "/etc/morrow/config.yaml" {
		t.Errorf("error = %v, want one that names the user's and the system's file", err)
	}
}
