package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

// rankTolerance: a joint row whose part that is new to the rows before is below this share of it,
// squared, says nothing new.
const rankTolerance = 1e-12

// Band is a row of G: what the velocities of two bodies of the component add to it; b is −1 for the
// ground. In a step of the secant scheme G is that of the middle, and ofA and ofB are the row of G̃
// = ∂(Ḡw)/∂w, see tilt; else they are onA and onB.
type Band struct {
	A, B       int // bodies in the component
	va, vb     int // their first velocities in it
	Na, Nb     int
	OnA, OnB   [6]float64
	OfA, OfB   [6]float64
	Theta      float64 // Θ
	Lever      Lever
	Multiplier float64 // of the last hold
	Impulse    float64 // c of the present iterate [N s]
}

// on returns what the row pushes on a body, and what it feels of it.
func (b *Band) on(body int) (pushes, feels *[6]float64) {
	if body == b.A {
		return &b.OnA, &b.OfA
	}
	return &b.OnB, &b.OfB
}

// Rate is the row of G times x.
func (b *Band) Rate(x []float64) (sum float64) {
	for k, g := range b.OnA[:b.Na] {
		sum += g * x[b.va+k]
	}
	for k, g := range b.OnB[:b.Nb] {
		sum += g * x[b.vb+k]
	}
	return sum
}

// slope is the row of G̃ times x.
func (b *Band) slope(x []float64) (sum float64) {
	for k, g := range b.OfA[:b.Na] {
		sum += g * x[b.va+k]
	}
	for k, g := range b.OfB[:b.Nb] {
		sum += g * x[b.vb+k]
	}
	return sum
}

// Push adds f times the row of G to x.
func (b *Band) Push(x []float64, f float64) {
	for k, g := range b.OnA[:b.Na] {
		x[b.va+k] += f * g
	}
	for k, g := range b.OnB[:b.Nb] {
		x[b.vb+k] += f * g
	}
}

// PushGross adds the sizes of what the present impulse gives to x.
func (b *Band) PushGross(x []float64) {
	for k, g := range b.OnA[:b.Na] {
		x[b.va+k] += math.Abs(b.Impulse * g)
	}
	for k, g := range b.OnB[:b.Nb] {
		x[b.vb+k] += math.Abs(b.Impulse * g)
	}
}

// Block is the part of A of one body: diagonal, or with a full block of spins.
type Block struct {
	V, N int
	lin  int // of them of the centre
	Full bool
	A    [36]float64 // row by row, n×n
	lu   [9]float64  // of the spins
	perm [3]int
	// Geometric stiffness of the secant scheme, of the spins and of the velocities; turned: the
	// former is not zero.
	Geo    [9]float64
	Pull   float64
	Turned bool
	Weight float64 // α of them in A
}

// stiff is an entry of the symmetric part of the geometric stiffness in A.
func (b *Block) stiff(r, c int) float64 {
	switch r, c := r-b.lin, c-b.lin; {
	case r < 0 && r == c:
		return b.Weight * b.Pull
	case r < 0 || c < 0 || !b.Turned:
		return 0
	case b.lin == 2:
		return b.Weight * b.Geo[8]
	default:
		return b.Weight * 0.5 * (b.Geo[3*r+c] + b.Geo[3*c+r])
	}
}

// Solve overwrites the part of the body of x by A⁻¹x.
func (b *Block) Solve(x []float64) {
	n := b.N
	if b.Full {
		n -= 3
		num.SolveLU(b.lu[:], b.perm[:], 3, x[b.V+n:b.V+n+3])
	}
	for k := range n {
		x[b.V+k] /= b.A[k*b.N+k]
	}
}
