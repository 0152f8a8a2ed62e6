package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// asker asks a person in plain lines, which every terminal, pipe and screen
// reader takes.
type asker struct {
	in  *bufio.Reader
	out io.Writer
	// terminal is the terminal at which the person sits; nil for a pipe.
	terminal *os.File
}

func newAsker(in io.Reader, out io.Writer) *asker {
	a := &asker{in: bufio.NewReader(in), out: out}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		a.terminal = f
	}
	return a
}

// prompt asks for a line; an empty one means what stands in brackets.
func (a *asker) prompt(ctx context.Context, question, usual string) (string, error) {
	text := question
	if usual != "" {
		text += " [" + usual + "]"
	}
	_, _ = fmt.Fprint(a.out, text+": ")
	line, err := awaited(ctx, a.line)
	if line == "" {
		line = usual
	}
	return line, err
}

// confirm asks for yes or no.
func (a *asker) confirm(ctx context.Context, question string, usual bool) (bool, error) {
	hint := "y/N"
	if usual {
		hint = "Y/n"
	}
	for {
		_, _ = fmt.Fprint(a.out, question+" ["+hint+"] ")
		line, err := awaited(ctx, a.line)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(line) {
		case "":
			return usual, nil
		case "y", "yes", "j", "ja", "예", "네":
			return true, nil
		case "n", "no", "nein", "아니오", "아니요":
			return false, nil
		}
		_, _ = fmt.Fprintln(a.out, "Please answer y or n.")
	}
}

// choose asks for one of several ways, counted from 1; usual is the first.
func (a *asker) choose(ctx context.Context, question string, ways ...string) (int, error) {
	_, _ = fmt.Fprintln(a.out, question)
	for i, way := range ways {
		_, _ = fmt.Fprintf(a.out, "  %d  %s\n", i+1, way)
	}
	for {
		line, err := a.prompt(ctx, "Which", "1")
		if err != nil {
			return 0, err
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(ways) {
			return n, nil
		}
		_, _ = fmt.Fprintf(a.out, "Please give a number from 1 to %d.\n", len(ways))
	}
}

// secret asks for a text that does not appear on a terminal.
func (a *asker) secret(ctx context.Context, question string) (string, error) {
	if a.terminal == nil {
		return a.prompt(ctx, question, "")
	}
	// Before the question is seen: what is typed at once must not show either.
	fd := int(a.terminal.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", fmt.Errorf("hide what is typed: %w", err)
	}
	defer func() { _ = term.Restore(fd, before) }()
	raw := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{a.terminal, a.out}, "")
	text, err := awaited(ctx, func() (string, error) { return raw.ReadPassword(question + ": ") })
	if errors.Is(err, io.EOF) { // Ctrl-C makes no signal here
		err = fmt.Errorf("stopped: %w", context.Canceled)
	}
	return strings.TrimSpace(text), err
}

// line reads a line without blanks around it; the last one may lack its end.
func (a *asker) line() (string, error) {
	line, err := a.in.ReadString('\n')
	if line != "" && errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimSpace(line), ended(err)
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return &usageError{msg: "the answers ended before the questions", hint: "every answer can be a flag too: `morrow init --help`"}
	}
	return err
}

// awaited gives up waiting for a person when the context ends.
func awaited(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := read()
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return "", fmt.Errorf("stopped: %w", ctx.Err())
	}
}
