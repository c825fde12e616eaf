package site

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/crew"
	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// card is a case in the gallery.
type card struct {
	Name, Model, First string // the first sentence of its description
	Case               string // its file
	Page, Picture      string // empty: none
	Verdict            string
	Good               bool
	Why                string      // there is no page
	sha                string      // of the case
	sums               []table.Sum // of its tables
}

// gallery makes the pages of the cases, and the page that leads to them.
func (s *site) gallery(ctx context.Context) error {
	var cards []card
	work := func(ctx context.Context, i int) (*card, error) {
		c, err := s.show(ctx, s.Cases[i])
		if err != nil {
			err = fmt.Errorf("site: %s: %w", s.Cases[i], err)
		}
		return c, err
	}
	done := func(_ int, c *card) error {
		cards = append(cards, *c)
		if c.sums != nil {
			s.sums[c.sha] = c.sums
		}
		s.pages["cases/"+c.Name+".json"] = "cases/" + cmp.Or(c.Page, c.Case)
		if s.OnCase != nil {
			s.OnCase(c.Name, cmp.Or(c.Why, c.Verdict))
		}
		return nil
	}
	if err := crew.Each(ctx, s.Workers, crew.Down(len(s.Cases)), work, done); err != nil {
		return err
	}
	slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.Name, b.Name) })
	for _, name := range cases.Studies() {
		c, err := s.study(ctx, name)
		if err != nil {
			return fmt.Errorf("site: study %s: %w", name, err)
		}
		if c != nil {
			cards = append(cards, *c)
		}
	}
	s.pages["cases"] = "cases/index.html"
	return s.page("cases/index.html", &shell{Title: "Gallery", Cards: cards})
}

// show runs a case and leaves its page and a strip of its frames.
func (s *site) show(ctx context.Context, name string) (*card, error) {
	c, err := models.BuiltIn(name)
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(c.Description, ". ")
	x := &card{Name: name, Model: models.Find(c).Title, First: strings.TrimSuffix(first, "."), Case: name + ".json"}
	if err := s.write("cases/"+x.Case, c.Raw); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "quasistatic-")
	if err != nil {
		return nil, err
	}
	defer disk.RemoveAll(scratch)
	dir := filepath.Join(scratch, "run")
	t, err := run.New(ctx, c, models.Find(c), dir)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, s.Patience)
	defer cancel()
	if err := t.Run(limited); err != nil && ctx.Err() == nil && limited.Err() == nil {
		return nil, err
	}
	if limited.Err() != nil {
		x.Why = fmt.Sprintf("its run takes longer than %v", s.Patience)
		return x, ctx.Err()
	}
	x.sha, x.sums = t.Summary.CaseSHA256, t.Summary.Files
	return x, s.leave(ctx, x, dir)
}

// leave makes the page of a run.
func (s *site) leave(ctx context.Context, x *card, dir string) error {
	shown, err := models.Show(ctx, dir)
	if err != nil {
		return err
	}
	defer shown.Close()
	p, err := shown.Page(ctx)
	if err != nil {
		return err
	}
	x.Verdict, x.Good = p.Verdict.Headline, p.Verdict.Class != "poor"
	p.Links = []report.Link{{Text: "Gallery", Address: "index.html"}, {Text: "case", Address: x.Case}}
	if s.Engine != "" {
		p.Links = append(p.Links, report.Link{Text: "open in the playground", Address: "../playground/index.html#case=" + x.Name})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return err
	}
	if b.Len() > 3<<20 { // bytes that a reader waits for
		x.Why = fmt.Sprintf("it would have %d MB", b.Len()>>20)
		return nil
	}
	x.Page = x.Name + ".html"
	if err := s.write("cases/"+x.Page, b.Bytes()); err != nil {
		return err
	}
	if p.Scene == nil || len(p.Scene.Times) == 0 {
		return nil
	}
	strip, err := p.Scene.Film(x.Name, report.FilmOptions{Frames: 3, Strip: true})
	if err != nil {
		return nil // a card without a picture: what cannot be drawn is no result
	}
	x.Picture = x.Name + ".svg"
	return s.write("cases/"+x.Picture, strip)
}
