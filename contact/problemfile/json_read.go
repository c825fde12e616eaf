package problemfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

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
	j.size = len(data)
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
		m, err := j.M.full("M", len(j.Q), len(j.Q), j.size)
		if err != nil {
			return nil, err
		}
		p := &lcp.LCP{M: m, Q: j.Q}
		return &Problem{Kind: LCPKind, LCP: p}, p.Validate()
	case "mlcp":
		m, err := j.M.full("M", len(j.Q), len(j.Equality), j.size)
		if err != nil {
			return nil, err
		}
		p := &lcp.MLCP{M: m, Q: j.Q, Equality: j.Equality}
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
func (m *jsonMatrix) full(name string, rows, cols, size int) ([]float64, error) {
	if !expandable(rows, cols, size) {
		return nil, fmt.Errorf("%s is %d×%d, more than %d rows or columns, or than %d times the file in full", name,
			rows, cols, maxDenseOrder, expandedMost)
	}
	a, err := m.matrix(name, rows, cols)
	if err != nil {
		return nil, err
	}
	return a.rowMajor(), nil
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
	if j.Dimension < 2 || j.Dimension > 6 {
		return nil, fmt.Errorf("dimension %d, want 2 or 3, or 4 to 6 with moments", j.Dimension)
	}
	if len(j.Laws) == 0 {
		return coulombLaws(j.Mu)
	}
	if len(j.Mu) > 0 {
		return nil, errors.New("both mu and laws, want one of them")
	}
	laws := make([]contact.Law, len(j.Laws))
	for k, data := range j.Laws {
		l, err := law.Unmarshal(data)
		if err != nil {
			return nil, fmt.Errorf("law %d: %w", k, err)
		}
		laws[k] = l
	}
	return laws, nil
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
