package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			b := readBuild()
			p.say("morrow %s (commit %s, %s, %s/%s)", b.version, b.commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// build is what the Go toolchain recorded in the program.
type build struct{ version, commit string }

func readBuild() build {
	b := build{version: "unknown", commit: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.version = info.Main.Version
	}
	dirty := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = ", modified"
			}
		}
	}
	b.commit += dirty
	return b
}

// userAgent introduces the program to a site.
func userAgent() string { return "morrow/" + readBuild().version }

// noArguments refuses arguments as a fault of usage.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{
			msg:  fmt.Sprintf("`%s` takes no arguments, got %q", cmd.CommandPath(), args),
			hint: "`" + cmd.CommandPath() + " --help` shows how it is called",
		}
	}
	return nil
}
