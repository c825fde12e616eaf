package form

import (
	"slices"

	"github.com/quasistatic/quasistatic/contact/law"
)

// WithoutSprings returns the problem that the laws behind the springs of [Compliant]
// contacts obey, and whether there are any: the compliances are added to the diagonal
// of W and the offsets to q,
//
//	u' = u + C r + o = (W + C) r + q + o,
//
// which is the same problem in all reactions, and the rigid one for C = 0.
func (p *Local) WithoutSprings() (*Local, bool) {
	if !slices.ContainsFunc(p.Laws, sprung) {
		return p, false
	}
	dim := p.W.Dim()
	rigid := &Local{Q: slices.Clone(p.Q), Laws: slices.Clone(p.Laws)}
	var add func(i int, c float64)
	switch w := p.W.(type) {
	case *Blocks:
		b := w.withDiagonal()
		rigid.W = b
		add = func(i int, c float64) {
			b.Val[dim*dim*b.Diagonal(i/dim)+(dim+1)*(i%dim)] += c
		}
	default:
		d := sampledCopy(p.W)
		rigid.W = d
		add = func(i int, c float64) { d.Val[i*(d.N+1)] += c }
	}
	for j, given := range p.Laws {
		l, ok := CompliantOf(given)
		if !ok {
			continue
		}
		c, o := l.Spring()
		for k := range dim {
			rigid.Q[dim*j+k] += o[k]
			add(dim*j+k, c[k])
		}
		rigid.Laws[j] = l.Inner()
	}
	return rigid, true
}

// sprung reports whether a law is a [Compliant] one.
func sprung(given law.Law) bool {
	_, ok := CompliantOf(given)
	return ok
}

func CompliantOf(given law.Law) (law.Compliant, bool) {
	switch l := given.(type) {
	case law.Compliant:
		return l, true
	case *law.Compliant:
		return *l, true
	}
	return law.Compliant{}, false
}

// Stretch adds what the spring of a law adds to u.
func Stretch(given law.Law, u, r *vec3) {
	if l, ok := CompliantOf(given); ok {
		c, o := l.Spring()
		for k := range 3 {
			u[k] += c[k]*r[k] + o[k]
		}
	}
}

// withDiagonal returns a copy of b in which every diagonal block is stored.
func (b *Blocks) withDiagonal() *Blocks {
	size := b.D * b.D
	c := &Blocks{D: b.D, Ptr: []int{0}}
	for i := range b.Contacts() {
		if b.Diagonal(i) < 0 {
			c.Col, c.Val = append(c.Col, i), append(c.Val, make([]float64, size)...)
		}
		c.Col = append(c.Col, b.Col[b.Ptr[i]:b.Ptr[i+1]]...)
		c.Val = append(c.Val, b.Val[size*b.Ptr[i]:size*b.Ptr[i+1]]...)
		c.Ptr = append(c.Ptr, len(c.Col))
	}
	return c
}

// FinishSprings sets the motions of p itself, which are those without what the springs
// add.
func (p *Local) FinishSprings(res *Result) {
	if len(res.R) == len(p.Q) {
		p.ExactMotion(res.U, res.R, nil)
	}
}
