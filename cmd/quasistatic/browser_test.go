package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// chromium is one headless browser for all tests, started by the first that wants it.
var chromium struct {
	once sync.Once
	ctx  context.Context
	end  func()
	err  error
}

// startChromium starts it, with its data in the folder of the shared runs.
func startChromium(program string) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WSURLReadTimeout(8*time.Minute), // as long as a tab may take
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(filepath.Join(shared.dir, ".chromium")))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(allocator)
	chromium.ctx, chromium.end = ctx, func() { leave(); cancel() }
	chromium.err = chromedp.Do(ctx) // tabs that start together would each start a browser
}

// browser returns a new tab of the browser, or skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	const program = "/usr/bin/chromium"
	if _, err := os.Stat(program); err != nil {
		t.Skip("no browser: ", err)
	}
	thorough.NotShort(t, "a browser")
	chromium.once.Do(func() { startChromium(program) })
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	return tab(t)
}

// tab opens a tab, which the end of the test closes.
func tab(t *testing.T) context.Context {
	ctx, closeTab := chromedp.NewContext(chromium.ctx)
	t.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, 8*time.Minute) // a loaded machine is no fault of the page
	t.Cleanup(cancel)
	return ctx
}

// watched collects what a page says and asks for.
type watched struct {
	sync.Mutex
	errors, requests []string
}

// watch listens to the page of ctx.
func watch(t *testing.T, ctx context.Context) *watched {
	t.Helper()
	w := &watched{}
	err := chromedp.Listen(ctx, func(event any) {
		w.Lock()
		defer w.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			w.errors = append(w.errors, fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *runtime.EventConsoleAPICalled:
			w.errors = append(w.errors, fmt.Sprintf("console.%s", e.Type))
		case *log.EventEntryAdded:
			w.errors = append(w.errors, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			w.requests = append(w.requests, e.Request.URL)
		}
	})
	if err == nil {
		_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	}
	if err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// evaluate runs a script in the page and returns its value.
func evaluate[T any](t *testing.T, tab context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// pages are cases with all that a page can show: particles, meshes in the plane and in
// space, bodies, joints, and maps of pressure, where nothing moves.
var pages = []string{"play", "cattaneo-mindlin-41", "ellipse", "slider-crank", "block-impact", "carter"}

// TestReportInBrowser opens the reports of those cases, or of all with QUASISTATIC_LONG, some
// side by side in one browser. With QUASISTATIC_SHOTS=DIR it leaves screenshots.
func TestReportInBrowser(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	names := pages
	if thorough.Asked() {
		names = affordable()
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab := browser(t)
			openReport(t, tab, name, reported(t, name))
		})
	}
}

// openReport looks at one page.
func openReport(t *testing.T, tab context.Context, name, file string) {
	t.Helper()
	if info, err := os.Stat(file); err != nil || info.Size() > reportLimit {
		t.Errorf("%v, error %v: want at most %d bytes", info, err, reportLimit)
	}
	w := watch(t, tab)
	address := "file://" + file
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1200, 900), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	moves(t, tab, still[name], min(10, summaryOf(t, filepath.Join(shared.dir, name)).Steps+1))
	shots(t, tab, name)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(360, 740)); err != nil {
		t.Fatal(err)
	}
	if wide := evaluate[int](t, tab, "document.documentElement.scrollWidth"); wide > 360 {
		t.Errorf("at 360 pixels the page is %d wide", wide)
	}
	w.Lock()
	defer w.Unlock()
	if len(w.errors) > 0 {
		t.Errorf("the page says %q", w.errors)
	}
	for _, r := range w.requests {
		if r != address && !strings.HasPrefix(r, "data:") {
			t.Errorf("the page asks for %s", r)
		}
	}
}

// reportLimit is the size that no report exceeds [bytes].
const reportLimit = 3_000_000

// moved is what the page does when it is used.
type moved struct {
	Frames                       int
	Scrubbed, Same, Calm, Own    bool
	Picture                      int // length of the picture as text
	Arrow, Played                float64
	Pressed, State, Value        string
	Unlabelled, Empty, NotFinite []string
}

// probe uses the page: scrubber, arrow keys, play; and looks for what is unlabelled,
// empty or not a number.
const probe = `(async function () {
	var $ = function (id) { return document.getElementById(id); }, r = { frames: quasistatic.frames() };
	var scrub = function (k) { $("scrub").value = k; $("scrub").dispatchEvent(new Event("input")); return $("picture").toDataURL(); };
	var first = scrub(0), others = [0.37, 0.71, 1].map(function (f) { return scrub(Math.floor(f * (r.frames - 1))); });
	r.scrubbed = others.some(function (x) { return x !== first; }); r.picture = first.length; r.same = scrub(0) === first;
	document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
	r.arrow = quasistatic.at();
	$("arrows").dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
	r.own = $("play").getAttribute("aria-pressed") === "false"; // the space bar is the checkbox's there
	$("speed").value = "4";
	document.dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
	r.pressed = $("play").getAttribute("aria-pressed");
	for (var i = 0; i < 2400 && !(quasistatic.at() > 1); i++) await new Promise(function (done) { setTimeout(done, 25); });
	if ($("play").getAttribute("aria-pressed") === "true") $("play").click();
	r.played = quasistatic.at();
	r.calm = $("note").textContent.indexOf("Nothing moves") >= 0;
	r.state = $("state").textContent; r.value = $("scrub").getAttribute("aria-valuetext");
	var all = function (query, bad) { return [].filter.call(document.querySelectorAll(query), bad).map(function (e) { return e.outerHTML.slice(0, 90); }); };
	r.unlabelled = all("input, select, button, canvas, figure svg", function (e) { return !(e.getAttribute("aria-label") || e.textContent.trim() && e.tagName === "BUTTON" || e.closest("label")); });
	r.empty = all("figure, h1, h2, td:first-child, dd, section:not([hidden])", function (e) { return e.textContent.trim() === ""; });
	r.notFinite = all("figure svg, td, dd", function (e) { return /NaN|Infinity|undefined/.test(e.outerHTML); });
	return r;
})()`

