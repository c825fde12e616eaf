package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/quasistatic/quasistatic/internal/loopback"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Viewer serves the page of one run folder, whatever becomes of it: a run that begins
// anew there is another run.
type Viewer struct {
	dir string

	mu     sync.Mutex
	shown  *models.Shown // nil: the folder has gone
	opened os.FileInfo   // of the case of the run that is seen
	status table.Status  // of the run when it was opened
	number int           // number of the run that is seen
	drawn  drawn         // the last answer
	pages  int           // that were drawn
}

// New opens the run in a folder; close it.
func New(ctx context.Context, dir string) (*Viewer, error) {
	v := &Viewer{dir: dir}
	return v, v.open(ctx)
}

// open opens the run that is in the folder now. A run replaces its case when it
// begins, so the file tells runs apart.
func (v *Viewer) open(ctx context.Context) error {
	s, err := models.Show(ctx, v.dir)
	if err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(v.dir, table.CaseFile))
	if err != nil {
		s.Close()
		return err
	}
	v.forget()
	v.shown, v.opened, v.status = s, info, s.Status()
	return nil
}

// forget closes the run that is seen.
func (v *Viewer) forget() {
	if v.shown != nil {
		v.shown.Close()
		v.shown = nil
	}
}

// Close closes the files, once an answer that is on its way has been made.
func (v *Viewer) Close() {
	v.mu.Lock() // an answer may be on its way
	defer v.mu.Unlock()
	v.forget()
}

// Handler answers with the page, and with its parts as they are now.
func (v *Viewer) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", v.page)
	mux.HandleFunc("GET /live.json", v.live)
	return loopback.Only(mux)
}

// errGone says that there is no run to look at: it may come again.
var errGone = errors.New("the run folder has gone")

// follow opens the run anew if the folder holds another one, or if the run has ended:
// while it goes on, one file may be ahead of another by a second.
func (v *Viewer) follow(ctx context.Context) error {
	info, err := os.Stat(filepath.Join(v.dir, table.CaseFile))
	if err != nil {
		v.forget()
		return errGone
	}
	same := v.shown != nil && sameFile(info, v.opened)
	if same {
		if err := v.shown.Refresh(); err != nil || v.shown.Status() == v.status {
			return err
		}
	}
	if err := v.open(ctx); err != nil {
		v.forget()
		return err
	}
	if !same {
		v.number++
	}
	return nil
}

// sameFile reports whether a file is the one that it was: a new one may get the number of
// one that was removed.
func sameFile(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// read takes in what is new, and returns a tag of the state reached.
func (v *Viewer) read(ctx context.Context) (tag string, about report.About, err error) {
	if err := v.follow(ctx); err != nil {
		return "", about, err
	}
	s := v.shown
	if _, err := s.Reader.Read(ctx); err != nil && s.Reader.Nodes() > 0 {
		return "", about, err
	}
	// Without a node the files may not be there yet.
	about = s.About()
	return fmt.Sprintf("%d-%d-%s-%d", v.number, s.Reader.Nodes(), about.State(), about.Writing), about, nil
}

func (v *Viewer) page(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = v.frame().Write(w) // the reader has gone
}

// frame is the page before its parts come.
func (v *Viewer) frame() *report.Page {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := &report.Page{Title: filepath.Base(v.dir), Version: run.Version(),
		Verdict: report.Verdict{Class: "open", Headline: "Waiting for the run"}, Live: "live.json"}
	if v.shown != nil {
		p.Title, p.Description = v.shown.Case.Name, v.shown.Case.Description
	}
	return p
}

// live answers with the parts of the page, with 204 if they are those of the tag, or with
// what it waits for.
func (v *Viewer) live(w http.ResponseWriter, r *http.Request) {
	text, err := v.parts(r.Context(), r.URL.Query().Get("since"), time.Now())
	if err == nil && text == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err != nil {
		text, err = json.Marshal(map[string]string{"wait": err.Error()})
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // the reader has gone
}

// drawn is an answer with the state that it shows.
type drawn struct {
	tag  string
	text []byte
	at   time.Time // when it was drawn
}

// parts returns the parts of the page as JSON; nil: they are those of the tag. A state is
// drawn once, whoever asks for it how often: those who asked while it was drawn get it too,
// so that the machine belongs to the run, however many look at it. Nobody waits for another
// to read his answer.
func (v *Viewer) parts(ctx context.Context, since string, asked time.Time) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if d := &v.drawn; d.text == nil || !asked.Before(d.at) {
		if err := v.draw(context.WithoutCancel(ctx)); err != nil {
			v.drawn = drawn{}
			return nil, err
		}
	}
	if v.drawn.tag == since {
		return nil, nil
	}
	return v.drawn.text, nil
}

// draw draws the present state, if it is another one.
func (v *Viewer) draw(ctx context.Context) error {
	tag, about, err := v.read(ctx)
	if err != nil {
		return err
	}
	if v.drawn.text == nil || v.drawn.tag != tag {
		p, err := v.shown.Reader.Page(about)
		if err != nil {
			return err
		}
		if v.drawn.text, err = p.Parts(tag, v.number, about.State(), v.status != table.Running); err != nil {
			return err
		}
		v.drawn.tag, v.pages = tag, v.pages+1
	}
	v.drawn.at = time.Now()
	return nil
}
