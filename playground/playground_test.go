package playground_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/release"
	"github.com/quasistatic/quasistatic/playground"
	"github.com/quasistatic/quasistatic/table"
)

// folder has files in place of those of an engine.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range release.EngineFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("of "+name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestHandler: all that the page loads is served, to this machine and its own pages only.
func TestHandler(t *testing.T) {
	h, err := playground.Handler("v1", folder(t))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, address, body string, header ...string) *http.Response {
		r := httptest.NewRequest(method, address, strings.NewReader(body))
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	const here = "http://127.0.0.1:1234/"
	for _, name := range append(release.EngineFiles, "index.html", "main.js", "worker.js", "files.js") {
		if r := ask("GET", here+name, ""); r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") == "" {
			t.Errorf("%s: %s, %q", name, r.Status, r.Header)
		}
	}
	play, _ := cases.Read("play")
	for _, c := range []struct {
		method, address, body string
		header                []string
		want                  int
	}{
		{"GET", "http://elsewhere.example/index.html", "", nil, http.StatusForbidden},
		{"POST", here + "native", string(play), []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"POST", here + "native", `{"model": "rigid", "bodys": []}`, nil, http.StatusUnprocessableEntity},
		{"POST", here + "native", strings.Repeat(" ", 17<<20), nil, http.StatusRequestEntityTooLarge},
		{"GET", here + "native", "", nil, http.StatusMethodNotAllowed},
	} {
		if r := ask(c.method, c.address, c.body, c.header...); r.StatusCode != c.want {
			t.Errorf("%s %s %q: %s", c.method, c.address, c.header, r.Status)
		}
	}
	var list []table.Sum
	if r := ask("POST", here+"native", string(play), "Sec-Fetch-Site",
		"same-origin"); json.NewDecoder(r.Body).Decode(&list) != nil || len(list) < 3 || len(list[0].SHA256) != 64 {
		t.Errorf("%s: %+v", r.Status, list)
	}
}

// TestNoFiles: a case that was sent reads nothing of this machine.
func TestNoFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.csv")
	if err := os.WriteFile(secret, []byte("t,x\n0,1\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{secret, "../secret.csv", "/etc/passwd"} {
		text := strings.ReplaceAll(`{"model": "energetic", "until": 1, "particles": [{"id": "p", "at": [0, 0, 0]}],
			"anchors": [{"id": "u", "at": {"csv": "NAME", "time": "t", "value": ["x", "x", "x"]}}], "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": 1}]}`,
			"NAME", name)
		if _, err := playground.Sums(t.Context(), []byte(text)); err == nil || strings.Contains(err.Error(), "0,1") ||
			strings.Contains(err.Error(), "root:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFindEngine: a folder without one says how to make it.
func TestFindEngine(t *testing.T) {
	dir := folder(t)
	if found, err := playground.FindEngine(dir); err != nil || found != dir {
		t.Errorf("%q, %v", found, err)
	}
	if _, err := playground.FindEngine(t.TempDir()); err == nil || !strings.Contains(err.Error(), "go run ./scripts/engine") {
		t.Error(err)
	}
}
