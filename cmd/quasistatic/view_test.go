package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/quasistatic/quasistatic/internal/loopback"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
	"github.com/quasistatic/quasistatic/view"
)

// served is what live.json holds.
type served struct {
	Tag   string
	Done  bool
	Run   int
	Parts map[string]string
	Scene struct {
		T              []float64
		Status         string
		X, Y, Z, N, T1 report.Channel
		Pushes         *report.Pushes
		Pose           []report.Channel
	}
}

// serve starts the viewer of a folder and returns its address.
func liveView(t *testing.T, dir string) string {
	t.Helper()
	v, err := view.New(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- loopback.Serve(ctx, listener, v.Handler()) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		v.Close()
	})
	return "http://" + listener.Addr().String()
}

func get(t *testing.T, address string) (code int, text string) {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// ask returns what live.json holds since a tag; empty: nothing new.
func ask(t *testing.T, address, since string) (s served) {
	t.Helper()
	code, text := get(t, address+"/live.json?since="+since)
	if code == http.StatusNoContent {
		return s
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil || code != 200 {
		t.Fatalf("%d, %v: %.200s", code, err, text)
	}
	return s
}

// TestView watches a run that stops half way, and goes on.
func TestView(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "play")
	c, err := open(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, begun(t, c, dir), 400)
	address := liveView(t, dir)
	if code, text := get(t, address); code != 200 || !strings.Contains(text, `data-live="live.json"`) {
		t.Errorf("%d: %.300s", code, text)
	}
	half := ask(t, address, "")
	if n := len(half.Scene.T); n < 300 || half.Scene.T[n-1] != 1 || !strings.Contains(half.Parts["figures"], "<svg") {
		t.Errorf("half way: %d frames, tag %s", n, half.Tag)
	}
	if again := ask(t, address, half.Tag); again.Tag != "" {
		t.Errorf("nothing is new, but the answer is %s", again.Tag)
	}
	rest, err := resumed(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := rest.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	whole := ask(t, address, half.Tag)
	if n := len(whole.Scene.T); n < 600 || whole.Scene.T[n-1] != 2 || !whole.Done ||
		!strings.Contains(whole.Parts["verdict"], "Certified") {
		t.Errorf("at the end: %d frames, tag %s", n, whole.Tag)
	}
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign host gets %d", answer.StatusCode)
	}
}

// grow leaves in dir the first share of a finished run, as if it still went on: the last
// line of each file may be torn.
func grow(t *testing.T, whole, dir string, share float64, status table.Status) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(whole, "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	if last, err := os.ReadFile(filepath.Join(whole, table.FinalFile)); err == nil {
		write(t, string(last), dir, table.FinalFile)
	}
	for _, f := range files {
		text := read(t, f)
		header := strings.IndexByte(text, '\n') + 1
		write(t, text[:header+int(share*float64(len(text)-header))], dir, filepath.Base(f))
	}
	summary := read(t, filepath.Join(whole, table.SummaryFile))
	write(t, resealed(strings.Replace(summary, `"status": "done"`, fmt.Sprintf(`"status": %q`, status), 1)), dir, table.SummaryFile)
}

// viewed are cases of all models.
var viewed = []string{"play", "pressed-ball", "braking-point", "disc-drop", "block-impact"}

