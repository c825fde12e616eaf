package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
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
)

// browser starts headless Chromium, or skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	const program = "/usr/bin/chromium"
	if _, err := os.Stat(program); err != nil || testing.Short() {
		t.Skip("no browser, or a short test")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
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
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// TestReportInBrowser opens the report of every case. With QUASISTATIC_SHOTS=DIR it
// leaves screenshots.
func TestReportInBrowser(t *testing.T) {
	ctx := browser(t)
	files, _ := cases(t)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		var head struct{ Model string }
		if err := json.Unmarshal([]byte(read(t, file)), &head); err != nil {
			t.Fatal(err)
		}
		if head.Model == "rigid" || head.Model == "elastodynamic" {
			continue // these models have no page yet, and run --report says so
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			mustRun(t, "run", file, "--out", dir, "--quiet", "--no-picture", "--report")
			tab, cancel := chromedp.NewContext(ctx)
			defer cancel()
			w := watch(t, tab)
			address := "file://" + filepath.Join(dir, reportFile)
			if err := chromedp.Do(tab, chromedp.EmulateViewport(1200, 900), chromedp.Navigate(address)); err != nil {
				t.Fatal(err)
			}
			if n := evaluate[int](t, tab, "quasistatic.frames()"); n < 10 {
				t.Errorf("%d frames", n)
			}
			moves(t, tab)
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
		})
	}
}

// moves checks that scrubber, keys and play change the picture.
func moves(t *testing.T, tab context.Context) {
	t.Helper()
	scrub := func(k string) string {
		return evaluate[string](t, tab, `(function () { var s = document.getElementById("scrub"); s.value = `+k+`; s.dispatchEvent(new Event("input")) })();
			document.getElementById("picture").toDataURL()`)
	}
	first, last := scrub("0"), scrub("1e9")
	if first == last || len(first) < 1000 {
		t.Error("the scrubber does not move the picture")
	}
	if scrub("0") != first {
		t.Error("the picture at the start is another the second time")
	}
	if at := evaluate[float64](t, tab, `document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"})); quasistatic.at()`); at != 1 {
		t.Errorf("the arrow key goes from 0 to %g", at)
	}
	pressed := evaluate[string](t, tab, `document.getElementById("play").click(); document.getElementById("play").getAttribute("aria-pressed")`)
	time.Sleep(200 * time.Millisecond)
	at := evaluate[float64](t, tab, `document.getElementById("play").click(); quasistatic.at()`)
	now := evaluate[string](t, tab, `document.getElementById("state").textContent`)
	if pressed != "true" || !(at > 1) || !strings.HasPrefix(now, "t = ") {
		t.Errorf("played (%s) to %g, %q", pressed, at, now)
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
		_, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}}})
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
		t.Skip("no folder for the pictures")
	}
	ctx := browser(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(900, 900)); err != nil {
		t.Fatal(err)
	}
	for name, share := range map[string]float64{"play": 0.61, "grazing": 0.68, "chain": 0.62, "net": 0.6, "anisotropic": 0.7, "ripple": 0.6, "klarbring": 0.7, "cattaneo-mindlin": 0.5} {
		run := t.TempDir()
		mustRun(t, "run", name, "--out", run, "--quiet", "--no-picture", "--report")
		if err := chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.Join(run, reportFile))); err != nil {
			t.Fatal(err)
		}
		url := evaluate[string](t, ctx, fmt.Sprintf(`quasistatic.show(Math.floor(%g * quasistatic.frames()));
			(function () { var p = document.getElementById("picture"), c = document.createElement("canvas"), d = c.getContext("2d");
				c.width = p.width; c.height = p.height; d.fillStyle = "#f7f8f9"; d.fillRect(0, 0, c.width, c.height); d.drawImage(p, 0, 0); return c.toDataURL() })()`, share))
		png, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, string(png), dir, name+".png")
	}
}
