package particles

import (
	"fmt"

	"github.com/quasistatic/quasistatic/sparse"
)

// Pattern collects which entries of D²E may be non-zero, in global coordinates.
// Each symmetric pair needs declaring once, in either order; repetitions do no
// harm. The diagonal is declared like the rest.
type Pattern struct {
	frames  []Frame
	builder *sparse.Builder
	onDiag  []bool          // declared diagonal entries; the matrix has all of them
	rotated map[[2]int]bool // pairs (i, j), i >= j, whose blocks are rotated into the local frames
	pairs   [][2]int        // the same in the order of declaration
	err     error

	relatives *relatives // see relative.go
	counts    bool       // entries of relative coordinates, and keeps none
	coupled   int64
}

func newPattern(frames []Frame) *Pattern {
	n := 3 * len(frames)
	return &Pattern{frames: frames, builder: sparse.NewBuilder(n), onDiag: make([]bool, n), rotated: make(map[[2]int]bool)}
}

// Particles returns the number of particles of the system.
func (p *Pattern) Particles() int { return len(p.frames) }

// Add declares the entry (a, b) of the dofs a and b and its mirror image.
// Declared between particles of which one has a rotated frame, it becomes a full
// 3×3 block of the local matrix.
func (p *Pattern) Add(a, b int) {
	if n := 3 * len(p.frames); a < 0 || b < 0 || a >= n || b >= n {
		p.fail(fmt.Errorf("declares entry (%d, %d) of a matrix of order %d", a, b, n))
		return
	}
	switch {
	case !p.relatives.is(a) && !p.relatives.is(b):
		p.add(a, b)
	case p.counts:
		p.coupled += p.relatives.coupled(a, b)
	default:
		p.relatives.expand(a, b, func(a, b int, _ float64) { p.add(a, b) })
	}
}

// add is Add with respect to y, see [Relative].
func (p *Pattern) add(a, b int) {
	i, j := max(a, b)/3, min(a, b)/3
	if p.frames[i].isAligned() && p.frames[j].isAligned() {
		p.addLocal(a, b)
	} else {
		p.addRotated(i, j)
	}
}

// AddBlock declares the full 3×3 block of the particles i and j and its mirror image.
func (p *Pattern) AddBlock(i, j int) {
	if n := len(p.frames); i < 0 || j < 0 || i >= n || j >= n {
		p.fail(fmt.Errorf("declares a block of particles %d and %d of %d", i, j, n))
		return
	}
	switch {
	case p.relatives.among(i) || p.relatives.among(j):
		for r := range 3 {
			for c := range 3 {
				p.Add(3*i+r, 3*j+c)
			}
		}
	case p.frames[i].isAligned() && p.frames[j].isAligned():
		p.addFull(i, j)
	default:
		p.addRotated(max(i, j), min(i, j))
	}
}

// AddIsotropic declares the diagonal of the block of the particles i and j, for
// entries made by Hessian.AddIsotropic. Between equal frames it stays a diagonal
// however they are rotated, since Rᵀ(v·I)R = v·I.
func (p *Pattern) AddIsotropic(i, j int) {
	if n := len(p.frames); i < 0 || j < 0 || i >= n || j >= n {
		p.fail(fmt.Errorf("declares a block of particles %d and %d of %d", i, j, n))
		return
	}
	for c := range 3 {
		if sameAxes(&p.frames[i], &p.frames[j]) && !p.relatives.among(i) && !p.relatives.among(j) {
			p.addLocal(3*i+c, 3*j+c)
		} else {
			p.Add(3*i+c, 3*j+c)
		}
	}
}

func (p *Pattern) addRotated(i, j int) {
	pair := [2]int{i, j}
	if p.counts || p.rotated[pair] {
		return
	}
	p.rotated[pair] = true
	p.pairs = append(p.pairs, pair)
	p.addFull(i, j)
}

func (p *Pattern) addFull(i, j int) {
	for r := range 3 {
		for c := range 3 {
			if i != j || r >= c {
				p.addLocal(3*i+r, 3*j+c)
			}
		}
	}
}

// addLocal declares an entry of the matrix in local coordinates.
func (p *Pattern) addLocal(a, b int) {
	if p.counts {
		return
	}
	if a == b {
		p.onDiag[a] = true
	}
	p.builder.Add(a, b)
}

func (p *Pattern) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// sameAxes reports whether two frames have exactly the same rotation.
func sameAxes(f, g *Frame) bool {
	return f.Chart == nil && g.Chart == nil && f.T == g.T && f.O == g.O && f.N == g.N
}
