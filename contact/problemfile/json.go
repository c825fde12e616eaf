package problemfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// formatName marks a JSON file as one of ours.
const formatName = "quasistatic-contact-problem"

// jsonProblem is the JSON form; see [WriteJSON].
type jsonProblem struct {
	Format      string         `json:"format"`
	Version     int            `json:"version"`
	Kind        string         `json:"kind"`
	Title       string         `json:"title,omitempty"`
	Description string         `json:"description,omitempty"`
	Dimension   int            `json:"dimension,omitempty"`
	Delassus    *jsonMatrix    `json:"W,omitempty"`
	M           *jsonMatrix    `json:"M,omitempty"`
	H           *jsonMatrix    `json:"H,omitempty"`
	G           *jsonMatrix    `json:"G,omitempty"`
	Q           []float64      `json:"q,omitempty"`
	F           []float64      `json:"f,omitempty"`
	W           []float64      `json:"w,omitempty"`
	B           []float64      `json:"b,omitempty"`
	Equality    []bool         `json:"equality,omitempty"`
	Mu          []float64      `json:"mu,omitempty"`
	Laws        []jsonLaw      `json:"laws,omitempty"`
	Reference   *jsonReference `json:"reference,omitempty"`
}

type jsonMatrix struct {
	Rows  int         `json:"rows"`
	Cols  int         `json:"cols"`
	Dense [][]float64 `json:"dense,omitempty"`
	I     []int       `json:"i,omitempty"`
	J     []int       `json:"j,omitempty"`
	X     []float64   `json:"x,omitempty"`
}

type jsonLaw struct {
	Type      string      `json:"type"`
	Mu        *float64    `json:"mu,omitempty"`
	Threshold *float64    `json:"threshold,omitempty"`
	Facets    int         `json:"facets,omitempty"`
	Shape     *[4]float64 `json:"shape,omitempty"`
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
	for _, law := range laws {
		l, err := encodeLaw(law)
		if err != nil {
			return err
		}
		j.Laws = append(j.Laws, l)
	}
	for _, l := range j.Laws {
		if l.Type != "coulomb" || l.Shape != nil {
			return nil
		}
	}
	for _, l := range j.Laws {
		j.Mu = append(j.Mu, *l.Mu)
	}
	j.Laws = nil
	return nil
}

func encodeLaw(law contact.Law) (jsonLaw, error) {
	shape := func(s contact.Shape) *[4]float64 {
		if s.Isotropic() {
			return nil
		}
		m := s.Matrix()
		return &m
	}
	switch l := law.(type) {
	case contact.Frictionless:
		return jsonLaw{Type: "frictionless"}, nil
	case contact.Bilateral:
		return jsonLaw{Type: "bilateral"}, nil
	case contact.Coulomb:
		return jsonLaw{Type: "coulomb", Mu: &l.Mu, Shape: shape(l.Shape)}, nil
	case contact.Associated:
		return jsonLaw{Type: "associated", Mu: &l.Mu, Shape: shape(l.Shape)}, nil
	case contact.Tresca:
		return jsonLaw{Type: "tresca", Threshold: &l.Threshold, Shape: shape(l.Shape)}, nil
	case contact.Pyramid:
		return jsonLaw{Type: "pyramid", Mu: &l.Mu, Facets: l.Facets}, nil
	}
	return jsonLaw{}, fmt.Errorf("problemfile: law %T has no JSON form", law)
}

