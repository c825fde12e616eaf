package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// viewCommand returns `quasistatic view DIR`.
func viewCommand() *cli.Command {
	return &cli.Command{
		Name:      "view",
		Usage:     "watch a run in the browser while it goes on",
		ArgsUsage: "DIR",
		Description: "Serves the page of quasistatic report on 127.0.0.1 only, from the files as they grow, until Ctrl-C.\n" +
			"It reads what is new when the page asks for it, once a second; the run does not notice.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "port", Usage: "`PORT` to serve on; 0 takes a free one"},
		},
		Action: viewAction,
	}
}

func viewAction(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return inputError("view: found %d arguments, want one run folder, for instance: quasistatic view out/grazing", c.Args().Len())
	}
	if p := c.Int("port"); p < 0 || p > 65535 {
		return inputError("view: --port is %d, want 0 to 65535", p)
	}
	v, err := newViewer(c.Context, c.Args().First())
	if err != nil {
		return err
	}
	defer v.close()
	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", c.Int("port")))
	if err != nil {
		return cli.Exit("quasistatic: view: "+err.Error(), exitFailed)
	}
	if _, err := fmt.Fprintf(c.App.Writer, "http://%s shows %s; Ctrl-C ends it\n", listener.Addr(), v.dir); err != nil {
		return err
	}
	return v.serve(c.Context, listener)
}

// viewer serves the page of one run folder, whatever becomes of it: a run that begins
// anew there is another run.
type viewer struct {
	dir string

	mu     sync.Mutex
	shown  *openedRun   // nil: the folder has gone
	opened os.FileInfo  // of the case of the run that is seen
	status table.Status // of the run when it was opened
	number int          // number of the run that is seen
	drawn  drawn        // the last answer
	pages  int          // that were drawn
}

func newViewer(ctx context.Context, dir string) (*viewer, error) {
	v := &viewer{dir: dir}
	return v, v.open(ctx)
}

// open opens the run that is in the folder now. A run replaces its case when it
// begins, so the file tells runs apart.
func (v *viewer) open(ctx context.Context) error {
	s, err := openRun(ctx, "view", v.dir)
	if err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(v.dir, table.CaseFile))
	if err != nil {
		s.close()
		return inputError("view: %v", err)
	}
	v.forget()
	v.shown, v.opened, v.status = s, info, s.status()
	return nil
}

// forget closes the run that is seen.
func (v *viewer) forget() {
	if v.shown != nil {
		v.shown.close()
		v.shown = nil
	}
}

func (v *viewer) close() {
	v.mu.Lock() // an answer may be on its way
	defer v.mu.Unlock()
	v.forget()
}

func (v *viewer) serve(ctx context.Context, listener net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", v.page)
	mux.HandleFunc("GET /live.json", v.live)
	s := &http.Server{Handler: local(mux), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return cli.Exit("quasistatic: view: "+err.Error(), exitFailed)
	}
	return nil
}

// local refuses what does not name this machine: a foreign page could otherwise
// ask through a name of its own that leads here.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if host != "127.0.0.1" && host != "localhost" {
			http.Error(w, "served to this machine only", http.StatusForbidden)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// errGone says that there is no run to look at: it may come again.
var errGone = errors.New("the run folder has gone")

// follow opens the run anew if the folder holds another one, or if the run has ended:
// while it goes on, one file may be ahead of another by a second.
func (v *viewer) follow(ctx context.Context) error {
	info, err := os.Stat(filepath.Join(v.dir, table.CaseFile))
	if err != nil {
		v.forget()
		return errGone
	}
	same := v.shown != nil && sameFile(info, v.opened)
	if same {
		if err := v.shown.refresh(); err != nil || v.shown.status() == v.status {
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
func (v *viewer) read(ctx context.Context) (tag string, about report.About, err error) {
	if err := v.follow(ctx); err != nil {
		return "", about, err
	}
	s := v.shown
	if _, err := s.run.Read(ctx); err != nil && s.run.Nodes() > 0 {
		return "", about, err
	}
	// Without a node the files may not be there yet.
	about = s.about()
	return fmt.Sprintf("%d-%d-%s-%d", v.number, s.run.Nodes(), about.State(), about.Writing), about, nil
}

func (v *viewer) page(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = v.frame().Write(w) // the reader has gone
}

// frame is the page before its parts come.
func (v *viewer) frame() *report.Page {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := &report.Page{Title: filepath.Base(v.dir), Version: run.Version(), Verdict: report.Verdict{Class: "open", Headline: "Waiting for the run"}, Live: "live.json"}
	if v.shown != nil {
		p.Title, p.Description = v.shown.c.Name, v.shown.c.Description
	}
	return p
}

// live answers with the parts of the page, with 204 if they are those of the tag, or with
// what it waits for.
func (v *viewer) live(w http.ResponseWriter, r *http.Request) {
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
func (v *viewer) parts(ctx context.Context, since string, asked time.Time) ([]byte, error) {
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
func (v *viewer) draw(ctx context.Context) error {
	tag, about, err := v.read(ctx)
	if err != nil {
		return err
	}
	if v.drawn.text == nil || v.drawn.tag != tag {
		p, err := v.shown.run.Page(about)
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
