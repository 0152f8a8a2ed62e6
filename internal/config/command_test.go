package config

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCommandSource(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		source string
		want   Source // paths relative to the configuration's folder
	}{
		"defaults": {
			"{command: [generate, --daily]}",
			Source{Folder: "spool/daily", Command: []string{"generate", "--daily"}, Timeout: 5 * time.Minute},
		},
		"all keys": {
			"{command: [./bin/generate], timeout: 30s, spool: made, encoding: utf-8}",
			Source{Folder: "made", Command: []string{"bin/generate"}, Timeout: 30 * time.Second},
		},
		"from the environment": {
			"{command: [sh, -c, 'echo ${HOST}']}",
			Source{Folder: "spool/daily", Command: []string{"sh", "-c", "echo blog.example.com"}, Timeout: 5 * time.Minute},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": strings.Replace(good, "{folder: ./queue}", tt.source, 1)})
			dir := filepath.Dir(path)
			cfg, err := Load(path, options())
			if err != nil || len(cfg.Jobs) != 1 {
				t.Fatalf("jobs %+v, faults %v, %v", cfg.Jobs, cfg.Faults, err)
			}
			tt.want.Dir, tt.want.Folder = dir, filepath.Join(dir, filepath.FromSlash(tt.want.Folder))
			if strings.Contains(tt.want.Command[0], "/") {
				tt.want.Command[0] = filepath.Join(dir, filepath.FromSlash(tt.want.Command[0]))
			}
			if diff := cmp.Diff(tt.want, cfg.Jobs[0].Source); diff != "" {
				t.Errorf("source (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommandSourceRefused(t *testing.T) {
	t.Parallel()
	const second = "}\n  - {name: b, site: blog, check: a, publish: b, source: "
	for source, want := range map[string]string{
		"{command: generate}":                                  "c.yaml:12: jobs.daily.source.command: want a list, the program and its arguments, like [generate, --daily]; a line for the shell is [sh, -c, '…']",
		"{command: []}":                                        "c.yaml:12: jobs.daily.source.command: names no command",
		"{command: [a], folder: q}":                            "c.yaml:12: jobs.daily.source: has several of folder, command and drafts; keep one",
		"{}":                                                   "c.yaml:12: jobs.daily.source: has no folder, no command and no drafts",
		"{folder: q, spool: s}":                                "c.yaml:12: jobs.daily.source.spool: belongs to a command; take it out",
		"{folder: q, timeout: 1m}":                             "c.yaml:12: jobs.daily.source.timeout: belongs to a command; take it out",
		"{folder: q, encoding: cp949}":                         "c.yaml:12: jobs.daily.source.encoding: belongs to a command; take it out",
		"{command: [a], encoding: cp94}":                       `c.yaml:12: jobs.daily.source.encoding: there is no encoding "cp94"; want utf-8, utf-16, or a code page like cp949`,
		"{command: [a], timeout: 15m}":                         "c.yaml:12: jobs.daily.source.timeout: 15m leaves a run no time to book: want less than run_timeout, 15m",
		"{command: [a], spool: state/s}\nstate_dir: state":     "c.yaml:12: jobs.daily.source.spool: lies in state_dir, which may be deleted at any moment; what the command printed can't be had again",
		"{folder: q" + second + "{command: [a], spool: q}}":    "c.yaml:13: jobs.b.source: takes its items from the folder of job daily, DIR, which a command fills; give each job its own",
		"{command: [a], spool: q" + second + "{folder: q}}":    "c.yaml:13: jobs.b.source: takes its items from the folder of job daily, DIR, which a command fills; give each job its own",
		"{command: [a], spool: 'q/'" + second + "{folder: q}}": "c.yaml:13: jobs.b.source: takes its items from the folder of job daily, DIR, which a command fills; give each job its own",
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": strings.Replace(good, "{folder: ./queue}", source, 1)})
			want := []string{strings.ReplaceAll(want, "DIR", "q")}
			if diff := cmp.Diff(want, told(t, path, options())); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestB83Charset: what the encodings are called. That they decode is the
// source's test.
func TestB83Charset(t *testing.T) {
	t.Parallel()
	const text = "안녕"
	for name, bytes := range map[string]string{
		"cp949": "\xbe\xc8\xb3\xe7", "CP949": "\xbe\xc8\xb3\xe7", "windows-949": "\xbe\xc8\xb3\xe7", "euc-kr": "\xbe\xc8\xb3\xe7",
		"utf-16": "\xff\xfeH\xc5U\xb1", "UTF-16": "H\xc5U\xb1", "utf-16le": "H\xc5U\xb1", "utf-16be": "\xc5H\xb1U",
	} {
		e, err := charset(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := e.NewDecoder().String(bytes); err != nil || got != text {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"utf-8", "UTF8", "cp65001"} {
		if e, err := charset(name); e != nil || err != nil {
			t.Errorf("%s: got %v, %v, want no decoding", name, e, err)
		}
	}
}
