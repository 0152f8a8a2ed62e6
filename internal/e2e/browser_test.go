//go:build linux

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"morrow/internal/wptest"
)

// width of every page, in pixels.
const width = 1280

// browser is a headless Chromium with a new profile, which reaches this machine
// alone.
type browser struct {
	ctx   context.Context //nolint:containedctx // chromedp's handle of a browser is a context
	shots string          // the folder of its screenshots
}

// newBrowser starts Chromium, which is ended when the test ends. The screenshots
// go to $MORROW_SHOTS, or nowhere that outlives the test.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	shots := os.Getenv("MORROW_SHOTS")
	if shots == "" {
		shots = t.TempDir()
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits, so that the profile is free to be removed
		cancel()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start Chromium, which this test needs: %v", err)
	}
	return &browser{ctx, shots}
}

// login signs the browser in to a site's dashboard as the administrator.
func (b *browser) login(t *testing.T, s *wptest.Site) {
	t.Helper()
	p := b.open(t, s.URL+"/wp-login.php")
	p.do(chromedp.SetValue("#user_login", wptest.Admin), chromedp.SetValue("#user_pass", wptest.Admin),
		chromedp.Submit("#loginform"), chromedp.WaitReady("#wpadminbar"))
}

// tab is one page in the browser.
type tab struct {
	*testing.T
	browser *browser
	ctx     context.Context //nolint:containedctx // as browser's

	mu   sync.Mutex
	said []string // on its console
}

// open loads a page, which is closed when the test ends.
func (b *browser) open(t *testing.T, url string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	p := &tab{T: t, browser: b, ctx: ctx}
	p.must(chromedp.Listen(ctx, p.listen))
	p.do(chromedp.EmulateViewport(width, 1000), chromedp.Navigate(url))
	return p
}

// listen keeps what a page says on its console.
func (p *tab) listen(event any) {
	call, ok := event.(*runtime.EventConsoleAPICalled)
	if !ok {
		return
	}
	words := []string{string(call.Type) + ":"}
	for _, arg := range call.Args {
		words = append(words, string(arg.Value)+arg.Description)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, strings.Join(words, " "))
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	run(p, chromedp.Steps(steps...))
}

// run gives what an action on the page gives.
func run[T any](p *tab, a chromedp.Action[T]) T {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, a)
	if err != nil {
		p.Fatalf("%v; the console says %q", err, p.console())
	}
	return value
}

// console is what the page has said there.
func (p *tab) console() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.said...)
}

// withAll is an expression of JavaScript that may use all, which finds elements in
// the frames of the page too.
func withAll(expression string) string {
	return `(() => {
		const docs = [document, ...[...document.querySelectorAll("iframe")].map(f => f.contentDocument).filter(Boolean)];
		const all = selector => docs.flatMap(d => [...d.querySelectorAll(selector)]);
		return ` + expression + `;
	})()`
}

// await waits until an expression is true.
func (p *tab) await(expression string) {
	p.Helper()
	run(p, chromedp.Poll[bool](withAll(expression), chromedp.WithPollingInterval(100*time.Millisecond), chromedp.WithPollingTimeout(patience)))
}

// eval gives the value of an expression.
func eval[T any](p *tab, expression string) T {
	p.Helper()
	return run(p, chromedp.Evaluate[T](withAll(expression)))
}

// shoot saves a screenshot of a page as high as the expression says, with all
// pictures that it shows.
func (p *tab) shoot(name, height string) {
	p.Helper()
	p.settle()
	for range 2 { // what comes into view is loaded then, and may be higher
		p.do(chromedp.EmulateViewport(width, eval[int64](p, height)))
		p.settle()
	}
	p.must(os.WriteFile(filepath.Join(p.browser.shots, name+".png"), run(p, chromedp.CaptureScreenshot()), 0o600))
}

// settle waits until everything is loaded, and shown: the editor fades in.
func (p *tab) settle() {
	p.Helper()
	p.await(`all("img").every(i => i.complete || !i.offsetParent) && all(".components-spinner").length === 0 &&
		docs.every(d => d.readyState === "complete" && d.getAnimations().every(a => a.playState !== "running")) &&
		all("[data-block]").every(b => b.getClientRects().length > 0) &&
		all("iframe[name=editor-canvas]").every(f => f.checkVisibility({opacityProperty: true, visibilityProperty: true}))`)
}

func (p *tab) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}
