package main

import (
	"context"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"morrow/internal/journal"
)

func (p *program) notifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "notify",
		Short: "Tell people: send a test message to the addresses of the configuration",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "test",
		Short: "Send each address a test message and say whether it was taken",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.notifyTest(cmd.Context()) },
	})
	return cmd
}

func (p *program) notifyTest(ctx context.Context) error {
	cfg, err := p.load(false)
	if err != nil {
		return err
	}
	failed := false
	for _, f := range cfg.Faults {
		if f.Kind == "notify" {
			p.complain(f.String(), "")
			failed = true
		}
	}
	if len(cfg.Notify) == 0 && !failed {
		return &usageError{msg: "the configuration has no address to tell: no key notify", hint: "docs/notifications.md shows how to write one"}
	}
	for i, err := range newNotifier(cfg, journal.Discard(), p.now, zerolog.Nop()).Test(ctx) {
		if err != nil {
			p.complain("notify address "+cfg.Notify[i].Name+": "+err.Error(), "")
			failed = true
			continue
		}
		p.say("notify address %s: taken; see whether it arrived", cfg.Notify[i].Name)
	}
	if failed {
		p.complain("", "docs/notifications.md shows how the addresses of each service look")
		return codeError(exitFailed)
	}
	return nil
}
