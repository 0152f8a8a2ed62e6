package mutants

// telling are the guards of notifications.
func telling() []mutant {
	return []mutant{
		{
			guard: "what lasts is not said at each run",
			file:  "internal/notify/memory.go",
			old:   `if known && !c.isDue(now) {`,
			new:   `if known && !c.isDue(now) && now.IsZero() {`,
			by:    []test{{"internal/notify", "TestRepeats"}},
		},
		{
			guard: "what a run could not see is not over",
			file:  "internal/notify/memory.go",
			old:   `case c.Event.Job == l.Job && l.saw(c.Event.Kind):`,
			new:   `case c.Event.Job == l.Job:`,
			by:    []test{{"internal/notify", "TestOver"}},
		},
		{
			guard: "two processes do not send the same message",
			file:  "internal/notify/memory.go",
			old:   `if len(b.Taken) > 0 && now.Before(b.Until) {`,
			new:   `if len(b.Taken) > most && now.Before(b.Until) {`,
			by:    []test{{"internal/notify", "TestTwoProcesses"}},
		},
		{
			guard: "a message that was not taken waits",
			file:  "internal/notify/notifier.go",
			old:   `sent(p.until, err == nil)`,
			new:   `sent(p.until, true)`,
			by:    []test{{"internal/notify", "TestUndelivered"}},
		},
		{
			guard: "what hangs is sent nothing more",
			file:  "internal/notify/notifier.go",
			old:   `if n.busy[address] {`,
			new:   `if n.busy[""] {`,
			by:    []test{{"internal/notify", "TestHangs"}},
		},
		{
			guard: "no message goes to another machine unencrypted",
			file:  "internal/notify/address.go",
			old:   `case !allowHTTP && !isLoopback(u.Hostname()) && isUnencrypted(u):`,
			new:   `case !allowHTTP && !isLoopback(u.Hostname()) && u.Scheme == "http":`,
			by:    []test{{"internal/notify", "TestCheck"}},
		},
		{
			guard: "mail goes over TLS or not at all",
			file:  "internal/notify/service.go",
			old:   `if !s.plain {`,
			new:   `if s.scheme == "" {`,
			by:    []test{{"internal/notify", "TestCompose"}},
		},
		{
			guard: "a webhook follows no redirect",
			file:  "internal/notify/webhook.go",
			old:   `return http.ErrUseLastResponse }`,
			new:   `return nil }`,
			by:    []test{{"internal/notify", "TestNoRedirect"}},
		},
		{
			guard: "an error of a webhook tells no address",
			file:  "internal/notify/webhook.go",
			old:   `redact(err.Error(), secrets...)`,
			new:   `redact(err.Error())`,
			by:    []test{{"internal/notify", "TestTransportError"}},
		},
		{
			guard: "an error of the library tells no address",
			file:  "internal/notify/service.go",
			old:   `redact(err.Error(), s.address)`,
			new:   `redact(err.Error())`,
			by:    []test{{"internal/notify", "TestAddressLeaksNowhere"}},
		},
		{
			guard: "a library that panics ends no process",
			file:  "internal/notify/service.go",
			old:   `if fault := recover(); fault != nil {`,
			new:   `if fault := any(nil); fault != nil {`,
			by:    []test{{"internal/notify", "TestCheck"}},
		},
		{
			guard: "a switch that hangs makes nobody wait",
			file:  "internal/notify/ping.go",
			old:   `p.workers.Go(func() { p.work(context.WithoutCancel(ctx), job, to) })`,
			new:   `p.mu.Unlock(); p.work(context.WithoutCancel(ctx), job, to); p.mu.Lock()`,
			by:    []test{{"internal/notify", "TestPulseHangs"}},
		},
		{
			guard: "a faulty address stops only itself",
			file:  "internal/config/notify.go",
			old:   `l.fault("notify", one.Name, sub.problems)`,
			new:   `r.problems = append(r.problems, sub.problems...)`,
			by:    []test{{"internal/config", "TestNotifyFaults"}},
		},
	}
}
