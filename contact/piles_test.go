package contact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/sparse"
)

// sphere pile: spheres of unit mass and diameter on the floor z = 0, that touch
// where their distance is below the tolerance; one step of 1 ms under gravity
// from the given velocities (nil: at rest).
func spherePile(at []vec3, touch, mu float64, v []float64) *Local {
	const r, inertia = 0.5, 0.4 * 0.25
	h := &Jacobian{Dim: 3, Rows: 6 * len(at), Ptr: []int{0}}
	row := func(body int, frame *mat3, arm vec3, sign float64) {
		for k := range 3 {
			h.Row = append(h.Row, 6*body+k)
			h.Val = append(h.Val, sign*frame[k], sign*frame[3+k], sign*frame[6+k])
		}
		var spin [3]vec3
		for a := range 3 {
			spin[a] = cross(&arm, (*vec3)(frame[3*a:]))
		}
		for k := range 3 {
			h.Row = append(h.Row, 6*body+3+k)
			h.Val = append(h.Val, sign*spin[0][k], sign*spin[1][k], sign*spin[2][k])
		}
	}
	for i, p := range at {
		if p[2] < r+touch {
			row(i, &mat3{0, 0, 1, 1, 0, 0, 0, 1, 0}, vec3{0, 0, -r}, 1)
			h.Ptr = append(h.Ptr, len(h.Row))
		}
		for j := range i {
			n := vec3{p[0] - at[j][0], p[1] - at[j][1], p[2] - at[j][2]}
			d := math.Sqrt(dot(n, n))
			if d > 2*r+touch {
				continue
			}
			n = vec3{n[0] / d, n[1] / d, n[2] / d}
			e := vec3{1, 0, 0}
			if math.Abs(n[0]) > 0.6 {
				e = vec3{0, 1, 0}
			}
			o := cross(&n, &e)
			l := math.Sqrt(dot(o, o))
			o = vec3{o[0] / l, o[1] / l, o[2] / l}
			t := cross(&o, &n)
			frame := mat3{n[0], n[1], n[2], t[0], t[1], t[2], o[0], o[1], o[2]}
			row(i, &frame, vec3{-r * n[0], -r * n[1], -r * n[2]}, 1)
			row(j, &frame, vec3{r * n[0], r * n[1], r * n[2]}, -1)
			h.Ptr = append(h.Ptr, len(h.Row))
		}
	}
	m, f := sparse.NewBuilder(h.Rows).Build(), make([]float64, h.Rows)
	for i := range h.Rows {
		m.AddAt(i, i, 1)
		if i%6 >= 3 {
			m.AddAt(i, i, inertia-1)
		}
		if v != nil {
			f[i] = m.Val[m.Ptr[i]] * v[i]
		}
		if i%6 == 2 {
			f[i] -= 9.81e-3
		}
	}
	laws := make([]Law, h.Contacts())
	for j := range laws {
		laws[j] = Coulomb{Mu: mu}
	}
	d, err := delassus.NewDelassus(&Global{M: m, F: f, H: h, W: make([]float64, 3*len(laws)), Laws: laws})
	if err != nil {
		panic(err)
	}
	return d.Local
}

// cannonballs is the square pyramid with n spheres along an edge of the floor:
// all spheres touch all their neighbours, and forces are far from unique.
func cannonballs(n int) (at []vec3) {
	for l := range n {
		for i := range n - l {
			for j := range n - l {
				at = append(at, vec3{float64(i) + 0.5*float64(l), float64(j) + 0.5*float64(l), 0.5 + math.Sqrt2/2*float64(l)})
			}
		}
	}
	return at
}

// heaps are those that were made: several tests take the same.
var heaps sync.Map

// heap drops n spheres at random and lets them sink without overlap, crudely.
func heap(n int, seed uint64) []vec3 {
	key := [2]uint64{uint64(n), seed}
	at, ok := heaps.Load(key)
	if !ok {
		at, _ = heaps.LoadOrStore(key, newHeap(n, seed))
	}
	return slices.Clone(at.([]vec3))
}

