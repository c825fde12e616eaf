package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestViewManyAsk: a thousand requests at once draw the page once.
func TestViewManyAsk(t *testing.T) {
	dir, _ := finished(t, "block-impact")
	v, err := newViewer(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	var all sync.WaitGroup
	sizes := make([]int, 1000)
	for i := range sizes {
		all.Go(func() {
			w := httptest.NewRecorder()
			v.live(w, httptest.NewRequest(http.MethodGet, "/live.json", nil))
			sizes[i] = w.Body.Len()
		})
	}
	all.Wait()
	for i := range sizes {
		if sizes[i] != sizes[0] || sizes[i] < 1000 {
			t.Fatalf("answer %d has %d bytes, the first one %d", i, sizes[i], sizes[0])
		}
	}
	if v.pages != 1 {
		t.Errorf("the page was drawn %d times, want once", v.pages)
	}
}

// slowReader is one who takes the first bytes of an answer only when he is let.
type slowReader struct {
	httptest.ResponseRecorder
	begun, let chan struct{}
}

func (r *slowReader) Write(text []byte) (int, error) {
	r.begun <- struct{}{}
	<-r.let
	return len(text), nil
}

// TestViewSlowReader: who does not read his answer keeps nobody waiting.
func TestViewSlowReader(t *testing.T) {
	dir, _ := finished(t, "block-impact")
	v, err := newViewer(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	for _, ask := range []http.HandlerFunc{v.live, v.page} {
		slow := &slowReader{begun: make(chan struct{}), let: make(chan struct{})}
		var all sync.WaitGroup
		all.Go(func() { v.live(slow, httptest.NewRequest(http.MethodGet, "/live.json", nil)) })
		<-slow.begun
		quick := httptest.NewRecorder()
		ask(quick, httptest.NewRequest(http.MethodGet, "/", nil))
		close(slow.let)
		all.Wait()
		if quick.Code != http.StatusOK || quick.Body.Len() < 1000 {
			t.Errorf("code %d, %d bytes", quick.Code, quick.Body.Len())
		}
	}
}

// TestViewStates: the page says how the run is: stopped, killed, running and resumed.
func TestViewStates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "play")
	c, err := open(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, begun(t, c, dir), 400)
	address := serve(t, dir)
	says := func(state, headline string) {
		t.Helper()
		code, text := get(t, address+"/live.json")
		if code != 200 || !strings.Contains(text, `"state":"`+state+`"`) || !strings.Contains(text, headline) {
			t.Errorf("want %s, %s: %d, %.600s", state, headline, code, text)
		}
	}
	says("stopped", "Stopped before the end")
	j, err := (&runOptions{pause: run.CheckpointPause}).resumable(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	j.OnStep = func(step int) {
		if step == 600 {
			says("resumed", "The run goes on after step 400")
		}
	}
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	says("finished", "Certified")
	// As kill -9 leaves it: a summary that says running, and nobody who writes.
	s, err := table.ReadSummary(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Status, s.Files = table.Running, nil
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, e := range entries {
		if err := os.Chtimes(filepath.Join(dir, e.Name()), old, old); err != nil {
			t.Fatal(err)
		}
	}
	says("killed", "quasistatic run --resume goes on")
}
