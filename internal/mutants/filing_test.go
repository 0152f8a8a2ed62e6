package mutants

// filing are the guards of the lock's files and of the author's.
func filing() []mutant {
	return []mutant{
		{
			guard: "Consume never over another file",
			file:  "internal/source/consume.go",
			old:   `os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600`,
			new:   `os.O_CREATE|os.O_WRONLY, 0o600`,
			by:    []test{{"internal/source", "TestConsumeNeverOverwrites"}},
		},
		{
			guard: "Restore never over another file",
			file:  "internal/source/restore.go",
			old:   `dst, err := reserve(root, b.name, func(string) bool { return false })`,
			new:   `dst, err := filepath.Join(root, b.name), error(nil)`,
			by:    []test{{"internal/source", "TestRestore"}},
		},
		{
			guard: "Restore takes over no empty file of a person",
			file:  "internal/source/restore.go",
			old:   `dst, err := reserve(root, b.name, func(string) bool { return false })`,
			new:   `dst, err := reserve(root, b.name, isEmpty)`,
			by:    []test{{"internal/source", "TestRestoreNeverTakesOverAnEmptyFile"}},
		},
		{
			guard: "Restore of just the item meant",
			file:  "internal/source/restore.go",
			old:   `if !p.isItem() || !same(p.item) {`,
			new:   `if !p.isItem() {`,
			by:    []test{{"internal/source", "TestRestoreOfOneNameUsedAgain"}},
		},
		{
			guard: "a file that is in done/ already is done with",
			file:  "internal/source/consume.go",
			old:   `if errors.Is(err, fs.ErrNotExist) && inDone(done, name, filepath.Ext(name)) {`,
			new:   `if errors.Is(err, fs.ErrExist) && inDone(done, name, filepath.Ext(name)) {`,
			by:    []test{{"internal/source", "TestConsumeOfAFileThatIsGone"}},
		},
		{
			guard: "a file edited after it was booked is told of",
			file:  "internal/source/consume.go",
			old:   `if changed {`,
			new:   `if changed && moved == "" {`,
			by:    []test{{"internal/source", "TestB69EditedAfterReading"}},
		},
		{
			guard: "a young file is held",
			file:  "internal/source/folder.go",
			old:   `case age < f.minAge:`,
			new:   `case age < f.minAge && age < 0:`,
			by:    []test{{"internal/source", "TestB66HalfWritten"}},
		},
		{
			guard: "a file from the future is held",
			file:  "internal/source/folder.go",
			old:   `case age < 0:`,
			new:   `case age < -1<<62:`,
			by:    []test{{"internal/source", "TestB66HalfWritten"}},
		},
		{
			guard: "a second file of one slug is faulty",
			file:  "internal/source/folder.go",
			old:   `if first, ok := t.slugs[slug]; ok {`,
			new:   `if first, ok := t.slugs[slug]; ok && first == "" {`,
			by:    []test{{"internal/source", "TestSecondOfOneIdentity"}},
		},
		{
			guard: "one file under two names is one item",
			file:  "internal/source/list.go",
			old:   `c.info, c.reason = nil, "the same file as "+first`,
			new:   ``,
			by:    []test{{"internal/source", "TestB82Links"}},
		},
		{
			guard: "the lock excludes",
			file:  "lock/file.go",
			old:   `return nil, nil //nolint:nilnil // contention is neither a lock nor an error`,
			new:   `return f, nil`,
			by:    []test{{"lock", "TestAcquireExcludes"}},
		},
		{
			guard: "a lock on a deleted file is none",
			file:  "lock/file.go",
			old:   `return os.SameFile(opened, named), nil`,
			new:   `return opened.Size() == named.Size(), nil`,
			by:    []test{{"lock", "TestB77DeletedFileIsNotNamed"}},
		},
		{
			guard: "spellings of a site share a lock",
			file:  "lock/site.go",
			old:   `host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))`,
			new:   `host := u.Hostname()`,
			by:    []test{{"lock", "TestSiteKey"}},
		},
		{
			guard: "no lock in a synced folder",
			file:  "lock/folder.go",
			old:   `for _, p := range []string{dir, resolved} {`,
			new:   `for _, p := range []string{} {`,
			by:    []test{{"lock", "TestB76FolderRefused|TestB76LinkToSyncedFolderRefused"}},
		},
		{
			guard: "a lock file that is a link is refused",
			file:  "lock/sys_unix.go",
			old:   `unix.O_NOFOLLOW | unix.O_NONBLOCK`,
			new:   `unix.O_NONBLOCK`,
			by:    []test{{"lock", "TestOddLockFileRefused"}},
		},
	}
}
