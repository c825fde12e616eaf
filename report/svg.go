package report

import (
	"fmt"
	"html/template"
)

// Drawing is a figure of a page before it is drawn; a plot that is nil has nothing to show.
type Drawing struct {
	ID      string // of the element
	Caption string
	Plot    func() *Plot
	Time    bool // its x-axis is the time: the page moves a line along it
}

// Draw makes the figures that show something; the warnings say what could not be drawn.
func Draw(list []Drawing) (figures []Figure, warnings []string) {
	for _, d := range list {
		var f Figure
		nothing := false
		err := guarded(func() error {
			p := d.Plot()
			if p == nil {
				nothing = true
				return nil
			}
			if p.Nothing != "" {
				f = Figure{ID: d.ID, Caption: d.Caption, Sentence: Plain(p.Title + ": " + p.Nothing)}
				return nil
			}
			x, err := p.draw()
			if err == nil {
				f, err = figure(d.ID, d.Caption, x, d.Time)
				f.data = p.data(d.ID, d.Time)
			}
			return err
		})
		switch {
		case err != nil:
			warnings = append(warnings, fmt.Sprintf("the figure %s is not drawn: %v", d.ID, err))
		case !nothing:
			figures = append(figures, f)
		}
	}
	return figures, warnings
}

// Figure is a plot in the page.
type Figure struct {
	ID      string // of the element
	Caption string
	SVG     template.HTML
	// Sentence stands for a plot that would show nothing but zero or rounding.
	Sentence string
	data     *plotData // nil: it cannot be looked into
}

// In is the tab that has the figure on a phone.
func (f *Figure) In() string {
	if f.data != nil && f.data.Map != nil {
		return "maps"
	}
	return "plots"
}

// guarded turns a panic of the plotting library, which it has for numbers that it cannot
// show, into an error.
func guarded(make func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return make()
}
