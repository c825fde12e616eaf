package contact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// TestPyramidOne: the exact solution of one contact leaves no residual, on
// blocks A that are positive definite, with any friction and number of facets.
// All pieces occur.
func TestPyramidOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	pieces := map[string]int{}
	for k := range 4000 {
		var g, a mat3
		for i := range g {
			g[i] = rng.NormFloat64()
		}
		for i := range 3 {
			for j := range 3 {
				a[3*i+j] = g[3*i]*g[3*j] + g[3*i+1]*g[3*j+1] + g[3*i+2]*g[3*j+2]
			}
			a[4*i] += 0.5
		}
		// μ < 1/‖A_NT/A_NN‖ keeps the contact from jamming.
		free := a[0] / math.Hypot(a[1], a[2])
		l := Pyramid{Mu: 0.7 * free * rng.Float64() / math.Sqrt2, Facets: 4 + 2*rng.IntN(5)}
		b := vec3{rng.NormFloat64() - 0.5, 3 * rng.NormFloat64(), 3 * rng.NormFloat64()}
		var o oneContact
		o.prepare(&a)
		var r vec3
		if !o.pyramid(&r, &l, &b) {
			t.Fatalf("%d: A = %v, b = %v, %+v: no piece", k, a, b, l)
		}
		u := num.Affine(&a, &r, &b)
		if e := form.ResidualAt(l, &[3]vec3{u, r}, 1); e > 1e-9*(1+math.Sqrt(dot(r, r))) {
			t.Fatalf("%d: A = %v, b = %v, %+v: r = %v leaves %g", k, a, b, l, r, e)
		}
		across, along, _, _, tan := l.Sector(r[1], r[2])
		switch {
		case r == vec3{}:
			pieces["take-off"]++
		case across < l.Mu*r[0]*(1-1e-9):
			pieces["stick"]++
		case math.Abs(along) < l.Mu*r[0]*tan*(1-1e-9):
			pieces["facet"]++
		default:
			pieces["corner"]++
		}
	}
	for _, name := range []string{"take-off", "stick", "facet", "corner"} {
		if pieces[name] < 50 {
			t.Errorf("%s: only %d times", name, pieces[name])
		}
	}
}

// TestPyramidAlartCurnier: zero at a solution, and the derivative E ∂u + B ∂r
// agrees with differences away from the kinks.
func TestPyramidAlartCurnier(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	const h = 1e-6
	for range 2000 {
		l := Pyramid{Mu: 2 * rng.Float64(), Facets: 4 + 2*rng.IntN(5)}
		r, u := randomVec(rng), randomVec(rng)
		var f, up, down vec3
		var e, b mat3
		alartCurnierPolygon(&l, &f, &e, &b, &r, &u)
		smooth := true
		var numeric [6]vec3
		for k := range 6 {
			x := &r
			if k >= 3 {
				x = &u
			}
			old := x[k%3]
			x[k%3] = old + h
			alartCurnierPolygon(&l, &up, nil, nil, &r, &u)
			x[k%3] = old - h
			alartCurnierPolygon(&l, &down, nil, nil, &r, &u)
			x[k%3] = old
			for i := range 3 {
				numeric[k][i] = (up[i] - down[i]) / (2 * h)
				// The function is linear by pieces: a bend shows in the second difference.
				smooth = smooth && math.Abs(up[i]+down[i]-2*f[i]) < 1e-9*(1+math.Abs(f[i]))
			}
		}
		if !smooth {
			continue
		}
		for k := range 3 {
			for i := range 3 {
				if math.Abs(numeric[k][i]-b[3*i+k]) > 1e-6 || math.Abs(numeric[3+k][i]-e[3*i+k]) > 1e-6 {
					t.Fatalf("%+v at r = %v, u = %v: differences %v, E %v, B %v", l, r, u, numeric, e, b)
				}
			}
		}
	}
}