// readJSON decodes and validates the JSON form.
func readJSON(data []byte) (*Problem, error) {
	var j jsonProblem
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return nil, jsonError(data, d.InputOffset(), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, jsonError(data, d.InputOffset(), errors.New("text after the JSON object"))
	}
	if j.Format != formatName || j.Version != 1 {
		return nil, fmt.Errorf("format %q, version %d; want %q, version 1", j.Format, j.Version, formatName)
	}
	p, err := j.problem()
	if err != nil {
		return nil, err
	}
	p.Title, p.Description = j.Title, j.Description
	if r := j.Reference; r != nil {
		p.Reference = &Reference{R: r.R, U: r.U, V: r.V}
		if err := p.validateReference(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// jsonError adds the line to what the decoder says.
func jsonError(data []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	offset = min(max(offset, 0), int64(len(data)))
	return fmt.Errorf("line %d (offset %d): %w", 1+bytes.Count(data[:offset], []byte("\n")), offset, err)
}

func (j *jsonProblem) problem() (*Problem, error) {
	switch j.Kind {
	case "local":
		return j.local()
	case "global":
		return j.global()
	case "lcp":
		m, err := j.M.full("M", len(j.Q), len(j.Q))
		if err != nil {
			return nil, err
		}
		p := &contact.LCP{M: m, Q: j.Q}
		return &Problem{Kind: LCPKind, LCP: p}, p.Validate()
	case "mlcp":
		m, err := j.M.full("M", len(j.Q), len(j.Equality))
		if err != nil {
			return nil, err
		}
		p := &contact.MLCP{M: m, Q: j.Q, Equality: j.Equality}
		return &Problem{Kind: MLCPKind, MLCP: p}, p.Validate()
	}
	return nil, fmt.Errorf("kind %q, want local, global, lcp or mlcp", j.Kind)
}

func (j *jsonProblem) local() (*Problem, error) {
	laws, err := j.decodeLaws()
	if err != nil {
		return nil, err
	}
	n := j.Dimension * len(laws)
	w, err := j.Delassus.matrix("W", n, n)
	if err != nil {
		return nil, err
	}
	p := &contact.Local{W: w.operator(j.Dimension), Q: j.Q, Laws: laws}
	return &Problem{Kind: LocalKind, Local: p}, p.Validate()
}

func (j *jsonProblem) global() (*Problem, error) {
	laws, err := j.decodeLaws()
	if err != nil {
		return nil, err
	}
	g := &Global{Dim: j.Dimension, F: j.F, W: j.W, B: j.B, Laws: laws}
	n := j.Dimension * len(laws)
	if len(j.W) != n {
		return nil, fmt.Errorf("w has %d entries, want %d", len(j.W), n)
	}
	if g.M, err = j.M.matrix("M", len(j.F), len(j.F)); err != nil {
		return nil, err
	}
	if g.H, err = j.H.matrix("H", len(j.F), n); err != nil {
		return nil, err
	}
	if j.G != nil {
		if g.G, err = j.G.matrix("G", len(j.F), len(j.B)); err != nil {
			return nil, err
		}
	} else if len(j.B) > 0 {
		return nil, errors.New("b without G")
	}
	if !finiteAll(j.F) || !finiteAll(j.W) || !finiteAll(j.B) {
		return nil, errors.New("f, w or b is not finite")
	}
	return &Problem{Kind: GlobalKind, Global: g}, nil
}

// matrix checks m against the sizes that the vectors of the file give it.
func (m *jsonMatrix) matrix(name string, rows, cols int) (*Matrix, error) {
	switch {
	case m == nil:
		return nil, fmt.Errorf("matrix %s is missing", name)
	case m.Rows != rows || m.Cols != cols:
		return nil, fmt.Errorf("%s is %d×%d, want %d×%d", name, m.Rows, m.Cols, rows, cols)
	case m.Dense == nil:
		return m.triplets(name)
	case len(m.Dense) != rows || len(m.X) > 0:
		return nil, fmt.Errorf("%s has %d dense rows and %d triplets, want %d rows alone", name, len(m.Dense), len(m.X), rows)
	}
	a := &Matrix{Rows: rows, Cols: cols, Dense: []float64{}}
	for i, row := range m.Dense {
		if len(row) != cols || !finiteAll(row) {
			return nil, fmt.Errorf("%s row %d has %d entries, want %d finite numbers", name, i, len(row), cols)
		}
		a.Dense = append(a.Dense, row...)
	}
	return a, nil
}

// full is matrix for the forms that store it in full.
func (m *jsonMatrix) full(name string, rows, cols int) ([]float64, error) {
	if rows > maxDenseOrder || cols > maxDenseOrder {
		return nil, fmt.Errorf("%s is %d×%d, more than %d rows or columns", name, rows, cols, maxDenseOrder)
	}
	a, err := m.matrix(name, rows, cols)
	if err != nil {
		return nil, err
	}
	return a.RowMajor(), nil
}

func (m *jsonMatrix) triplets(name string) (*Matrix, error) {
	if len(m.I) != len(m.X) || len(m.J) != len(m.X) || !finiteAll(m.X) {
		return nil, fmt.Errorf("%s has %d i, %d j and %d x, want as many of each, finite", name, len(m.I), len(m.J), len(m.X))
	}
	if m.Rows > maxTripletOrder || m.Cols > maxTripletOrder {
		return nil, fmt.Errorf("%s is %d×%d, more than %d", name, m.Rows, m.Cols, maxTripletOrder)
	}
	for k, i := range m.I {
		if j := m.J[k]; i < 0 || i >= m.Rows || j < 0 || j >= m.Cols {
			return nil, fmt.Errorf("%s entry %d is at (%d, %d), outside %d×%d", name, k, i, j, m.Rows, m.Cols)
		}
	}
	return &Matrix{Rows: m.Rows, Cols: m.Cols, I: m.I, J: m.J, X: m.X}, nil
}

// maxTripletOrder keeps products of block indices inside an int of 64 bits.
const maxTripletOrder = math.MaxInt32

func (j *jsonProblem) decodeLaws() ([]contact.Law, error) {
	if j.Dimension != 2 && j.Dimension != 3 {
		return nil, fmt.Errorf("dimension %d, want 2 or 3", j.Dimension)
	}
	if len(j.Laws) == 0 {
		return coulombLaws(j.Mu)
	}
	if len(j.Mu) > 0 {
		return nil, errors.New("both mu and laws, want one of them")
	}
	laws := make([]contact.Law, len(j.Laws))
	for k, l := range j.Laws {
		law, err := l.law()
		if err == nil {
			err = law.Validate()
		}
		if err != nil {
			return nil, fmt.Errorf("law %d: %w", k, err)
		}
		laws[k] = law
	}
	return laws, nil
}

func (l *jsonLaw) law() (contact.Law, error) {
	var mu, threshold float64
	if l.Mu != nil {
		mu = *l.Mu
	}
	if l.Threshold != nil {
		threshold = *l.Threshold
	}
	var shape contact.Shape
	if l.Shape != nil {
		shape = contact.NewShape(*l.Shape)
	}
	switch l.Type {
	case "frictionless":
		return contact.Frictionless{}, nil
	case "bilateral":
		return contact.Bilateral{}, nil
	case "coulomb":
		return contact.Coulomb{Mu: mu, Shape: shape}, nil
	case "associated":
		return contact.Associated{Mu: mu, Shape: shape}, nil
	case "tresca":
		return contact.Tresca{Threshold: threshold, Shape: shape}, nil
	case "pyramid":
		return contact.Pyramid{Mu: mu, Facets: l.Facets}, nil
	}
	return nil, fmt.Errorf("type %q, want frictionless, bilateral, coulomb, associated, tresca or pyramid", l.Type)
}

// validateReference checks the sizes of a reference against the problem.
func (p *Problem) validateReference() error {
	r, nv := p.Reference, 0
	if p.Kind == GlobalKind {
		nv = len(p.Global.F)
	}
	check := func(name string, x []float64, n int) error {
		if len(x) != 0 && len(x) != n || !finiteAll(x) {
			return fmt.Errorf("reference %s has %d entries, want %d finite numbers", name, len(x), n)
		}
		return nil
	}
	return errors.Join(check("r", r.R, p.Size()), check("u", r.U, p.Size()), check("v", r.V, nv))
}
