package report

// Pictures for paper, and the SVG of a page whose program does not run, are drawn by gonum/plot, which
// brings 4 MB of fonts. A program of a page does without: page.js draws each plot from its numbers.

// drawn is a plot that has something to show.
type drawn struct{}

// draw looks whether there is anything to draw.
func (p *Plot) draw() (drawn, error) { return drawn{}, p.blank() }

// figure is an element of the page, which the page's program fills.
func figure(id, caption string, _ drawn, _ bool) (Figure, error) {
	return Figure{ID: id, Caption: caption}, nil
}

// DrawPicture draws nothing: there is no folder that others see.
func DrawPicture(_, name, _ string, _ ...*Plot) (warnings []string, err error) {
	return []string{name + " is not drawn: the program of a page makes no pictures for paper"}, nil
}
