package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/engine"
	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/loopback"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
)

// Study serves the page of a study, and the pages of its runs: of what is kept they are drawn, the
// others are made.
//
//	GET /        the page, as much as is known
//	POST /run    the page of a run, by what it changes: a list of PATH=VALUE
type Study struct {
	dir  string
	turn chan struct{} // one run at a time
}

// Open serves the run or the study in a folder, until leave is called.
func Open(ctx context.Context, dir string) (h http.Handler, leave func(), err error) {
	if _, err := os.Stat(filepath.Join(dir, study.SpecFile)); err == nil {
		s, err := NewStudy(dir)
		return s.Handler(), func() {}, err
	}
	v, err := New(ctx, dir)
	return v.Handler(), v.Close, err
}

// NewStudy opens the study in a folder.
func NewStudy(dir string) (*Study, error) {
	_, err := study.Open(dir)
	return &Study{dir, make(chan struct{}, 1)}, err
}

// Handler answers with the page, and with those of runs.
func (s *Study) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("POST /run", s.run)
	return loopback.Only(mux)
}

// page answers with what is known of the study now.
func (s *Study) page(w http.ResponseWriter, _ *http.Request) {
	p, err := s.read()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = p.Write(w) // the reader has gone
}

func (s *Study) read() (*report.Page, error) {
	t, err := study.Open(s.dir)
	if err != nil {
		return nil, err
	}
	p, err := t.Page(s.dir, run.Version(), false)
	if err != nil {
		return nil, err
	}
	if _, err := models.Grammar().Decode(study.BaseFile, t.Plan.Base()); err == nil { // no assembly
		p.Runs.Open = "run"
	}
	return p, nil
}

// run answers with the page of a run. What a study says of a case that is wrong is said here, too.
func (s *Study) run(w http.ResponseWriter, r *http.Request) {
	var changes []string
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(body, &changes)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-r.Context().Done():
		return
	}
	page, how, err := s.open(r, changes)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Run", how)
	_ = page.Write(w) // the reader has gone
}

// open reads the run that is kept, or makes it in a folder of its own.
func (s *Study) open(r *http.Request, changes []string) (p *report.Page, how string, err error) {
	t, err := study.Open(s.dir)
	if err != nil {
		return nil, "", err
	}
	base := t.Plan.Base()
	text, err := casefile.SetAll(base, changes, func(text []byte, path string) error {
		return errors.Join(r.Context().Err(), models.Grammar().CheckPath(text, path))
	})
	if err != nil {
		return nil, "", err
	}
	if kept := filepath.Join(s.dir, study.RunsFolder, t.Plan.ID(text)); models.IsFolder(kept) {
		shown, err := models.Show(r.Context(), kept)
		if err != nil {
			return nil, "", err
		}
		defer shown.Close()
		p, err = shown.Page(r.Context())
		return p, "from what is kept of it", err
	}
	scratch, err := os.MkdirTemp("", "quasistatic-")
	if err != nil {
		return nil, "", err
	}
	defer disk.RemoveAll(scratch)
	result, err := engine.Run(r.Context(), text, filepath.Join(scratch, "run"), engine.Options{File: filepath.Join(s.dir, t.Plan.Spec.Name+".json")})
	if err != nil {
		return nil, "", err
	}
	defer result.Close()
	if err := r.Context().Err(); err != nil { // half a run
		return nil, "", err
	}
	p, err = result.Page(r.Context())
	return p, fmt.Sprintf("of a run that was made in %.2g s", result.Summary.WallSeconds), err
}
