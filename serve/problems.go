package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/contact/lcp"
	"github.com/quasistatic/quasistatic/internal/nearest"
)

// solveOptions are those of a contact problem or an LCP.
type solveOptions struct {
	Tolerance     float64 `json:"tolerance"`
	MaxIterations int     `json:"max_iterations"`
}

func (o *solveOptions) options(memory int64) *contact.Options {
	return &contact.Options{Tolerance: o.Tolerance, MaxIterations: o.MaxIterations, Memory: memory}
}

// array is the array of a name with one of the numbers of dimensions given.
func (q *request) array(name string, dims ...int) (*Array, error) {
	i := slices.IndexFunc(q.Arrays, func(a Array) bool { return a.Name == name })
	if i < 0 {
		return nil, wrong("there is no array %q", name)
	}
	if a := &q.Arrays[i]; slices.Contains(dims, len(a.Shape)) {
		return a, nil
	}
	return nil, wrong("array %q has the shape %v, want %v dimensions", name, q.Arrays[i].Shape, dims)
}

// vectors is the array q of a batch of problems: its number, and the length of each.
func (q *request) vectors() (a *Array, count, n int, err error) {
	a, err = q.array("q", 1, 2)
	if err != nil {
		return nil, 0, 0, err
	}
	if a.Type != "f8" {
		return nil, 0, 0, wrong("array q is %s, want f8", a.Type)
	}
	count, n = 1, a.Shape[len(a.Shape)-1]
	if len(a.Shape) == 2 {
		count = a.Shape[0]
	}
	return a, count, n, nil
}

// of is the part of an array for problem i of a batch; a single one is for all.
func (a *Array) of(i, size int) []float64 {
	if len(a.Floats) == size {
		return a.Floats
	}
	return a.Floats[i*size : (i+1)*size]
}

// fits says whether an array has the size of one problem, or of all.
func (a *Array) fits(size, count int) error {
	if a.Type != "f8" || len(a.Floats) != size && len(a.Floats) != size*count {
		return wrong("array %q is %s of the shape %v, want f8 with %d numbers for each of %d problems, or for all",
			a.Name, a.Type, a.Shape, size, count)
	}
	return nil
}

