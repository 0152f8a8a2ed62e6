package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			b := readBuild()
			p.say("morrow %s (%s)", b.version, strings.Join(append(b.commit, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH), ", "))
			return nil
		},
	}
}

// build is what the Go toolchain recorded in the program: its version, else
// "devel", and what is known of the commit, which may be nothing.
type build struct {
	version string
	commit  []string
}

func readBuild() build {
	b := build{version: "devel"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		b.version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.commit = append(b.commit, "commit "+s.Value[:min(12, len(s.Value))])
		case s.Key == "vcs.modified" && s.Value == "true":
			b.commit = append(b.commit, "modified")
		}
	}
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