// TestViewModels lets a run of each model grow: what the viewer has at the end is what
// one that comes late sees. Then the folder goes, and another run comes there.
func TestViewModels(t *testing.T) {
	thorough.Seconds(t)
	for _, name := range viewed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole, _ := finished(t, name)
			dir := filepath.Join(t.TempDir(), "growing")
			begin := func(text string) {
				if err := os.MkdirAll(dir, 0o777); err != nil {
					t.Fatal(err)
				}
				write(t, text, dir, table.CaseFile)
			}
			text := read(t, filepath.Join(whole, table.CaseFile))
			begin(text)
			address := liveView(t, dir)
			if code, text := get(t, address+"/live.json"); code != 200 || !strings.Contains(text, `"done":false`) {
				t.Errorf("before the first node: %d, %.200s", code, text)
			}
			last := -1.0
			for _, share := range []float64{0.2, 0.5, 1} {
				grow(t, whole, dir, share, table.Running)
				s := ask(t, address, "")
				now := s.Scene.T[len(s.Scene.T)-1]
				if now <= last || s.Done {
					t.Errorf("share %g: to t=%g after %g, done: %v", share, now, last, s.Done)
				}
				last = now
			}
			// The states of particles follow from events.csv, which may be behind for a
			// second: the end mends it.
			if once := ask(t, liveView(t, dir), ""); name != "play" && !reflect.DeepEqual(ask(t, address, ""), once) {
				t.Error("what grew differs from what is read at once")
			}
			grow(t, whole, dir, 1, table.Done)
			if s := ask(t, address, ""); !s.Done || !reflect.DeepEqual(s, ask(t, liveView(t, dir), "")) {
				t.Errorf("at the end: what grew differs from what is read at once, done: %v", s.Done)
			}
			gone(t, address, dir)
			begin(text)
			grow(t, whole, dir, 0.5, table.Running)
			if s := ask(t, address, ""); s.Done || s.Run != 1 {
				t.Errorf("another run: number %d, done: %v", s.Run, s.Done)
			}
		})
	}
}

// goneText is what the viewer says then.
const goneText = "the run folder has gone"

// gone takes the folder away; the viewer says so and goes on.
func gone(t *testing.T, address, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if code, text := get(t, address+"/live.json"); code != 200 || !strings.Contains(text, goneText) {
		t.Errorf("the folder has gone: %d, %.200s", code, text)
	}
	if code, text := get(t, address); code != 200 || !strings.Contains(text, "data-live") {
		t.Errorf("the folder has gone: the page has %d, %.200s", code, text)
	}
}

// TestViewInBrowser looks at a run while it grows.
func TestViewInBrowser(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	ctx := browser(t)
	dir := filepath.Join(t.TempDir(), "long")
	c, err := open(long(t))
	if err != nil {
		t.Fatal(err)
	}
	running, cancel := context.WithCancel(context.Background())
	j := begun(t, c, dir)
	started, ended := make(chan bool), make(chan error)
	j.OnStep = func(step int) {
		if step == 10 {
			close(started)
		}
		time.Sleep(20 * time.Microsecond)
	}
	go func() { ended <- j.Run(running) }()
	<-started
	w := watch(t, ctx)
	if err := chromedp.Do(ctx, chromedp.Navigate(liveView(t, dir))); err != nil {
		t.Fatal(err)
	}
	wait := func(script string) { // a page that is loading anew lacks elements, or is no more
		t.Helper()
		var err error
		for range 4800 {
			var holds bool
			if holds, err = chromedp.Run(ctx, chromedp.Evaluate[bool](script)); err == nil && holds {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("%s: not within eight minutes, error %v", script, err)
	}
	wait("quasistatic.frames() > 5")
	wait(`(window.seen = window.seen || document.getElementById("state").textContent) !== document.getElementById("state").textContent`)
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	wait(`document.getElementById("live").textContent === "stopped"`)
	mustRun(t, "run", "joint-oscillation", "--out", dir, "--quiet", "--no-picture") // another one takes its place
	wait(`document.title.startsWith("joint-oscillation") && document.getElementById("live").textContent === "finished"`)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	wait(`document.getElementById("live").textContent.includes("` + goneText + `")`)
	w.Lock()
	defer w.Unlock()
	if len(w.errors) > 0 {
		t.Errorf("the page says %q", w.errors)
	}
}

func TestViewErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"view"}, "want one run folder"},
		{[]string{"view", "/nonexistent"}, "is not a folder"},
		{[]string{"view", t.TempDir()}, "no such file"},
		{[]string{"view", "--port", "99999", "x"}, "want 0 to 65535"},
		{[]string{"report"}, "no run folder"},
		{[]string{"report", "/nonexistent"}, "is not a folder"},
		{[]string{"export", "/nonexistent", "--format", "npz"}, "is not a folder"},
		{[]string{"export", "x"}, "unknown format"},
		{[]string{"export", "x", "--format", "vtk"}, "want one of csv, npz, parquet, vtu"},
	} {
		if code, _, stderr := qs(c.args...); code != exitInput || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, want %q\n%s", c.args, code, c.want, stderr)
		}
	}
}
