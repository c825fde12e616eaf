package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/pagedata"
)

// evil is a name that tries to leave every element and attribute it may be put into.
const evil = `"'</script></title></text>]]><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\u2028`

// evilScene has one particle and one body with the evil name.
func evilScene() *Scene {
	still := NewChannel([]float64{0, 0, 1, 0})
	one := NewChannel([]float64{1, 1})
	return &Scene{Times: []float64{0, 1}, IDs: []string{evil, evil}, Points: 2, Anchors: 1, Particles: 1, Contacts: 1, On: []int{-1},
		X: still, Y: still, Z: still, N: one, T1: one, T2: one, Bound: one, Status: "AgM=", ShadeLabel: evil}
}

// harmless checks that a text, read as XML, has no element but those allowed and no
// handlers of events.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s is no XML: %v", what, err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if n := e.Name.Local; n == "script" || n == "img" {
			t.Errorf("%s has an element %s", what, n)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") {
				t.Errorf("%s has the handler %s", what, a.Name.Local)
			}
		}
	}
}

// pageData is what the plots of a page hold.
func pageData(t *testing.T, page string) []byte {
	t.Helper()
	text, err := pagedata.Of(page)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestNamesAreText: names and descriptions of a case are text in all that is made of
// them, whatever they hold.
func TestNamesAreText(t *testing.T) {
	figures, warnings := Draw([]Drawing{{ID: "plot", Caption: evil, Time: true, Plot: func() *Plot {
		p := &Plot{Title: evil, X: evil, Y: evil}
		p.Line([]Point{{0, 0}, {1, 1}}, evil, Palette[0], Solid, 1)
		return p
	}}})
	if len(figures) != 1 || warnings != nil {
		t.Fatal(warnings)
	}
	f := figures[0]
	harmless(t, "a figure", string(f.SVG))
	for _, strip := range []bool{false, true} {
		film, err := evilScene().Film(evil, FilmOptions{Frames: 2, Strip: strip})
		if err != nil {
			t.Fatal(err)
		}
		harmless(t, "a film", string(film))
	}
	page := &Page{Title: evil, Description: evil, Version: evil, Case: evil,
		Verdict: Verdict{evil, evil, evil, evil, []string{evil}, []string{evil}}, Facts: []Row{{evil, evil, evil}},
		Figures: []Figure{f}, Certificates: []Row{{evil, evil, evil}}, Expectations: []Expected{{Row: Row{evil, evil, evil}}},
		Events: []Event{{evil, evil}}, EventHead: []string{evil, evil}, EventCount: evil, Scene: evilScene(),
		Lead: evil, Sheets: []Sheet{{evil, []string{evil}, [][]Cell{{{Text: evil, Link: evil}}}, evil, evil}},
		Runs: &Runs{Inputs: []Input{{Name: evil, Points: []string{evil}, At: []float64{0}}},
			Outputs: []Output{{Name: evil, Values: []*float64{nil}}},
			Words:   []Word{NewWord(evil, Palette[0], Ring)}, Word: []int{0}, Number: []int{0},
			Messages: map[int]string{0: evil}, Brackets: []Bracket{{Others: []string{evil}}}}}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<script"); n != 3 {
		t.Errorf("the page has %d scripts, want its three", n)
	}
	if strings.Contains(b.String(), "<img") {
		t.Error("the page has an image")
	}
	var held struct{ Runs Runs }
	if err := json.Unmarshal(pageData(t, b.String()), &held); err != nil {
		t.Fatal(err)
	}
	r := &held.Runs
	for _, name := range []string{r.Inputs[0].Name, r.Inputs[0].Points[0], r.Outputs[0].Name, r.Words[0].Name,
		r.Messages[0], r.Brackets[0].Others[0]} {
		if name != evil {
			t.Errorf("the name is %q", name)
		}
	}
	text, err := page.Parts(evil, 0, evil, false)
	if err != nil {
		t.Fatal(err)
	}
	var parts struct {
		Parts map[string]string
		Scene struct{ IDs []string }
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	for name, part := range parts.Parts {
		harmless(t, name, "<div>"+part+"</div>")
	}
	if len(parts.Scene.IDs) != 2 || parts.Scene.IDs[0] != evil {
		t.Errorf("the names are %q", parts.Scene.IDs)
	}
}
