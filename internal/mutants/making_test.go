package mutants

// making are the guards of the items that a command makes, and of what is kept
// of a large queue.
func making() []mutant {
	return []mutant{
		{
			guard: "a command makes nothing while anything waits",
			file:  "publish/make.go",
			old:   `|| slices.ContainsFunc(r.entries, r.waits) {`,
			new:   `|| slices.ContainsFunc(r.entries[:0], r.waits) {`,
			by:    []test{{"publish", "TestFailureDoesNotMakeTwice"}},
		},
		{
			guard: "a command makes one item a slot and run",
			file:  "publish/make.go",
			old:   `r.madeFor = s.At`,
			new:   ``,
			by:    []test{{"publish", "TestFailureDoesNotMakeTwice"}},
		},
		{
			guard: "a dry run runs no command",
			file:  "publish/run.go",
			old:   `if q.DryRun && r.maker != nil {`,
			new:   `if q.DryRun && r.maker != nil && q.Run == "" {`,
			by:    []test{{"publish", "TestDryRunMakesNothing"}},
		},
		{
			guard: "a command is killed with all that it started",
			file:  "internal/source/execute_unix.go",
			old:   `syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)`,
			new:   `syscall.Kill(cmd.Process.Pid, syscall.SIGKILL)`,
			by:    []test{{"internal/source", "TestB70DraftCommandIsKilledWithItsChildren"}},
		},
		{
			guard: "a command whose output can't be kept is not run",
			file:  "internal/source/command.go",
			old:   `if err := writeSynced(part, nil); err != nil {`,
			new:   `if err := writeSynced(part, nil); false {`,
			by:    []test{{"internal/source", "TestCommandIsNotRunInVain"}},
		},
		{
			guard: "a command does not learn the site's password",
			file:  "cmd/morrow/wire.go",
			old:   `strings.Contains(tight(variable), text)`,
			new:   `strings.Contains(variable, text)`,
			by:    []test{{"cmd/morrow", "TestWithout"}},
		},
		{
			guard: "a command is not run where done/ can't be made",
			file:  "internal/source/command.go",
			old:   `if err := os.MkdirAll(done, 0o700); err != nil {`,
			new:   `if err := os.MkdirAll(c.dir, 0o700); err != nil {`,
			by:    []test{{"internal/source", "TestCommandIsNotRunInVain"}},
		},
		{
			guard: "what a command printed is written through no link",
			file:  "internal/source/move.go",
			old: `if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)`,
			new: `file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)`,
			by:  []test{{"internal/source", "TestCommandWritesThroughNoLink"}},
		},
		{
			guard: "a text pinned to a day that is over does not block the spool",
			file:  "internal/source/command.go",
			old:   `.of(c.typ).in(slot.Location(), slot)`,
			new:   `.of(c.typ).in(slot.Location(), c.now())`,
			by:    []test{{"internal/source", "TestCommandPinnedToAPastDay"}},
		},
		{
			guard: "a title's number is no order of the spool",
			file:  "internal/source/command.go",
			old:   `dated || wordsOf(name+ext) != name {`,
			new:   `dated {`,
			by:    []test{{"internal/source", "TestCommandNames"}},
		},
		{
			guard: "a title's date is no date of the spool",
			file:  "internal/source/command.go",
			old:   `dated || wordsOf(name+ext) != name {`,
			new:   `dated && name == "" || wordsOf(name+ext) != name {`,
			by:    []test{{"internal/source", "TestCommandNames"}},
		},
		{
			guard: "a folder does not take the place of a command's text",
			file:  "internal/source/command.go",
			old:   `if !isCopy && !used && errors.Is(err, fs.ErrNotExist) {`,
			new:   `if !isCopy && !used {`,
			by:    []test{{"internal/source", "TestCommandNameOfAFolder"}},
		},
		{
			guard: "the text that a command prints again is no new item",
			file:  "internal/source/command.go",
			old:   `if twin := sameAs(dir, text); twin != "" {`,
			new:   `if twin := sameAs(dir, text); twin == dir {`,
			by:    []test{{"internal/source", "TestCommandRepeatsItself"}},
		},
		{
			guard: "a byte that does not fit the encoding makes no item",
			file:  "internal/source/output.go",
			old:   `if err == nil && bytes.Contains(text, []byte(replacement)) {`,
			new:   `if err == nil && bytes.Contains(text[:0], []byte(replacement)) {`,
			by:    []test{{"internal/source", "TestB83OutputEncoding"}},
		},
		{
			guard: "a folder moved to done/ takes no other's place",
			file:  "internal/source/consume.go",
			old:   `if _, err := os.Lstat(path); err == nil {`,
			new:   `if _, err := os.Lstat(path); err == nil && n > 9 {`,
			by:    []test{{"internal/source", "TestArticleNeverTakesOverAFolder"}},
		},
		{
			guard: "a file that is remembered from an earlier process is untouched",
			file:  "internal/source/remember.go",
			old:   `return c.stamp == stampOf(info)`,
			new:   `return c.stamp != stamp{Size: info.Size()}`,
			by:    []test{{"internal/source", "TestMemoryDoesNotOutlastAChange"}},
		},
		{
			guard: "a post that two lists show is one",
			file:  "publish/look.go",
			old:   `if !slices.Contains(types, typ) {`,
			new:   `if typ != "" {`,
			by:    []test{{"publish", "TestTypeNamedTwice"}},
		},
	}
}
