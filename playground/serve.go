package playground

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/engine"
	"github.com/quasistatic/quasistatic/internal/loopback"
	"github.com/quasistatic/quasistatic/table"
)

// Handler serves the page with the engine of a folder, and at native the sums of the tables that this
// program makes of a case: one at a time.
func Handler(version, engineDir string) (http.Handler, error) {
	mux := http.NewServeMux()
	err := Page{Version: version, Native: "native"}.Write(engineDir, func(name string, content []byte) error {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", types[path.Ext(name)])
			_, _ = w.Write(content) // the reader has gone
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	mux.Handle("GET /{$}", http.RedirectHandler("index.html", http.StatusFound))
	turn := make(chan struct{}, 1)
	mux.HandleFunc("POST /native", func(w http.ResponseWriter, r *http.Request) { native(w, r, turn) })
	return loopback.Only(mux), nil
}

var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".gz": "application/gzip"}

// native answers with the sums of the tables of a case, which is run when it has the turn.
func native(w http.ResponseWriter, r *http.Request, turn chan struct{}) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20)) // a case with tables of numbers
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-r.Context().Done():
		return
	}
	sums, err := Sums(r.Context(), text)
	if _, ok := errors.AsType[*casefile.Error](err); ok {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(sums) // the reader has gone
}

// Sums makes the run of a case and returns the sums of its tables. Files that it names are beside it
// in a folder that is empty.
func Sums(ctx context.Context, text []byte) ([]table.Sum, error) {
	dir, err := os.MkdirTemp("", "quasistatic-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	result, err := engine.Run(ctx, text, filepath.Join(dir, "run"), engine.Options{File: filepath.Join(dir, "beside", table.CaseFile)})
	if err != nil {
		return nil, err
	}
	defer result.Close()
	return result.Summary.Files, ctx.Err()
}
