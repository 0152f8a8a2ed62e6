package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
	"gopkg.in/natefinch/lumberjack.v2"

	"morrow/internal/config"
	"morrow/publish"
	"morrow/scheduler"
)

const (
	// keepRunLogs is how long the log of a manual run is kept.
	keepRunLogs = 30 * 24 * time.Hour

	serveLogMB      = 10
	serveLogBackups = 5
)

// leveled passes on what is at least min.
type leveled struct {
	io.Writer
	min zerolog.Level
}

// WriteLevel makes it a zerolog.LevelWriter.
func (l leveled) WriteLevel(level zerolog.Level, line []byte) (int, error) {
	if level < l.min {
		return len(line), nil
	}
	return l.Write(line)
}

// forgiving swallows write faults after telling the first: a full disk must
// not stop a booking.
type forgiving struct {
	io.Writer
	told bool
	warn func(format string, args ...any)
}

func (f *forgiving) Write(line []byte) (int, error) {
	if _, err := f.Writer.Write(line); err != nil && !f.told {
		f.told = true
		f.warn("the log can't be written: %s; the work goes on", err)
	}
	return len(line), nil
}

// stderrLog is the part of a log that goes to stderr.
func (p *program) stderrLog(cfg config.Log, level zerolog.Level) leveled {
	if cfg.Format == "json" {
		return leveled{p.stderr, level}
	}
	return leveled{zerolog.ConsoleWriter{Out: p.stderr, NoColor: !isTerminal(p.stderr), TimeFormat: time.DateTime}, level}
}

// newLogger joins stderr and a file; nil stands for no file.
func newLogger(stderr leveled, file *leveled) zerolog.Logger {
	if file == nil {
		return zerolog.New(stderr).Level(stderr.min).With().Timestamp().Logger()
	}
	return zerolog.New(zerolog.MultiLevelWriter(stderr, file)).
		Level(min(stderr.min, file.min)).With().Timestamp().Logger()
}

// level reads a level that has been checked before.
func level(name string) zerolog.Level {
	l, err := zerolog.ParseLevel(name)
	if err != nil {
		return zerolog.InfoLevel
	}
	return l
}

// quietly is the level of a manual run on stderr: its result says what
// happened, so that nothing appears besides but what a person asks for.
func (p *program) quietly(cfg config.Log) zerolog.Level {
	if p.levelFlag != "" {
		return level(cfg.Level)
	}
	return zerolog.Disabled
}

// runLog opens the log of one manual run, a file of its own.
func (p *program) runLog(cfg *config.Config, run string) (zerolog.Logger, func()) {
	stderr := p.stderrLog(cfg.Log, p.quietly(cfg.Log))
	dir := logDir(cfg)
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(filepath.Join(dir, runLogName(run)), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err == nil {
			file := &leveled{&forgiving{Writer: f, warn: p.warn}, level(cfg.Log.Level)}
			return newLogger(stderr, file), func() { _ = f.Close() }
		}
	}
	p.warn("no log of this run: %s", err)
	return newLogger(stderr, nil), func() {}
}

// pruneRunLogs removes the logs of old manual runs. Names tell their age, so
// that files which stay cost nothing. Faults do not matter: the next run tries
// again.
func pruneRunLogs(cfg *config.Config, now time.Time) {
	dir, err := os.Open(logDir(cfg))
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if started, ok := runLogStarted(name); ok && now.Sub(started) > keepRunLogs {
			_ = os.Remove(filepath.Join(dir.Name(), name))
		}
	}
}

// runLogName names the log of a run.
func runLogName(run string) string { return "run-" + run + ".log" }

// runLogStarted reads back when the run of a log started; ok is false for
// other files.
func runLogStarted(name string) (started time.Time, ok bool) {
	moment, chance, _ := strings.Cut(strings.TrimPrefix(name, "run-"), "-")
	started, err := time.Parse(runIDTime, moment)
	return started, err == nil && name == runLogName(moment+"-"+strings.TrimSuffix(chance, ".log"))
}

// serveLog opens the daemon's rotating log.
func (p *program) serveLog(cfg *config.Config) (zerolog.Logger, func() error) {
	stderr := p.stderrLog(cfg.Log, level(cfg.Log.Level))
	if err := os.MkdirAll(logDir(cfg), 0o700); err != nil {
		p.warn("no log file: %s", err)
		return newLogger(stderr, nil), func() error { return nil }
	}
	file := &lumberjack.Logger{
		Filename: filepath.Join(logDir(cfg), "serve.log"), MaxSize: serveLogMB, MaxBackups: serveLogBackups,
	}
	return newLogger(stderr, &leveled{&forgiving{Writer: file, warn: p.warn}, level(cfg.Log.Level)}), file.Close
}

func logDir(cfg *config.Config) string { return filepath.Join(cfg.StateDir, "logs") }

// logReport writes the one line of a run, its bookings and its alarms.
func logReport(log zerolog.Logger, r publish.Report) {
	log = log.With().Str("run", r.Run).Str("job", r.Job).Logger()
	why := ""
	for _, s := range r.Slots {
		if s.Outcome == publish.Booked && s.Post != nil {
			log.Info().Str("slot", s.Slot.Format(time.RFC3339)).Str("item", s.Item).Int64("post_id", s.Post.ID).Msg("booked")
		}
		if why == "" && s.Outcome == r.Outcome && r.Err == nil {
			why = s.Reason
		}
	}
	end := log
	if why != "" {
		end = log.With().Str("reason", why).Logger()
	}
	level := outcomeLevel(r.Outcome)
	if r.Trigger == string(scheduler.Watch) && r.Outcome == publish.NothingToBook {
		level = zerolog.InfoLevel // a free slot that waits for its check
	}
	end.WithLevel(level).Str("site", r.Site).Str("trigger", r.Trigger).Bool("dry_run", r.DryRun).
		Str("outcome", string(r.Outcome)).Int64("elapsed_ms", r.Elapsed.Milliseconds()).Int("slots", len(r.Slots)).Err(r.Err).Msg("run ended")
	for _, a := range r.Alarms {
		log.Error().Str("alarm", a).Msg("alarm")
	}
}

func outcomeLevel(o publish.Outcome) zerolog.Level {
	switch o {
	case publish.Booked, publish.AlreadyBooked, publish.WouldBook:
		return zerolog.InfoLevel
	case publish.Unknown, publish.Busy, publish.NothingToBook, publish.TooLate:
		return zerolog.WarnLevel
	case publish.Failed:
	}
	return zerolog.ErrorLevel
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
