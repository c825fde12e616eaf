package main

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
)

// TestReportHTML checks the pages of one case of each model as strictly as XML: every
// element is closed in order, attributes are quoted and unique; besides, that ids are
// unique and exist where something refers to them, and that elements are where HTML
// has them.
func TestReportHTML(t *testing.T) {
	thorough.Seconds(t)
	for _, name := range []string{"play", "press-and-drag", "ellipse", "slider-crank", "block-impact"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkHTML(t, read(t, reported(t, name)))
		})
	}
}

// TestHTMLCheck breaks a page in ways that the check must find.
func TestHTMLCheck(t *testing.T) {
	const whole = `<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><p id="a">x<br>y</p><label for="a">z</label><table><tbody><tr><td>1</td></tr></tbody></table></body></html>`
	if faults := htmlFaults(whole); len(faults) > 0 {
		t.Errorf("%q", faults)
	}
	for _, c := range []struct{ old, new string }{
		{"</p>", ""}, {`id="a"`, `id=a`}, {`for="a"`, `for="b"`}, {"z</label>", `<i id="a"></i></label>`},
		{"<td>1</td>", "1"}, {"<tr>", ""}, {` lang="en"`, ""}, {"<title>x</title>", ""}, {"<!DOCTYPE html>", ""},
		{`<p id="a">`, `<p id="a" id="c">`},
	} {
		if faults := htmlFaults(strings.Replace(whole, c.old, c.new, 1)); len(faults) == 0 {
			t.Errorf("%q for %q is not found", c.new, c.old)
		}
	}
}

func checkHTML(t *testing.T, page string) {
	t.Helper()
	for _, f := range htmlFaults(page) {
		t.Error(f)
	}
}

var (
	// programs are elements whose text is not markup.
	programs = regexp.MustCompile(`(?s)(<(?:script|style)[^>]*>).*?(</(?:script|style)>)`)
	// void are elements that HTML does not close.
	void = regexp.MustCompile(`<(br|hr|img|input|link|meta)\b([^>]*?)/?>`)
	// parents are those that an element must have.
	parents = map[string][]string{"tr": {"thead", "tbody"}, "td": {"tr"}, "th": {"tr"}, "thead": {"table"},
		"tbody": {"table"}, "option": {"select"},
		"figcaption": {"figure"}, "dt": {"div"}, "dd": {"div"}, "summary": {"details"}, "title": {"head", "svg"}}
	// noText are elements that hold no text of their own.
	noText = []string{"table", "thead", "tbody", "tr", "dl", "select", "html", "head", "svg", "g"}
)

func htmlFaults(page string) (faults []string) {
	if !strings.HasPrefix(page, "<!DOCTYPE html>") {
		faults = append(faults, "no doctype")
	}
	d := xml.NewDecoder(strings.NewReader(void.ReplaceAllString(programs.ReplaceAllString(page, "$1$2"), "<$1$2/>")))
	d.Entity = xml.HTMLEntity
	var stack []string
	ids, refers, seen := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return append(faults, err.Error())
		}
		parent := ""
		if len(stack) > 0 {
			parent = stack[len(stack)-1]
		}
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			seen[name] = true
			if want := parents[name]; want != nil && !slices.Contains(want, parent) {
				faults = append(faults, name+" in "+parent)
			}
			faults = append(faults, attributes(name, x.Attr, ids, refers)...)
			stack = append(stack, name)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if text := strings.TrimSpace(string(x)); text != "" && slices.Contains(noText, parent) {
				faults = append(faults, "text in "+parent+": "+text)
			}
		}
	}
	for id := range refers {
		if !ids[id] {
			faults = append(faults, "nothing has the id "+id)
		}
	}
	if !seen["title"] {
		faults = append(faults, "no title")
	}
	return faults
}

// attributes checks those of one element.
func attributes(element string, list []xml.Attr, ids, refers map[string]bool) (faults []string) {
	known := map[string]bool{}
	for _, a := range list {
		if known[a.Name.Space+a.Name.Local] {
			faults = append(faults, element+" has "+a.Name.Local+" twice")
		}
		known[a.Name.Space+a.Name.Local] = true
		switch a.Name.Local {
		case "id":
			if ids[a.Value] || a.Value == "" {
				faults = append(faults, "the id "+a.Value+" is there twice, or empty")
			}
			ids[a.Value] = true
		case "for", "aria-describedby", "aria-labelledby":
			refers[a.Value] = true
		}
	}
	if element == "html" && !known["lang"] {
		faults = append(faults, "html has no lang")
	}
	return faults
}

// TestFigures: the page of each model has the figures of what it is about.
func TestFigures(t *testing.T) {
	thorough.Seconds(t)
	for name, want := range map[string]string{
		"grazing":               "positions cone forces loop energies gap timeline",
		"cattaneo-mindlin":      "positions cone map pressure traction zones profile forces loop energies gap timeline",
		"press-and-drag":        "positions cone map along forces sensors loop energies gap timeline",
		"ellipse":               "positions angles velocities spins cone normal slip map energies balance",
		"braking-point":         "positions velocities cone normal slip energies balance",
		"double-pendulum-floor": "positions angles velocities spins cone normal contacts impacts energies balance constraints variation",
		"block-braking":         "forces pressure map energies balance iterations",
		"impacting-bar":         "forces energies balance iterations",
		"joint-oscillation":     "positions velocities energies balance constraints variation",
	} {
		if name == "cattaneo-mindlin" && !thorough.Asked() {
			continue // TestDrawSurfaces and TestSurfaceView of particleview have its panels
		}
		dir, _ := finished(t, name)
		s, err := models.Show(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Page(t.Context())
		s.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var ids []string
		for _, f := range p.Figures {
			ids = append(ids, f.ID)
			if !strings.Contains(string(f.SVG), "<path") && f.Sentence == "" || f.Caption == "" {
				t.Errorf("%s: the figure %s is empty", name, f.ID)
			}
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s has the figures %s, want %s", name, got, want)
		}
	}
}
