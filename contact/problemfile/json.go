package problemfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/law"
)

// formatName marks a JSON file as one of ours.
const formatName = "quasistatic-contact-problem"

// jsonProblem is the JSON form; see [WriteJSON].
type jsonProblem struct {
	size int // bytes of the file

	Format      string            `json:"format"`
	Version     int               `json:"version"`
	Kind        string            `json:"kind"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Dimension   int               `json:"dimension,omitempty"`
	Delassus    *jsonMatrix       `json:"W,omitempty"`
	M           *jsonMatrix       `json:"M,omitempty"`
	H           *jsonMatrix       `json:"H,omitempty"`
	G           *jsonMatrix       `json:"G,omitempty"`
	Q           []float64         `json:"q,omitempty"`
	F           []float64         `json:"f,omitempty"`
	W           []float64         `json:"w,omitempty"`
	B           []float64         `json:"b,omitempty"`
	Equality    []bool            `json:"equality,omitempty"`
	Mu          []float64         `json:"mu,omitempty"`
	Laws        []json.RawMessage `json:"laws,omitempty"`
	Reference   *jsonReference    `json:"reference,omitempty"`
}

type jsonMatrix struct {
	Rows  int         `json:"rows"`
	Cols  int         `json:"cols"`
	Dense [][]float64 `json:"dense,omitempty"`
	I     []int       `json:"i,omitempty"`
	J     []int       `json:"j,omitempty"`
	X     []float64   `json:"x,omitempty"`
}

type jsonReference struct {
	R []float64 `json:"r,omitempty"`
	U []float64 `json:"u,omitempty"`
	V []float64 `json:"v,omitempty"`
}

// WriteJSON writes p as one JSON object with the keys
//
//	format      "quasistatic-contact-problem"
//	version     1
//	kind        "local", "global", "lcp" or "mlcp"
//	title, description                          text, optional
//	dimension   2 or 3                          local, global
//	W, q        matrix and vector               local
//	M, H, f, w  matrices and vectors            global; G, b optional
//	M, q        matrix and vector               lcp, mlcp
//	equality    true where x_i is free          mlcp
//	mu          coefficients of friction        local, global, all Coulomb, or
//	laws        [{"type": …}, …]                in its place
//	reference   {"r": …, "u": …, "v": …}        optional
//
// A matrix is {"rows", "cols", "dense": [[row], …]} or {"rows", "cols", "i",
// "j", "x"}: triplets with indices from 0, duplicates add up. The types of law
// are "frictionless", "bilateral", "coulomb", "associated" (mu, shape),
// "tresca" (threshold, shape) and "pyramid" (mu, facets); shape is [S_11, S_12,
// S_21, S_22]. Numbers are written such that they read back exactly.
func WriteJSON(w io.Writer, p *Problem) error {
	if p == nil {
		return errors.New("problemfile: a problem is required")
	}
	j := jsonProblem{Format: formatName, Version: 1, Kind: p.Kind.String(), Title: p.Title, Description: p.Description}
	var laws []contact.Law
	switch p.Kind {
	case LocalKind:
		j.Dimension, j.Q, laws = p.Local.W.Dim(), p.Local.Q, p.Local.Laws
		j.Delassus = encodeOperator(p.Local.W)
	case GlobalKind:
		g := p.Global
		j.Dimension, j.F, j.W, j.B, laws = g.Dim, g.F, g.W, g.B, g.Laws
		j.M, j.H, j.G = encodeMatrix(g.M), encodeMatrix(g.H), encodeMatrix(g.G)
	case LCPKind:
		n := p.LCP.N()
		j.M, j.Q = encodeMatrix(&Matrix{Rows: n, Cols: n, Dense: p.LCP.M}), p.LCP.Q
	case MLCPKind:
		m := p.MLCP
		j.M, j.Q = encodeMatrix(&Matrix{Rows: len(m.Q), Cols: len(m.Equality), Dense: m.M}), m.Q
		j.Equality = m.Equality
	default:
		return fmt.Errorf("problemfile: a problem of kind %v cannot be written", p.Kind)
	}
	if err := j.encodeLaws(laws); err != nil {
		return err
	}
	if r := p.Reference; r != nil {
		j.Reference = &jsonReference{R: r.R, U: r.U, V: r.V}
	}
	return json.NewEncoder(w).Encode(&j)
}

func encodeMatrix(m *Matrix) *jsonMatrix {
	if m == nil {
		return nil
	}
	j := &jsonMatrix{Rows: m.Rows, Cols: m.Cols, I: m.I, J: m.J, X: m.X}
	if m.Dense != nil {
		for i := range m.Rows {
			j.Dense = append(j.Dense, m.Dense[i*m.Cols:(i+1)*m.Cols])
		}
	}
	return j
}

// encodeOperator writes blocks as triplets, any other operator in full.
func encodeOperator(w contact.Operator) *jsonMatrix {
	dim, n := w.Dim(), w.Dim()*w.Contacts()
	switch w := w.(type) {
	case *contact.Dense:
		return encodeMatrix(&Matrix{Rows: n, Cols: n, Dense: w.Val})
	case *contact.Blocks:
		m := &Matrix{Rows: n, Cols: n}
		for i := range w.Contacts() {
			for k := w.Ptr[i]; k < w.Ptr[i+1]; k++ {
				for e, x := range w.Val[dim*dim*k : dim*dim*(k+1)] {
					m.add(dim*i+e/dim, dim*w.Col[k]+e%dim, x)
				}
			}
		}
		return encodeMatrix(m)
	}
	m := &Matrix{Rows: n, Cols: n, Dense: make([]float64, n*n)}
	e, col := make([]float64, n), make([]float64, n)
	for j := range n {
		e[j] = 1
		w.MulVec(col, e)
		e[j] = 0
		for i, x := range col {
			m.Dense[i*n+j] = x
		}
	}
	return encodeMatrix(m)
}

// encodeLaws uses the short form where all contacts are isotropic Coulomb.
func (j *jsonProblem) encodeLaws(laws []contact.Law) error {
	short := true
	for _, l := range laws {
		data, err := law.Marshal(l)
		if err != nil {
			return fmt.Errorf("problemfile: %w", err)
		}
		j.Laws = append(j.Laws, data)
		f := law.FormOf(l)
		j.Mu = append(j.Mu, f.Bound)
		short = short && f.Set == law.Cone && f.Shape.Isotropic()
	}
	if short {
		j.Laws = nil
	} else {
		j.Mu = nil
	}
	return nil
}
