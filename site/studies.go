package site

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/study"
)

// study leaves a built-in study and, if it is one of those that have pages, makes its runs and its page, in
// which the engine makes the pages of runs; the card says why there is none. nil: it has no card.
func (s *site) study(ctx context.Context, name string) (*card, error) {
	text, _ := cases.Study(name)
	file := "cases/studies/" + name + ".json"
	if err := s.write(file, text); err != nil {
		return nil, err
	}
	s.pages[file] = file
	spec, err := study.Parse(name+".json", text)
	if err != nil || !slices.Contains(s.Studies, name) {
		return nil, err
	}
	x := &card{Name: "study " + name, Model: "study", Case: "studies/" + name + ".json"}
	base, _ := cases.Read(spec.Case)
	o := study.Options{Base: base, File: spec.Case + ".json", Runner: studies.Runner{}, Version: s.Version,
		Engine: study.Pool{Workers: max(1, s.Workers)}}
	if o.Dir, err = os.MkdirTemp("", "quasistatic-"); err != nil {
		return nil, err
	}
	defer disk.RemoveAll(o.Dir)
	limited, cancel := context.WithTimeout(ctx, s.Patience)
	defer cancel()
	t, err := study.Run(limited, spec, o)
	if limited.Err() != nil {
		x.Why = fmt.Sprintf("its runs take longer than %v", s.Patience)
		return x, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	p, err := t.Page(o.Dir, s.Version, false)
	if err != nil {
		return nil, err
	}
	p.Links = []report.Link{{Text: "Gallery", Address: "../index.html"}, {Text: "study", Address: filepath.Base(x.Case)}}
	if p.Runs.Links = nil; s.Engine != "" {
		p.Runs.Playground = "../../playground/index.html#case=" + spec.Case
	}
	x.First, x.Verdict, x.Good = p.Lead, p.Verdict.Headline, p.Verdict.Class != "poor"
	x.Page = "studies/" + name + ".html"
	s.pages[file] = "cases/" + x.Page
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil, err
	}
	return x, s.write("cases/"+x.Page, b.Bytes())
}
