package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/quasistatic/quasistatic/energetic"
)

// served is what live.json holds.
type served struct {
	Tag   string
	Done  bool
	Parts map[string]string
	Scene struct{ T []float64 }
}

// serve starts the viewer of a folder and returns its address.
func serve(t *testing.T, dir string) string {
	t.Helper()
	v, err := newViewer(dir)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- v.serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		v.close()
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

// TestView watches a run that stops half way, and goes on.
func TestView(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "play")
	c, m, err := load(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, newJob(c, m, dir), 400)
	address := serve(t, dir)
	if code, text := get(t, address); code != 200 || !strings.Contains(text, `data-live="live.json"`) {
		t.Errorf("%d: %.300s", code, text)
	}
	ask := func(since string) (s served) {
		code, text := get(t, address+"/live.json?since="+since)
		if code == http.StatusNoContent {
			return s
		}
		if err := json.Unmarshal([]byte(text), &s); err != nil || code != 200 {
			t.Fatalf("%d, %v: %.200s", code, err, text)
		}
		return s
	}
	half := ask("")
	if n := len(half.Scene.T); n < 300 || half.Scene.T[n-1] != 1 || !strings.Contains(half.Parts["figures"], "<svg") {
		t.Errorf("half way: %d frames, tag %s", n, half.Tag)
	}
	if again := ask(half.Tag); again.Tag != "" {
		t.Errorf("nothing is new, but the answer is %s", again.Tag)
	}
	rest, err := resumable(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := rest.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	whole := ask(half.Tag)
	if n := len(whole.Scene.T); n < 600 || whole.Scene.T[n-1] != 2 || !whole.Done || !strings.Contains(whole.Parts["verdict"], "Certified") {
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

// TestViewInBrowser looks at a run while it grows.
func TestViewInBrowser(t *testing.T) {
	ctx := browser(t)
	dir := filepath.Join(t.TempDir(), "long")
	c, m, err := load(long(t))
	if err != nil {
		t.Fatal(err)
	}
	running, cancel := context.WithCancel(context.Background())
	j := newJob(c, m, dir)
	started, ended := make(chan bool), make(chan error)
	j.watch = func(n *energetic.Node) {
		if n.K == 10 {
			close(started)
		}
		time.Sleep(20 * time.Microsecond)
	}
	go func() { ended <- j.run(running) }()
	<-started
	w := watch(t, ctx)
	if err := chromedp.Do(ctx, chromedp.Navigate(serve(t, dir))); err != nil {
		t.Fatal(err)
	}
	wait := func(script string) {
		t.Helper()
		for range 100 {
			if evaluate[bool](t, ctx, script) {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("%s: not within ten seconds", script)
	}
	wait("quasistatic.frames() > 5")
	wait(`(window.seen = window.seen || document.getElementById("state").textContent) !== document.getElementById("state").textContent`)
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	wait(`document.getElementById("live").textContent === "ended"`)
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
