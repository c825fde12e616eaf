package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// finishedStudy is a convergence study of any model. Its exported fields are what
// convergence.json holds.
type finishedStudy interface {
	draw(dir, title string) error
	print(p *page)
}

// leaveStudy writes a study and its pictures, and prints it.
func leaveStudy(c *cli.Context, k *casefile.Case, s finishedStudy) error {
	dir := c.String("out")
	if dir == "" {
		dir = filepath.Join("out", k.Name+"-convergence")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := table.WriteFile(filepath.Join(dir, "convergence.json"), append(text, '\n')); err != nil {
		return err
	}
	if err := s.draw(dir, k.Name); err != nil {
		return err
	}
	return tell(c, k, s, func(p *page) {
		s.print(p)
		p.line("files", "%s", dir)
	})
}
