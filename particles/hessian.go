package particles

import (
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/sparse"
)

// Hessian assembles D²E. Energies add entries in global coordinates; the lower
// triangle of the matrix in local coordinates comes out.
//
// Finding an entry costs a binary search only in the first assembly. It records
// the calls of each energy in order; later assemblies replay them with a cursor
// and search again only where an energy changes its sequence.
type Hessian struct {
	frames []Frame
	mat    *sparse.Sym
	onDiag []bool         // declared diagonal entries
	acc    []float64      // mat.Val, followed by the 3×3 blocks in global coordinates, columns first
	blocks []rotatedBlock // pairs with a rotated frame
	offset map[[2]int]int // their places in acc
	calls  []call         // sequence of the energy that is assembling
	cursor int
	replay bool // calls are recorded to be replayed

	relatives *relatives // see relative.go
}

// call is one recorded addition: what was asked for and where in acc it went.
type call struct {
	key  uint64
	slot int
}

// rotatedBlock is a block RᵢᵀBRⱼ of the local matrix, i >= j.
type rotatedBlock struct {
	i, j   int
	offset int    // of B in acc
	column [3]int // slots of the topmost stored entries of its columns in mat.Val
}

// Kinds of calls, kept in the top bits of a key: no dof reaches 2³⁰ on any machine.
const (
	kindEntry uint64 = iota << 62
	kindColumn
	kindIsotropic
)

func key(kind uint64, a, b int) uint64 { return kind | uint64(a)<<31 | uint64(b) }

func newHessian(p *Pattern) *Hessian {
	mat := p.builder.Build()
	// Those of charts are overwritten by the derivatives of x at each assembly.
	h := &Hessian{frames: slices.Clone(p.frames), relatives: p.relatives, mat: mat, onDiag: p.onDiag,
		offset: make(map[[2]int]int, len(p.pairs))}
	nnz := len(mat.Val)
	for _, pair := range p.pairs {
		b := rotatedBlock{i: pair[0], j: pair[1], offset: nnz + 9*len(h.blocks)}
		for c := range b.column {
			b.column[c] = mat.Index(3*b.i+b.top(c), 3*b.j+c)
		}
		h.offset[pair] = b.offset
		h.blocks = append(h.blocks, b)
	}
	h.acc = make([]float64, nnz+9*len(h.blocks))
	mat.Val = h.acc[:nnz:nnz]
	return h
}

// top is the first stored row of column c: blocks on the diagonal keep their lower triangle.
func (b *rotatedBlock) top(c int) int {
	if b.i == b.j {
		return c
	}
	return 0
}

// Add adds v to the entry (a, b) of the dofs a and b and to its mirror image:
// call it once for an unordered pair. It panics if the pattern lacks the entry.
func (h *Hessian) Add(a, b int, v float64) {
	if h.relatives.is(a) || h.relatives.is(b) {
		h.relatives.expand(a, b, func(a, b int, w float64) { h.add(a, b, w*v) })
		return
	}
	h.add(a, b, v)
}

// add is Add with respect to y, see [Relative].
func (h *Hessian) add(a, b int, v float64) {
	if a < b {
		a, b = b, a
	}
	k := key(kindEntry, a, b)
	if h.cursor < len(h.calls) && h.calls[h.cursor].key == k {
		h.acc[h.calls[h.cursor].slot] += v
		h.cursor++
		return
	}
	h.acc[h.record(k, h.entrySlot(a, b))] += v
}

// AddBlock adds the 3×3 matrix b (rows first) to the rows of particle i and the
// columns of particle j, and its transpose to the mirror image: call it once for
// an unordered pair. For i == j the block must be symmetric. The pattern needs
// the full block.
func (h *Hessian) AddBlock(i, j int, b *[9]float64) {
	if h.relatives.among(i) || h.relatives.among(j) {
		for r := range 3 {
			for c := range 3 {
				if i != j || r >= c {
					h.Add(3*i+r, 3*j+c, b[3*r+c])
				}
			}
		}
		return
	}
	if i >= j {
		h.addLower(i, j, vec{b[0], b[3], b[6]}, vec{b[1], b[4], b[7]}, vec{b[2], b[5], b[8]})
	} else {
		h.addLower(j, i, at(b[:], 0), at(b[:], 1), at(b[:], 2))
	}
}

// addLower adds the block with columns c0, c1, c2, i >= j.
func (h *Hessian) addLower(i, j int, c0, c1, c2 vec) {
	top := 0 // topmost stored row of the column
	for c, column := range [3]vec{c0, c1, c2} {
		if i == j {
			top = c
		}
		h.addColumn(h.columnSlot(3*i+top, 3*j+c), top, column)
	}
}

// addColumn adds the rows from top on of a block's column to the slots from slot on.
func (h *Hessian) addColumn(slot, top int, column vec) {
	acc := h.acc[slot : slot+3-top]
	switch top {
	case 0:
		acc[0] += column.x
		acc[1] += column.y
		acc[2] += column.z
	case 1:
		acc[0] += column.y
		acc[1] += column.z
	default:
		acc[0] += column.z
	}
}

