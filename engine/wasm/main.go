//go:build js

// Command wasm is the engine as the program of a web page, in a worker: playground/worker.js starts
// it, and gives it files in memory. It takes requests as JSON, one after the other, and answers each
// in JSON.
//
//	GOOS=js GOARCH=wasm go build -trimpath -ldflags="-s -w" ./engine/wasm
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/engine"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// folder is that of the last run.
const folder = "/run"

// request is what a page asks for.
type request struct {
	ID    int             `json:"id"`
	Do    string          `json:"do"`
	Name  string          `json:"name"` // of a built-in case, or of a file
	Text  string          `json:"text"` // of a case
	Path  string          `json:"path"` // of a number in it
	Value json.RawMessage `json:"value"`
}

// answer is one to a request, with its number.
type answer struct {
	ID     int      `json:"id"`
	Error  string   `json:"error,omitempty"`
	Faults []fault  `json:"faults,omitempty"` // of a case
	Names  []string `json:"names,omitempty"`  // of the built-in cases
	Text   string   `json:"text,omitempty"`   // of a case, or of a page
	// Numbers of a case, for sliders.
	Numbers []casefile.Number `json:"numbers,omitempty"`
	// Of a run.
	Title   string          `json:"title,omitempty"`
	SHA256  string          `json:"sha256,omitempty"` // of the case
	Version string          `json:"version,omitempty"`
	Brief   string          `json:"brief,omitempty"`
	Seconds float64         `json:"seconds,omitempty"`
	Drawn   float64         `json:"drawn,omitempty"` // time that the page took [s]
	Files   []table.Sum     `json:"files,omitempty"`
	Parts   json.RawMessage `json:"parts,omitempty"`
}

type fault struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Path   string `json:"path"`
	Text   string `json:"text"`
}

// program answers requests; page is that of the last run.
type program struct {
	page *report.Page
}

func main() {
	requests := make(chan request, 16) // a page asks for one thing at a time
	js.Global().Set("ask", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var q request
		if err := json.Unmarshal([]byte(args[0].String()), &q); err != nil {
			return err.Error()
		}
		requests <- q
		return nil
	}))
	say("ready", map[string]string{"version": run.Version()})
	var p program
	for q := range requests {
		a := answer{ID: q.ID}
		if err := p.answer(&a, &q); err != nil {
			a.Error = err.Error()
			if list, ok := errors.AsType[*casefile.Error](err); ok {
				for _, f := range list.Faults {
					a.Faults = append(a.Faults, fault{f.Line, f.Column, f.Path, f.Text})
				}
			}
		}
		say("answer", &a)
	}
}

// say tells the worker something of a kind.
func say(kind string, what any) {
	text, err := json.Marshal(what)
	if err != nil {
		kind, text = "broken", []byte(fmt.Sprintf("%q", err))
	}
	js.Global().Call("told", kind, string(text))
}

// answer does what is asked for.
func (p *program) answer(a *answer, q *request) (err error) {
	switch q.Do {
	case "cases":
		a.Names = cases.Names()
	case "case":
		text, ok := cases.Read(q.Name)
		if !ok {
			return fmt.Errorf("there is no built-in case %q", q.Name)
		}
		a.Text = string(text)
	case "numbers":
		a.Numbers, err = models.Grammar().Numbers([]byte(q.Text))
	case "set":
		var text []byte
		text, err = casefile.Set([]byte(q.Text), q.Path, q.Value)
		a.Text = string(text)
	case "run":
		err = p.run(a, q)
	case "page":
		if p.page == nil {
			return errors.New("there is no run yet")
		}
		var b bytes.Buffer
		err = p.page.Write(&b)
		a.Text = b.String()
	default:
		err = fmt.Errorf("nothing is known of %q", q.Do)
	}
	return err
}

// run makes a run, and the parts of its page.
func (p *program) run(a *answer, q *request) error {
	ctx, told := context.Background(), time.Now()
	r, err := engine.Run(ctx, []byte(q.Text), folder, engine.Options{File: q.Name + ".json", OnStep: func(step int, t float64) {
		if time.Since(told) > 100*time.Millisecond { // ten times a second, as often as the bar of a terminal
			told = time.Now()
			say("step", map[string]any{"id": q.ID, "step": step, "t": t})
		}
	}, OnPrepare: func(text string) { say("prepare", map[string]any{"id": q.ID, "text": text}) }})
	if err != nil {
		return err
	}
	defer r.Close()
	s := r.Summary
	a.Title, a.SHA256, a.Version, a.Brief, a.Seconds, a.Files = s.Name, s.CaseSHA256, s.Version, r.Brief, s.WallSeconds, s.Files
	began := time.Now()
	if p.page, err = r.Page(ctx); err != nil {
		return err
	}
	a.Parts, err = p.page.Parts("", 0, "", true)
	a.Drawn = time.Since(began).Seconds()
	return err
}
