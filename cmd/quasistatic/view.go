package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/trajectory"
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
	v, err := newViewer(c.Args().First())
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

// viewer serves the page of one run folder.
type viewer struct {
	*seen
	mu sync.Mutex
}

func newViewer(dir string) (*viewer, error) {
	s, err := openSeen("view", dir)
	if err != nil {
		return nil, err
	}
	return &viewer{seen: s}, nil
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

// read takes in what is new, and returns a tag of the state reached.
func (v *viewer) read(ctx context.Context) (tag string, err error) {
	if err := v.refresh(); err != nil {
		return "", err
	}
	if _, err := v.run.Read(ctx); err != nil && v.run.Nodes() > 0 {
		return "", err
	}
	// Without a node the files may not be there yet.
	status := trajectory.Running
	if v.summary != nil {
		status = v.summary.Status
	}
	return fmt.Sprintf("%d-%s", v.run.Nodes(), status), nil
}

func (v *viewer) page(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := &report.Page{Title: v.c.Name, Description: v.c.Description, Version: version, Verdict: report.Words(nil), Live: "live.json"}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = p.Write(w) // the reader has gone
}

// live answers with the parts of the page, or with 204 if they are those of the tag.
func (v *viewer) live(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	tag, err := v.read(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if tag == r.URL.Query().Get("since") {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	p, err := v.run.Page(v.about())
	var text []byte
	if err == nil {
		text, err = p.Parts(tag, v.summary != nil && v.summary.Status != trajectory.Running)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // the reader has gone
}