// AddIsotropic adds v·I to the block of the particles i and j (and to its mirror
// image). It needs the declaration Pattern.AddIsotropic and no rotation between
// equal frames.
func (h *Hessian) AddIsotropic(i, j int, v float64) {
	if h.relatives.among(i) || h.relatives.among(j) {
		for c := range 3 {
			h.Add(3*i+c, 3*j+c, v)
		}
		return
	}
	if i < j {
		i, j = j, i
	}
	for c := range 3 {
		h.acc[h.isotropicSlot(i, j, c)] += v
	}
}

// columnSlot returns the slot of the dofs (a, b), below which the rest of the
// block's column follows.
func (h *Hessian) columnSlot(a, b int) int {
	k := key(kindColumn, a, b)
	if h.cursor < len(h.calls) && h.calls[h.cursor].key == k {
		h.cursor++
		return h.calls[h.cursor-1].slot
	}
	slot := h.entrySlot(a, b)
	last := a - a%3 + 2
	if h.entrySlot(last, b) != slot+last-a {
		panic(fmt.Sprintf("particles: Hessian.AddBlock: Pattern does not declare the full block of particles %d and %d", a/3, b/3))
	}
	return h.record(k, slot)
}

func (h *Hessian) isotropicSlot(i, j, c int) int {
	a, b := 3*i+c, 3*j+c
	k := key(kindIsotropic, a, b)
	if h.cursor < len(h.calls) && h.calls[h.cursor].key == k {
		h.cursor++
		return h.calls[h.cursor-1].slot
	}
	if sameAxes(&h.frames[i], &h.frames[j]) {
		return h.record(k, h.localSlot(a, b))
	}
	return h.record(k, h.entrySlot(a, b))
}

// record notes the call at the cursor, over the one that was expected there.
func (h *Hessian) record(k uint64, slot int) int {
	if !h.replay {
		return slot
	}
	if h.cursor < len(h.calls) {
		h.calls[h.cursor] = call{k, slot}
	} else {
		h.calls = append(h.calls, call{k, slot})
	}
	h.cursor++
	return slot
}

// entrySlot finds where the global entry (a, b), a >= b, is accumulated.
func (h *Hessian) entrySlot(a, b int) int {
	if b < 0 || a >= h.mat.N {
		undeclared(a, b)
	}
	i, j := a/3, b/3
	if offset, ok := h.offset[[2]int{i, j}]; ok {
		return offset + 3*(b%3) + a%3
	}
	if !h.frames[i].isAligned() || !h.frames[j].isAligned() {
		undeclared(a, b)
	}
	return h.localSlot(a, b)
}

// localSlot finds the entry (a, b) of the matrix in local coordinates.
func (h *Hessian) localSlot(a, b int) int {
	slot := h.mat.Index(a, b)
	if slot < 0 || (a == b && !h.onDiag[a]) {
		undeclared(a, b)
	}
	return slot
}

func undeclared(a, b int) {
	panic(fmt.Sprintf("particles: Hessian.Add: Pattern does not declare entry (%d, %d)", a, b))
}

// begin sets all entries to those of base, or to zero.
func (h *Hessian) begin(base []float64) {
	if base == nil {
		clear(h.acc)
		return
	}
	copy(h.acc, base)
}

// once adds an energy that need not be added again.
func (h *Hessian) once(e Energy, t float64, x []float64) {
	h.replay, h.calls, h.cursor = false, nil, 0
	e.Hessian(h, t, x)
}

// again adds an energy by its recorded sequence of calls and returns the
// sequence with what was added to it.
func (h *Hessian) again(e Energy, calls []call, t float64, x []float64) []call {
	h.replay, h.calls, h.cursor = true, calls, 0
	e.Hessian(h, t, x)
	return h.calls
}

// finish rotates the blocks RᵢᵀBRⱼ into the matrix.
func (h *Hessian) finish() {
	for k := range h.blocks {
		h.rotate(&h.blocks[k])
	}
}

func (h *Hessian) rotate(b *rotatedBlock) {
	global := h.acc[b.offset : b.offset+9]
	if b.i == b.j {
		// Add keeps (row >= column) only.
		global[3], global[6], global[7] = global[1], global[2], global[5]
	}
	c0, c1, c2 := at(global, 0), at(global, 1), at(global, 2)
	fi, fj := &h.frames[b.i], &h.frames[b.j]
	for c, axis := range [3]vec{at(fj.T[:], 0), at(fj.O[:], 0), at(fj.N[:], 0)} {
		v := c0.scale(axis.x).plus(axis.y, c1).plus(axis.z, c2) // B Rⱼ e_c
		h.addColumn(b.column[c], b.top(c), fi.rotateBack(v))
	}
}