// still are the cases in which no body moves by a pixel, which the page says: in joint-oscillation
// a joint holds the position, and the velocity alone swings; boxes of the stack carry each other;
// the chain round the shaft slides by 3e-5 of its radius. Their pictures need not differ from time
// to time.
var still = map[string]bool{"joint-oscillation": true, "box-stack": true, "carter": true, "ladder": true,
	"incline": true, "pressed-bodies": true, "capstan": true, "nip": true}

// moves checks that scrubber, keys and play change the picture, and that all is
// labelled.
func moves(t *testing.T, tab context.Context, still bool, frames int) {
	t.Helper()
	m := evaluate[moved](t, tab, probe)
	if m.Frames < frames {
		t.Errorf("%d frames", m.Frames)
	}
	if !m.Scrubbed && !still || m.Picture < 1000 {
		t.Errorf("the scrubber moves the picture: %v", m.Scrubbed)
	}
	if m.Calm != still {
		t.Errorf("the page says that nothing moves: %v", m.Calm)
	}
	if !m.Same {
		t.Error("the picture at the start is another the second time")
	}
	if !m.Own {
		t.Error("the space bar on the checkbox plays")
	}
	if m.Arrow != 1 {
		t.Errorf("the arrow key goes from 0 to %g", m.Arrow)
	}
	if m.Pressed != "true" || !(m.Played > 1) || !strings.HasPrefix(m.State, "t = ") || !strings.HasPrefix(m.Value, "t = ") {
		t.Errorf("played (%s) to %g, %q, %q", m.Pressed, m.Played, m.State, m.Value)
	}
	for what, list := range map[string][]string{"unlabelled": m.Unlabelled, "empty": m.Empty, "not finite": m.NotFinite} {
		if len(list) > 0 {
			t.Errorf("%s: %q", what, list)
		}
	}
}

// shots leaves screenshots of the page, light, dark and narrow.
func shots(t *testing.T, tab context.Context, name string) {
	t.Helper()
	dir := os.Getenv("QUASISTATIC_SHOTS")
	if dir == "" {
		return
	}
	for _, s := range []struct {
		kind, scheme  string
		width, height int64
	}{{"light", "light", 1200, 900}, {"dark", "dark", 1200, 900}, {"phone", "light", 360, 740}} {
		_, err := chromedp.Call(tab, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}}})
		if err == nil {
			err = chromedp.Do(tab, chromedp.EmulateViewport(s.width, s.height))
		}
		if err != nil {
			t.Fatal(err)
		}
		evaluate[bool](t, tab, `quasistatic.show(0.62 * quasistatic.frames()); true`)
		time.Sleep(150 * time.Millisecond)
		png, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
		if err != nil {
			t.Fatal(err)
		}
		write(t, string(png), dir, name+"-"+s.kind+".png")
	}
}

// TestGallery draws the pictures of docs/gallery.md with the report's own animation
// where QUASISTATIC_GALLERY names a folder to leave them in.
func TestGallery(t *testing.T) {
	dir := os.Getenv("QUASISTATIC_GALLERY")
	if dir == "" {
		t.Skip("QUASISTATIC_GALLERY names no folder for the pictures")
	}
	ctx := browser(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(900, 900)); err != nil {
		t.Fatal(err)
	}
	for name, share := range map[string]float64{"play": 0.61, "grazing": 0.68, "chain": 0.62, "net": 0.6,
		"anisotropic": 0.7, "ripple": 0.6, "klarbring": 0.7, "cattaneo-mindlin": 0.5} {
		run := t.TempDir()
		mustRun(t, "run", name, "--out", run, "--quiet", "--no-picture", "--report")
		if err := chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.Join(run, table.ReportFile))); err != nil {
			t.Fatal(err)
		}
		url := evaluate[string](t, ctx, fmt.Sprintf(`quasistatic.show(Math.floor(%g * quasistatic.frames()));
			(function () { var p = document.getElementById("picture"), c = document.createElement("canvas"), d = c.getContext("2d");
				c.width = p.width; c.height = p.height; d.fillStyle = "#f7f8f9"; d.fillRect(0, 0, c.width, c.height); d.drawImage(p, 0, 0); return c.toDataURL() })()`,
			share))
		png, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, string(png), dir, name+".png")
	}
}
