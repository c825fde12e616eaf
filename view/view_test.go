package view

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
)

// impact shows a finished run of block-impact.
func impact(t *testing.T) *Viewer {
	t.Helper()
	text, ok := cases.Read("block-impact")
	if !ok {
		t.Fatal("no case block-impact")
	}
	v, err := New(t.Context(), trial.Run(t, string(text), &elastic.Model).Dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}

// ask returns the answer to a request.
func ask(v *Viewer, address string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	v.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	return w
}

// TestAnswers: the page, its parts once for each tag, nothing for who calls this machine by
// another name, and what it waits for where the folder has gone.
func TestAnswers(t *testing.T) {
	v := impact(t)
	if w := ask(v, "http://localhost/"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `data-live="live.json"`) {
		t.Errorf("the page: %d, %.300s", w.Code, w.Body)
	}
	if w := ask(v, "http://127.0.0.1:80/live.json"); w.Code != http.StatusOK || w.Body.Len() < 1000 {
		t.Errorf("its parts: %d, %.300s", w.Code, w.Body)
	}
	if w := ask(v, "http://localhost/live.json?since="+v.drawn.tag); w.Code != http.StatusNoContent {
		t.Errorf("the same parts again: %d", w.Code)
	}
	if w := ask(v, "http://evil.example/live.json"); w.Code != http.StatusForbidden {
		t.Errorf("a foreign host gets %d", w.Code)
	}
	if err := os.RemoveAll(v.dir); err != nil {
		t.Fatal(err)
	}
	if w := ask(v, "http://localhost/live.json"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "has gone") {
		t.Errorf("the folder has gone: %d, %.300s", w.Code, w.Body)
	}
	if _, err := New(t.Context(), v.dir); err == nil || !strings.Contains(err.Error(), "is not a folder") {
		t.Error(err)
	}
}

// TestManyAsk: a thousand requests at once draw the page once.
func TestManyAsk(t *testing.T) {
	v := impact(t)
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

// TestSlowReader: who does not read his answer keeps nobody waiting.
func TestSlowReader(t *testing.T) {
	v := impact(t)
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
