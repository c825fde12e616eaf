package report

import "github.com/quasistatic/quasistatic/internal/plain"

// Plain escapes what must not be printed of a name: characters of control and marks of
// direction.
func Plain(s string) string { return plain.Text(s) }

// plainPage returns a page whose texts are safe to print.
func (p *Page) plainPage() *Page {
	q := *p
	for _, s := range []*string{&q.Title, &q.Lead, &q.Version, &q.EventCount, &q.Verdict.Headline, &q.Verdict.Worst} {
		*s = plain.Text(*s)
	}
	q.Description, q.Case = plain.Lines(q.Description), plain.Lines(q.Case)
	q.Verdict.Also = plainAll(q.Verdict.Also)
	q.Verdict.Sentences, q.Warnings, q.EventHead = plainAll(q.Verdict.Sentences), plainAll(q.Warnings), plainAll(q.EventHead)
	q.Facts, q.Certificates = plainRows(q.Facts), plainRows(q.Certificates)
	q.Expectations = nil
	for _, e := range p.Expectations {
		e.Row = plainRow(e.Row)
		q.Expectations = append(q.Expectations, e)
	}
	q.Runs, q.Sheets = plainRuns(p.Runs), nil
	for _, s := range p.Sheets {
		s.Title, s.Note, s.Text, s.Head = plain.Text(s.Title), plain.Text(s.Note), plain.Lines(s.Text), plainAll(s.Head)
		rows := s.Rows
		s.Rows = nil
		for _, row := range rows {
			cells := make([]Cell, len(row))
			for i, c := range row {
				c.Text = plain.Text(c.Text)
				cells[i] = c
			}
			s.Rows = append(s.Rows, cells)
		}
		q.Sheets = append(q.Sheets, s)
	}
	q.Judged = nil
	for _, j := range p.Judged {
		j.Word, j.Name, j.Note = plain.Text(j.Word), plain.Text(j.Name), plain.Text(j.Note)
		q.Judged = append(q.Judged, j)
	}
	q.Events = nil
	for _, e := range p.Events {
		q.Events = append(q.Events, plainAll(e))
	}
	if p.Scene != nil {
		s := *p.Scene
		s.IDs, s.ShadeLabel, s.Bodies = plainAll(s.IDs), plain.Text(s.ShadeLabel), nil
		for _, b := range p.Scene.Bodies {
			b.Name = plain.Text(b.Name)
			s.Bodies = append(s.Bodies, b)
		}
		q.Scene = &s
	}
	return &q
}

func plainAll(list []string) []string {
	if list == nil {
		return nil
	}
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = plain.Text(s)
	}
	return texts
}

func plainRow(r Row) Row { return Row{plain.Text(r[0]), plain.Text(r[1]), plain.Text(r[2])} }

func plainRows(list []Row) []Row {
	var rows []Row
	for _, r := range list {
		rows = append(rows, plainRow(r))
	}
	return rows
}