func newHeap(n int, seed uint64) []vec3 {
	rng := rand.New(rand.NewPCG(seed, 5))
	width := math.Ceil(math.Cbrt(float64(n)))
	at := make([]vec3, n)
	for i := range at {
		at[i] = vec3{rng.Float64() * width, rng.Float64() * width, 0.5 + rng.Float64()*width*1.2}
	}
	for step := range 600 {
		for i := range at {
			at[i][2] -= 5e-3 / (1 + 1e-4*float64(step*step))
			for k := range 2 {
				at[i][k] += 2e-3 * (width/2 - at[i][k])
			}
		}
		for range 5 {
			separate(at)
		}
	}
	return at
}

// separate moves overlapping spheres apart.
func separate(at []vec3) {
	for i := range at {
		at[i][2] = max(at[i][2], 0.5)
		for j := range i {
			d := vec3{at[i][0] - at[j][0], at[i][1] - at[j][1], at[i][2] - at[j][2]}
			if l := math.Sqrt(dot(d, d)); l < 1 {
				for k := range 3 {
					at[i][k] += 0.5 * (1/l - 1) * d[k]
					at[j][k] -= 0.5 * (1/l - 1) * d[k]
				}
			}
		}
	}
}

// piles are exact rigid piles from 30 spheres on, with far more contact forces
// than degrees of freedom.
func piles(short bool) map[string]*Local {
	all := map[string]*Local{}
	pyramids, heaps := []int{4}, []int{64}
	if thorough.Asked() {
		heaps = []int{64, 150}
		if !short {
			pyramids = []int{4, 6}
		}
	}
	for _, mu := range []float64{0.1, 0.3, 0.8} {
		for _, n := range pyramids {
			all[fmt.Sprintf("cannonballs %d, μ %g", n, mu)] = spherePile(cannonballs(n), 1e-9, mu, nil)
		}
		for _, n := range heaps {
			at := heap(n, 1)
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			v := make([]float64, 6*n)
			for i := range v {
				v[i] = 0.02 * rng.NormFloat64()
			}
			all[fmt.Sprintf("heap %d, μ %g", n, mu)] = spherePile(at, 1e-2, mu, nil)
			all[fmt.Sprintf("shaken heap %d, μ %g", n, mu)] = spherePile(at, 1e-2, mu, v)
		}
	}
	if thorough.Asked() {
		all["cannonballs 8, μ 0.8"] = spherePile(cannonballs(8), 1e-9, 0.8, nil)
	}
	return all
}

// TestPiles solves them by the default three digits further than asked for by
// default.
func TestPiles(t *testing.T) {
	thorough.Seconds(t)
	for name, p := range piles(testing.Short()) {
		t.Run(name, func(t *testing.T) {
			var res Result
			if err := SolveLocal(context.Background(), p, &Options{Tolerance: 1e-11}, nil, &res); err != nil {
				t.Fatalf("%d contacts: %v, %v", len(p.Laws), err, res.Stages)
			}
			t.Logf("%d contacts, %d iterations, merit %.1e, %v", len(p.Laws), res.Iterations, res.Merit, res.Stages)
		})
	}
}

// BenchmarkPiles solves from zero in a workspace that knows the pattern.
func BenchmarkPiles(b *testing.B) {
	for _, c := range []struct {
		name string
		at   []vec3
	}{{"cannonballs 91", cannonballs(6)}, {"heap 150", heap(150, 1)}} {
		p := spherePile(c.at, 1e-2, 0.3, nil)
		b.Run(c.name, func(b *testing.B) {
			var ws LocalWorkspace
			var res Result
			b.ReportAllocs()
			for b.Loop() {
				ws.Forget()
				if err := SolveLocal(context.Background(), p, nil, &ws, &res); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(p.Laws)), "contacts")
			b.ReportMetric(float64(res.Iterations), "iterations")
		})
	}
}

func cross(a, b *vec3) vec3 {
	return vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
