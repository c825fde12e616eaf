package run

import (
	"bytes"
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// refer decodes the references of a case, whose columns are those of its plan.
func refer(ctx context.Context, c *casefile.Case, p *Plan) error {
	if p == nil || p.Layout == nil || !bytes.Contains(c.Document(), []byte(`"reference"`)) {
		return nil
	}
	var d struct { // of a model, whose other keys may have types of its own: "steps": "events"
		Reference []casefile.ReferenceDocument `json:"reference"`
	}
	b := casefile.NewBuilder(ctx, c, &d)
	var columns []string
	for i := range p.Layout.Sheets {
		columns = append(columns, p.Layout.Sheets[i].Columns...)
	}
	p.References = b.References(d.Reference, columns, p.Until)
	for _, name := range b.Files {
		if !slices.Contains(p.Files, name) {
			p.Files = append(p.Files, name)
		}
	}
	return b.Err()
}

// references gives those of a plan to a page, each with the file of its column.
func references(p *Plan) (list []report.Reference) {
	for _, r := range p.References {
		i := slices.IndexFunc(p.Layout.Sheets, func(s table.Sheet) bool { return slices.Contains(s.Columns, r.Column) })
		list = append(list, report.Reference{File: p.Layout.Sheets[i].File, Column: r.Column, At: r.At})
	}
	return list
}
