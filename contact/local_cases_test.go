package contact

import (
	"slices"
)

// diagonal is W = diag(w) with the given dimension.
func diagonal(dim int, w ...float64) *Dense {
	n := len(w)
	d := &Dense{D: dim, N: n, Val: make([]float64, n*n)}
	for i, v := range w {
		d.Val[i*n+i] = v
	}
	return d
}

func dense(dim int, rows ...[]float64) *Dense {
	return &Dense{D: dim, N: len(rows), Val: slices.Concat(rows...)}
}

type localCase struct {
	name string
	p    *Local
	r    []float64 // nil: not unique
	u    []float64
}

// handCases were solved with pencil and paper.
func handCases() []localCase {
	half, unit := Coulomb{Mu: 0.5}, diagonal(3, 1, 1, 1)
	wide := NewShape([4]float64{2, 0, 0, 1})
	one := func(law Law, q ...float64) *Local { return &Local{W: unit, Q: q, Laws: []Law{law}} }
	// Two contacts on one body: W_ij = 1 for all i, j of equal direction.
	twin := dense(3,
		[]float64{1, 0, 0, 1, 0, 0}, []float64{0, 1, 0, 0, 1, 0}, []float64{0, 0, 1, 0, 0, 1},
		[]float64{1, 0, 0, 1, 0, 0}, []float64{0, 1, 0, 0, 1, 0}, []float64{0, 0, 1, 0, 0, 1})
	pair := dense(2, []float64{2, 0, 1, 0}, []float64{0, 1, 0, 0}, []float64{1, 0, 2, 0}, []float64{0, 0, 0, 1})
	two := []Law{half, half}
	return []localCase{
		{"take-off", one(half, 1, 2, 0), []float64{0, 0, 0}, []float64{1, 2, 0}},
		{"stick", one(half, -2, 0.3, -0.4), []float64{2, -0.3, 0.4}, []float64{0, 0, 0}},
		{"limit of stick", one(half, -2, 0.6, 0.8), []float64{2, -0.6, -0.8}, []float64{0, 0, 0}},
		{"slip", one(half, -2, 3, 0), []float64{2, -1, 0}, []float64{0, 2, 0}},
		{"slip askew", one(half, -2, 3, -4), []float64{2, -0.6, 0.8}, []float64{0, 2.4, -3.2}},
		{"grazing", one(half, 0, 1, 0), []float64{0, 0, 0}, []float64{0, 1, 0}},
		{"nothing", one(half, 0, 0, 0), []float64{0, 0, 0}, []float64{0, 0, 0}},
		{"no friction", one(Coulomb{}, -2, 3, 4), []float64{2, 0, 0}, []float64{0, 3, 4}},
		{"frictionless", one(Frictionless{}, -2, 3, 4), []float64{2, 0, 0}, []float64{0, 3, 4}},
		{"huge friction", one(Coulomb{Mu: 1e3}, -2, 3, 4), []float64{2, -3, -4}, []float64{0, 0, 0}},
		{"bilateral", one(Bilateral{}, 2, 3, 4), []float64{-2, -3, -4}, []float64{0, 0, 0}},
		{"Tresca", one(Tresca{Threshold: 1}, -2, 3, 0), []float64{2, -1, 0}, []float64{0, 2, 0}},
		{"Tresca open", one(Tresca{Threshold: 1}, 2, 0, 3), []float64{0, 0, -1}, []float64{2, 0, 2}},
		// P_K(−q): r_N = (2 + 0.5·3)/1.25.
		{"associated", one(Associated{Mu: 0.5}, -2, 3, 0), []float64{2.8, -1.4, 0}, []float64{0.8, 1.6, 0}},
		{"associated, polar", one(Associated{Mu: 0.5}, 2, 3, 0), []float64{0, 0, 0}, []float64{2, 3, 0}},
		{"box", one(Pyramid{Mu: 0.5}, -2, 3, 0.2), []float64{2, -1, -0.2}, []float64{0, 2, 0}},
		{"box corner", one(Pyramid{Mu: 0.5}, -2, 3, -4), []float64{2, -1, 1}, []float64{0, 2, -3}},
		{"rectangle", one(Pyramid{Mu: 0.5, Shape: wide}, -2, 3, -4), []float64{2, -2, 1}, []float64{0, 1, -3}},
		{"sheared box", one(Pyramid{Mu: 0.5, Shape: NewShape([4]float64{1, 1, 0, 1})}, -2, 3, 4), []float64{2, -1, -2}, []float64{0, 2, 2}},
		{"long axis", one(Coulomb{Mu: 0.5, Shape: wide}, -2, 3, 0), []float64{2, -2, 0}, []float64{0, 1, 0}},
		{"short axis", one(Coulomb{Mu: 0.5, Shape: wide}, -2, 0, 3), []float64{2, 0, -1}, []float64{0, 0, 2}},
		{"plane stick", &Local{W: diagonal(2, 1, 1), Q: []float64{-2, 0.5}, Laws: []Law{half}}, []float64{2, -0.5}, []float64{0, 0}},
		{"plane slip", &Local{W: diagonal(2, 1, 1), Q: []float64{-2, -3}, Laws: []Law{half}}, []float64{2, 1}, []float64{0, -2}},
		{"plane box", &Local{W: diagonal(2, 1, 1), Q: []float64{-2, -3}, Laws: []Law{Pyramid{Mu: 0.5, Facets: 8}}},
			[]float64{2, 1}, []float64{0, -2}},
		{"both press", &Local{W: pair, Q: []float64{-3, 0, -3, 4}, Laws: two}, []float64{1, 0, 1, -0.5}, []float64{0, 0, 0, 3.5}},
		{"one relieves the other", &Local{W: pair, Q: []float64{-2, 0, 1, 5}, Laws: two}, []float64{1, 0, 0, 0}, []float64{0, 0, 2, 5}},
		{"unequal masses", &Local{W: diagonal(3, 1, 1, 1, 1e-6, 1e-6, 1e-6), Q: []float64{-2, 0.5, 0, -2, 3, 0}, Laws: two},
			[]float64{2, -0.5, 0, 2e6, -1e6, 0}, []float64{0, 0, 0, 0, 2, 0}},
		{"redundant stick", &Local{W: twin, Q: []float64{-2, 0.5, 0, -2, 0.5, 0}, Laws: two}, nil, []float64{0, 0, 0, 0, 0, 0}},
		{"redundant slip", &Local{W: twin, Q: []float64{-2, 3, 0, -2, 3, 0}, Laws: two}, nil, []float64{0, 2, 0, 0, 2, 0}},
		{"mixed laws", &Local{W: diagonal(3, 1, 1, 1, 2, 2, 2, 4, 4, 4), Q: []float64{-2, 3, 0, -2, 3, 0, 4, 4, 4},
			Laws: []Law{half, Frictionless{}, Bilateral{}}},
			[]float64{2, -1, 0, 1, 0, 0, -1, -1, -1}, []float64{0, 2, 0, 0, 3, 0, 0, 0, 0}},
	}
}
