package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
	//go:embed draw.js
	drawJS string
	//go:embed bodies.js
	bodiesJS string
	//go:embed cone.js
	coneJS string

	pageTemplate = template.Must(template.New("report").Parse(pageHTML))
)

// Page is one HTML file about a run, whatever its model.
type Page struct {
	Title, Description string
	Version            string // of the program
	Verdict            Verdict
	Facts              []Row
	Scene              *Scene // nil: nothing to animate
	Figures            []Figure
	Expectations       []Expected
	Certificates       []Row
	Events             []Event // the first ones
	EventCount         string
	EventHead          []string // of the table of events
	Warnings           []string // what could not be drawn
	Case               string
	// Live is the address from which the page fetches its parts while the run goes
	// on; empty: it is complete.
	Live string
}

// Expected is a line of the table of expectations.
type Expected struct {
	Row
	Met bool
}

// Event is a line of the table of events, its fields those of the head.
type Event []string

// CSS and JS are the parts that all pages share.
func (p *Page) CSS() template.CSS { return template.CSS(pageCSS) }

// JS returns the program of the page. Its parts have files of their own, which go in
// at their marks.
func (p *Page) JS() template.JS {
	return template.JS(strings.NewReplacer("  //DRAW\n", drawJS, "  //BODIES\n", bodiesJS, "  //CONE\n", coneJS).Replace(pageJS))
}

// SceneJSON returns the scene as the page holds it. Encoding escapes <, > and &, so
// that names cannot end the element.
func (p *Page) SceneJSON() (template.JS, error) {
	text, err := json.Marshal(p.Scene)
	return template.JS(text), err
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	if err := pageTemplate.ExecuteTemplate(w, "page", p.plainPage()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// Parts returns the parts of the page that change while a run goes on, as JSON: the tag
// names the state, run is the number of the run that is seen, state a word for how it is, done says that it
// ended.
func (p *Page) Parts(tag string, run int, state string, done bool) ([]byte, error) {
	p = p.plainPage()
	parts := map[string]string{}
	for _, name := range []string{"verdict", "figures", "tables"} {
		var b bytes.Buffer
		if err := pageTemplate.ExecuteTemplate(&b, name, p); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		parts[name] = b.String()
	}
	return json.Marshal(map[string]any{"tag": tag, "run": run, "done": done, "state": state, "parts": parts, "scene": p.Scene})
}
