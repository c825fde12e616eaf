package solid

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/signal"
)

// Check checks which keys an entry of "contact" has.
func (c *Contact) Check(b *casefile.Builder, p casefile.Path) {
	switch {
	case (c.Obstacle == "") == (c.Body == ""):
		b.Add(p, "want either \"obstacle\" or \"body\"")
	case c.Body == "" && (c.Side != "" || c.Touching != 0 || c.Tied):
		b.Add(p, "the keys \"side\", \"touching\" and \"tied\" are those of a \"body\", want them with one only")
	case c.Body != "" && c.Side == "":
		b.Add(p, "the key \"side\" is missing: the group of %q that is met", c.Body)
	case c.Tied && c.Friction != nil:
		b.Add(p.With("friction"), "sides that are tied do not rub, want no key \"friction\"")
	case c.Tied && c.Overlap != nil:
		b.Add(p.With("overlap"), "sides that are tied keep their distance, want no key \"overlap\"")
	}
}

// Interference decodes by how much an entry is too large for what it faces [m]; nil: by nothing, or after a fault.
func (c *Contact) Interference(b *casefile.Builder, p casefile.Path) signal.Scalar {
	if c.Overlap == nil {
		return nil
	}
	return b.Scalar(p.With("overlap"), c.Overlap)
}

// Closes wants an overlap that is at most the gap of a node at the start; rests says that another one may be closed at once.
func Closes(b *casefile.Builder, p casefile.Path, overlap signal.Scalar, gap, rounding float64, node int, at []float64, of string, rests bool) bool {
	if overlap == nil || overlap.At(0) <= gap+rounding {
		return true
	}
	remedy := ""
	if rests {
		remedy = ", or \"equilibrate\": true, which closes it at once"
	}
	b.Add(p.With("overlap"), "found %.6g m at t = 0, and node %d at %v is %.6g m from %q: want one that grows from 0%s",
		overlap.At(0), node, at, gap, of, remedy)
	return false
}

// StartGap returns the gap at the start of a node of the body id that faces others of Body up to a distance reach: zero of
// sides that touch, or are as near as the rounding of coordinates [m]. It reports false after a fault.
func (c *Contact) StartGap(b *casefile.Builder, p casefile.Path, gap, reach, rounding float64, node int, at []float64, id string) (float64, bool) {
	switch {
	case c.Tied:
		return 0, true
	case math.Abs(gap) <= c.Touching && math.Abs(gap) > 0.1*reach: // polygons on round sides are off by less, see particles.Overlap
		b.Add(p.With("touching"), "node %d at %v of %q is %.6g m from touching %q, more than a tenth of the segments there: want meshes that touch, or a smaller length",
			node, at, id, math.Abs(gap), c.Body)
		return 0, false
	case math.Abs(gap) <= max(c.Touching, rounding):
		return 0, true
	case gap < 0:
		b.Add(p, "node %d at %v of %q lies %.6g m inside %q: sides that should touch do so with \"touching\": a length of at least that; bodies that are too large for each other touch, and \"overlap\" says by how much",
			node, at, id, -gap, c.Body)
		return 0, false
	}
	return gap, true
}

// MostFiner is the largest ratio of edges that are met to those of the own side that swings no pressures: edges of equal
// cells on sides of a little different curvature. In Hertz's problem 1.18 swings them by 7 %, 2 by 6 % from node to node.
const MostFiner = 1.05
