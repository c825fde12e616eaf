package halfspace

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Bounds are what is known of the operator without its matrix.
type Bounds struct {
	// Largest and Least are Ritz values of Lanczos' method for the eigenvalues of C
	// [m/Pa]; the eigenvalues of the energy per area in displacements, as (N4) counts
	// them, are their inverses. Residual is the error of Largest, relative.
	Largest, Least, Residual float64
	// Coupling is sup |p_n·C p_t| / (|p_n|_C |p_t|_C), at most |D|/A of half-spaces:
	// every wave number obeys it. [-]
	Coupling float64
}

// lanczosSteps suffice for the ends of a spectrum without gaps to a percent.
const lanczosSteps = 40

// Bounds estimates the ends of the spectrum by products with C, with the basis
// orthogonalised again: O(steps·(n log n + steps n)).
func (o *Operator) Bounds(ctx context.Context) (Bounds, error) {
	n := o.grid.Len()
	rng := rand.New(rand.NewPCG(1, 2))
	v := NewField(n)
	for c := range v {
		for k := range v[c] {
			v[c][k] = rng.NormFloat64()
		}
	}
	steps := min(lanczosSteps, 3*n)
	t := mat.NewSymDense(steps, nil)
	var basis []Field
	scale(v, 1/math.Sqrt(dot(v, v)))
	used, beta := 0, 0.0
	for j := range steps {
		if err := ctx.Err(); err != nil {
			return Bounds{}, err
		}
		q := NewField(n)
		copyField(q, v)
		basis = append(basis, q)
		o.Product(v, q)
		t.SetSym(j, j, dot(v, q))
		for range 2 { // twice is enough
			for _, b := range basis {
				axpy(v, -dot(v, b), b)
			}
		}
		used, beta = j+1, math.Sqrt(dot(v, v))
		if beta <= 1e-14*t.At(0, 0) {
			break // an invariant space
		}
		if j+1 < steps {
			t.SetSym(j, j+1, beta)
		}
		scale(v, 1/beta)
	}
	var eig mat.EigenSym
	if !eig.Factorize(t.SliceSym(0, used), true) {
		return Bounds{}, nil
	}
	values := eig.Values(nil)
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	b := Bounds{Least: values[0], Largest: values[used-1]}
	b.Residual = beta * math.Abs(vectors.At(used-1, used-1)) / b.Largest
	if c, ok := o.compliance(); ok {
		b.Coupling = math.Abs(c.D) / c.A
	}
	return b, nil
}

// compliance is that of half-spaces.
func (o *Operator) compliance() (Compliance, bool) {
	switch h := o.inf.(type) {
	case Patches:
		return h.Compliance, true
	case Points:
		return h.Compliance, true
	case PlaneStrain:
		return h.Compliance, true
	}
	return Compliance{}, false
}

func scale(v Field, s float64) {
	for c := range v {
		for k := range v[c] {
			v[c][k] *= s
		}
	}
}
