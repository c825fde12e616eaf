package drawing_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/drawing"
)

// TestSVG: the picture of a stack that tips and of one that stands is well-formed, has no number that is
// none, escapes names, and shows forces or motion by what the verdict has.
func TestSVG(t *testing.T) {
	box := func(name string, x, z0, z1, wide float64, support bool) assembly.Block {
		return assembly.Block{Name: name, Density: 1, Support: support, Faces: [][]int{{0, 1, 2, 3}},
			Vertices: [][3]float64{{x - wide, 0, z0}, {x + wide, 0, z0}, {x + wide, 0, z1}, {x - wide, 0, z1}}}
	}
	for _, c := range []struct {
		x         float64
		word      assembly.Word
		has, lack string
	}{{0, assembly.Stands, "use of friction", "displaced"}, {1.5, assembly.Falls, "displaced", "use of friction"}} {
		a := &assembly.Assembly{Plane: true, Friction: .5,
			Blocks: []assembly.Block{box("floor", 0, -1, 0, 1, true), box("<b>", c.x, 0, 1, 1, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		v, err := assembly.Judge(t.Context(), a, nil)
		if err != nil || v.Word != c.word {
			t.Fatalf("%v, %v, want %s", v, err, c.word)
		}
		text := string(drawing.SVG(a, v, nil, "<b>", "one & two"))
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || !strings.Contains(text, c.has) ||
			strings.Contains(text, c.lack) {
			t.Errorf("%s: want %q and not %q", text, c.has, c.lack)
		}
	}
}