// lcp solves linear complementarity problems, one or a batch.
func (s *Server) lcp(ctx context.Context, q *request) (any, []Array, error) {
	var args solveOptions
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	rhs, count, n, err := q.vectors()
	if err != nil {
		return nil, nil, err
	}
	m, err := q.array("M", 2, 3)
	if err == nil {
		err = m.fits(n*n, count)
	}
	if err != nil {
		return nil, nil, err
	}
	var ws lcp.LCPWorkspace
	var res lcp.LCPResult
	z, w := make([]float64, 0, count*n), make([]float64, 0, count*n)
	residuals := make([]float64, 0, count)
	var status, messages []string
	for i := range count {
		p := &lcp.LCP{M: m.of(i, n*n), Q: rhs.Floats[i*n : (i+1)*n]}
		err := lcp.SolveLCP(ctx, p, args.options(s.Memory), &ws, &res)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err := p.Validate(); err != nil {
			return nil, nil, wrong("problem %d: %v", i, err)
		}
		status, messages = append(status, res.Status.String()), append(messages, textOf(err))
		z, w, residuals = append(z, padded(res.Z, n)...), append(w, padded(res.W, n)...), append(residuals, res.Residual)
	}
	return map[string]any{"status": status, "messages": messages},
		[]Array{floats("z", z, count, n), floats("w", w, count, n), floats("residual", residuals, count)}, nil
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// padded has n numbers: of a problem that has none it is zero.
func padded(x []float64, n int) []float64 {
	if len(x) == n {
		return x
	}
	return make([]float64, n)
}

// contact solves local contact problems u = W r + q, one or a batch.
func (s *Server) contact(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		solveOptions
		Dim         int               `json:"dim"`
		Laws        []json.RawMessage `json:"laws"`        // one for all contacts, or one a contact; else mu
		Derivatives bool              `json:"derivatives"` // by q and by the bound of friction
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	rhs, count, n, err := q.vectors()
	if err != nil {
		return nil, nil, err
	}
	if args.Dim < 2 || args.Dim > 6 || n%args.Dim != 0 {
		return nil, nil, wrong("q has %d numbers a problem, want a multiple of dim, which is %d and from 2 to 6", n, args.Dim)
	}
	b := batch{dim: args.Dim, contacts: n / args.Dim, count: count, rhs: rhs}
	if b.laws, err = q.laws(args.Laws, b.contacts, count); err != nil {
		return nil, nil, err
	}
	if b.operator, err = q.operator(args.Dim, n, count); err != nil {
		return nil, nil, err
	}
	return b.solve(ctx, args.options(s.Memory), args.Derivatives)
}

// batch is a number of local problems of one size.
type batch struct {
	dim, contacts, count int
	rhs                  *Array
	laws                 func(i int) []contact.Law
	operator             func(i int) contact.Operator
}

func (b *batch) solve(ctx context.Context, o *contact.Options, derivatives bool) (any, []Array, error) {
	n := b.dim * b.contacts
	var ws contact.LocalWorkspace
	var res contact.Result
	u, r, merits := make([]float64, 0, b.count*n), make([]float64, 0, b.count*n), make([]float64, 0, b.count)
	var status, messages []string
	var d derivative
	for i := range b.count {
		p := &contact.Local{W: b.operator(i), Q: b.rhs.Floats[i*n : (i+1)*n], Laws: b.laws(i)}
		if err := p.Validate(); err != nil {
			return nil, nil, wrong("problem %d: %v", i, err)
		}
		err := contact.SolveLocal(ctx, p, o, &ws, &res)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		status, messages = append(status, res.Status.String()), append(messages, textOf(err))
		u, r, merits = append(u, padded(res.U, n)...), append(r, padded(res.R, n)...), append(merits, res.Merit)
		if derivatives {
			if err := d.add(p, res.R, err == nil); err != nil {
				return nil, nil, wrong("problem %d: %v", i, err)
			}
		}
	}
	arrays := []Array{floats("u", u, b.count, n), floats("r", r, b.count, n), floats("merit", merits, b.count)}
	result := map[string]any{"status": status, "messages": messages}
	if derivatives {
		arrays, result["edges"] = append(arrays, d.arrays(b.count, n, b.contacts)...), d.edges
	}
	return result, arrays, nil
}

// laws are those of the contacts: of the argument laws, or Coulomb's with the array mu.
func (q *request) laws(list []json.RawMessage, contacts, count int) (func(i int) []contact.Law, error) {
	if len(list) == 0 {
		mu, err := q.array("mu", 0, 1, 2)
		if err == nil && len(mu.Floats) != 1 {
			err = mu.fits(contacts, count)
		}
		if err != nil {
			return nil, err
		}
		return func(i int) []contact.Law {
			laws := make([]contact.Law, contacts)
			for k := range laws {
				if m := mu.Floats; len(m) == 1 {
					laws[k] = contact.Coulomb{Mu: m[0]}
				} else {
					laws[k] = contact.Coulomb{Mu: mu.of(i, contacts)[k]}
				}
			}
			return laws
		}, nil
	}
	if len(list) != 1 && len(list) != contacts {
		return nil, wrong("there are %d laws, want one, or one for each of %d contacts", len(list), contacts)
	}
	laws := make([]contact.Law, contacts)
	for k := range laws {
		var err error
		if laws[k], err = lawOf(list[min(k, len(list)-1)]); err != nil {
			return nil, wrong("law %d: %v", k, err)
		}
	}
	return func(int) []contact.Law { return laws }, nil
}

// lawOf reads {"law": "coulomb", "mu": 0.3}.
func lawOf(text []byte) (contact.Law, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, err
	}
	var name string
	if err := json.Unmarshal(keys["law"], &name); err != nil {
		return nil, fmt.Errorf("it has no name: want {\"law\": \"coulomb\", \"mu\": 0.3} or the like")
	}
	if known := law.Names(); !slices.Contains(known, name) {
		return nil, fmt.Errorf("%q is not known%s", name, nearest.Hint(name, known))
	}
	keys["type"] = keys["law"]
	delete(keys, "law")
	rest, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	return law.Unmarshal(rest)
}

// operator is W: dense, or by blocks in compressed rows (SciPy's BSR).
func (q *request) operator(dim, n, count int) (func(i int) contact.Operator, error) {
	if slices.ContainsFunc(q.Arrays, func(a Array) bool { return a.Name == "indptr" }) {
		w, err := q.blocks(dim, n)
		return func(int) contact.Operator { return w }, err
	}
	w, err := q.array("W", 2, 3)
	if err == nil {
		err = w.fits(n*n, count)
	}
	if err != nil {
		return nil, err
	}
	return func(i int) contact.Operator { return &contact.Dense{D: dim, N: n, Val: w.of(i, n*n)} }, nil
}

func (q *request) blocks(dim, n int) (*contact.Blocks, error) {
	ptr, err := q.array("indptr", 1)
	if err != nil {
		return nil, err
	}
	col, err := q.array("indices", 1)
	if err != nil {
		return nil, err
	}
	val, err := q.array("data", 1, 3)
	if err != nil {
		return nil, err
	}
	b := &contact.Blocks{D: dim, Val: val.Floats}
	for _, x := range ptr.Ints {
		b.Ptr = append(b.Ptr, int(x))
	}
	for _, x := range col.Ints {
		b.Col = append(b.Col, int(x))
	}
	if len(b.Ptr) != n/dim+1 || len(b.Val) != dim*dim*len(b.Col) {
		return nil, wrong("W has %d rows, %d blocks and %d numbers, want %d rows and %d numbers a block", len(b.Ptr)-1,
			len(b.Col), len(b.Val), n/dim, dim*dim)
	}
	return b, nil
}
