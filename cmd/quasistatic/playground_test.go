package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	builtin "github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/release"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/playground"
)

// engineFolder has the engine of a page, built once; QUASISTATIC_ENGINE names one that is there.
var engineFolder = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("QUASISTATIC_ENGINE"); dir != "" {
		return dir, nil
	}
	dir := filepath.Join(shared.dir, ".engine")
	return dir, release.BuildEngine(dir)
})

// playgroundTab opens the playground in a tab, on a page of a case.
func playgroundTab(t *testing.T, fragment string) (context.Context, *watched) {
	t.Helper()
	if os.Getenv("QUASISTATIC_ENGINE") == "" {
		thorough.Only(t, "minutes: it builds the engine")
	}
	tab := browser(t)
	dir, err := engineFolder()
	if err != nil {
		t.Fatal(err)
	}
	h, err := playground.Handler("test", dir)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	w := watch(t, tab)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(server.URL+"/"+fragment)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Lock()
		defer w.Unlock()
		if len(w.errors) > 0 {
			t.Errorf("the page says %q", w.errors)
		}
		for _, r := range w.requests {
			if !strings.HasPrefix(r, server.URL+"/") && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:"+server.URL+"/") {
				t.Errorf("the page asks for %s", r)
			}
		}
	})
	return tab, w
}

// longest is the time that a page has for an answer, on a loaded machine too.
const longest = 3 * time.Minute

// until waits for a script to be true.
func until(t *testing.T, tab context.Context, script string) {
	t.Helper()
	if !within(t, tab, script) {
		t.Fatalf("never: %s; status %q", script, evaluate[string](t, tab, `document.getElementById("status").textContent`))
	}
}

// within reports whether a script becomes true.
func within(t *testing.T, tab context.Context, script string) bool {
	t.Helper()
	for began := time.Now(); !evaluate[bool](t, tab, "!!("+script+")"); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > longest {
			return false
		}
	}
	return true
}

// slide moves the slider of a number to a value, as a hand does.
const slide = `(function (path, v) { delete document.body.dataset.took; var l = [].find.call(document.querySelectorAll("#sliders label"), function (l) { return l.textContent === path; });
	var e = document.getElementById(l.htmlFor); e.value = v; e.dispatchEvent(new Event("input")); return true; })(%q, %g)`

// TestPlayground: a slider changes text, page and address; the tables have the bytes of this program;
// what is wrong is told at its place, and the run before stays; a long run is stopped; one that chooses its steps says so before them.
func TestPlayground(t *testing.T) {
	tab, _ := playgroundTab(t, "#case=play")
	until(t, tab, "document.body.dataset.same")
	if same := evaluate[string](t, tab, "document.body.dataset.same"); same != "4 of 4" {
		t.Errorf("%s tables are the same", same)
	}
	headline := `document.getElementById("page").contentDocument.querySelector("#verdict h2").textContent`
	if text := evaluate[string](t, tab, headline); !strings.HasPrefix(text, "Certified") {
		t.Errorf("the page says %q", text)
	}
	evaluate[bool](t, tab, `document.getElementById("page").contentWindow.quasistatic.goTo(0.5); true`)
	evaluate[bool](t, tab, fmt.Sprintf(slide, "friction.dry.mu", 0.2))
	until(t, tab, "document.body.dataset.took && document.body.dataset.same")
	x := evaluate[struct {
		Text, Hash, Same string
		Time             float64
	}](t, tab, `({ text: document.getElementById("text").value, hash: location.hash, same: document.body.dataset.same, time: document.getElementById("page").contentWindow.quasistatic.time() })`)
	if !strings.Contains(x.Text, `"mu": 0.2`) || !strings.Contains(x.Hash, "set=friction.dry.mu%3D0.2") ||
		x.Same != "4 of 4" || !(x.Time > 0.49 && x.Time < 0.51) {
		t.Errorf("%+v", x)
	}
	evaluate[bool](t, tab, `(function () { var e = document.getElementById("text"); e.value = e.value.replace('"mu"', '"muh"'); e.dispatchEvent(new Event("input")); document.getElementById("start").click(); return true; })()`)
	until(t, tab, `document.querySelector("#faults button")`)
	if text := evaluate[string](t, tab, `document.querySelector("#faults button").textContent + " " + `+
		headline); !strings.Contains(text, `unknown key "muh"`) || !strings.Contains(text, "Certified") {
		t.Errorf("told %q", text)
	}
	evaluate[bool](t, tab, `(function () { var e = document.getElementById("name"); e.value = "pile"; e.dispatchEvent(new Event("change")); return true; })()`)
	until(t, tab, `document.getElementById("status").textContent.indexOf("step ") === 0`)
	evaluate[bool](t, tab, `document.getElementById("stop").click(); true`)
	if text := evaluate[string](t, tab, `document.getElementById("status").textContent`); text != "stopped" {
		t.Errorf("status %q", text)
	}
	evaluate[bool](t, tab, `(function () { var e = document.getElementById("name"), s = document.getElementById("status"); window.heard = [];
		new MutationObserver(function () { heard.push(s.textContent); }).observe(s, { childList: true });
		delete document.body.dataset.shown; e.value = "rolling-ball"; e.dispatchEvent(new Event("change")); return true; })()`)
	until(t, tab, "document.body.dataset.shown")
	if heard := evaluate[string](t, tab, `heard.join("\n")`); !strings.Contains(heard, "steps of pilot runs") {
		t.Errorf("before the first step it says %q", heard)
	}
	evaluate[bool](t, tab, `(function () { var e = document.getElementById("name"); e.value = "klarbring"; e.dispatchEvent(new Event("change")); return true; })()`)
	until(t, tab, `document.body.dataset.same && document.getElementById("page").contentDocument.querySelector("h1")?.textContent === "klarbring"`)
}

