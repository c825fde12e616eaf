package view

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/study"
)

// TestStudy: a run that is kept is read, another one made, both of what the study has; what changes no
// case, is no list, comes from elsewhere, or makes more changes than
// one may is refused.
func TestStudy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "study")
	spec, err := study.Parse("s.json", []byte(`{"case": "play", "vary": {"friction.dry.mu": [0.2, 0.4]}, "expect": false, "keep": "all"}`))
	if err != nil {
		t.Fatal(err)
	}
	base, _ := cases.Read("play")
	if _, err := study.Run(t.Context(), spec, study.Options{Dir: dir, Base: base, File: "play.json", Runner: studies.Runner{}}); err != nil {
		t.Fatal(err)
	}
	h, leave, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	for _, c := range []struct {
		body, site string
		code       int
		how        string
	}{
		{`["friction.dry.mu=0.4"]`, "same-origin", http.StatusOK, "from what is kept of it"},
		{`["friction.dry.mu=0.3"]`, "same-origin", http.StatusOK, "of a run that was made"},
		{`["friction.dry.mu=0.4"]`, "cross-site", http.StatusForbidden, ""},
		{`["friction.dry.muh=0.4"]`, "same-origin", http.StatusUnprocessableEntity, ""},
		{`["friction.dry.mu=-1"]`, "same-origin", http.StatusUnprocessableEntity, ""},
		{`"friction.dry.mu=0.4"`, "same-origin", http.StatusBadRequest, ""},
		{`["friction.dry.mu=0.4"] and more`, "same-origin", http.StatusBadRequest, ""},
		{`["steps=10"` + strings.Repeat(`, "steps=10"`, 1000) + `]`, "same-origin", http.StatusUnprocessableEntity, ""}, // more than one may
	} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:80/run", strings.NewReader(c.body))
		r.Header.Set("Sec-Fetch-Site", c.site)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if text := w.Body.String(); w.Code != c.code || !strings.HasPrefix(w.Header().Get("X-Run"), c.how) ||
			c.how != "" && (!strings.Contains(text, "<h2>Certified: every step is solved</h2>") || strings.Contains(text, "Expected and found")) {
			t.Errorf("%s from %s: %d, %q: %.200s", c.body, c.site, w.Code, w.Header().Get("X-Run"), text)
		}
	}
}