// TestPlaygroundTimes prints how long a picture takes after a slider, the best of some, and with
// QUASISTATIC_LONG=strict fails beyond what issue 37 allows, which a loaded machine does not keep.
func TestPlaygroundTimes(t *testing.T) {
	for _, c := range []struct {
		name, path string
		from, to   float64
		most       float64 // [s]
	}{
		{"play", "friction.dry.mu", 0.3, 0.4, 0.5}, {"grazing", "friction.dry.mu", 0.3, 0.4, 0.5}, {"klarbring", "until", 2.9, 3, 0.5},
		{"carter", "friction.mu", 0.29, 0.3, 0.5}, {"box-stack", "friction.dry.mu", 0.5, 0.6, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab, _ := playgroundTab(t, "#case="+c.name)
			until(t, tab, "document.body.dataset.took")
			best := 1e9
			for i := range 8 {
				v := c.from + (c.to-c.from)*float64(i)/8
				evaluate[bool](t, tab, fmt.Sprintf(slide, c.path, v))
				until(t, tab, "document.body.dataset.took")
				best = min(best, evaluate[float64](t, tab, "+document.body.dataset.took"))
			}
			t.Logf("%s: %.2f s from the slider to the picture", c.name, best)
			if os.Getenv(thorough.Variable) == "strict" && best > c.most {
				t.Errorf("want %g s", c.most)
			}
		})
	}
}

// TestPlaygroundBytes: the tables of the built-in cases have the bytes that this program makes. A tab
// has some minutes, which all cases together exceed: each takes a few of them. What takes longer than
// the longest answer is printed as not compared.
func TestPlaygroundBytes(t *testing.T) {
	names := affordable()
	if os.Getenv(thorough.Variable) == "strict" {
		names = builtin.Names()
	}
	want, same, all := goldenHashes(t), 0, 0
	var late []string
	for part := range slices.Chunk(names, 8) {
		t.Run(part[0], func(t *testing.T) {
			tab, _ := playgroundTab(t, "#case=play")
			for _, name := range part {
				sums := bytesInPage(t, tab, name)
				if sums == nil {
					late = append(late, name)
				}
				for file, sum := range sums {
					if golden, ok := want[name+"/"+file]; ok {
						all++
						if golden == sum {
							same++
						} else {
							t.Errorf("%s/%s differs", name, file)
						}
					}
				}
			}
		})
	}
	t.Logf("%d of %d tables have the same bytes; not compared, as they take more than %v: %q", same, all, longest, late)
}

// bytesInPage runs a case in a playground, and returns the sums of its tables there; nil: it takes too long.
func bytesInPage(t *testing.T, tab context.Context, name string) map[string]string {
	t.Helper()
	until(t, tab, "document.body.dataset.shown")
	evaluate[bool](t, tab, fmt.Sprintf(`(function () { delete document.body.dataset.shown; var e = document.getElementById("name"); e.value = %q; e.dispatchEvent(new Event("change")); return true; })()`,
		name))
	if !within(t, tab, `document.body.dataset.shown || document.getElementById("status").className === "missed"`) {
		evaluate[bool](t, tab, `document.getElementById("stop").click(); document.body.dataset.shown = "nothing"; true`)
		return nil
	}
	return evaluate[map[string]string](t, tab,
		`[].reduce.call(document.querySelectorAll("#bytes tbody tr"), function (m, r) { m[r.children[0].textContent] = r.children[1].title; return m; }, {})`)
}
