package energetic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// tethered is one particle on a tether of stiffness diag(k, k, kn), whose end moves by a
// path of its own in each direction, on the floor with friction mu. Its evolution is known
// without this package: where the end lies deeper than the floor by d > 0, N = kn d, and
// the particle is swept by the disc of radius mu N/k about the end; else it is the end.
type tethered struct {
	k, kn, mu float64
	end       [3]func(t float64) float64
	path      particles.Path
	unit      float64 // of length
	until     float64
	cycle     float64 // shortest period
}

// randomTethered draws stiffnesses, friction, and ends that move by sums of sines or by
// tables; of some the particle hardly slides, or pressing exceeds all that is along.
func randomTethered(t *testing.T, r *rand.Rand) *tethered {
	t.Helper()
	power := func(lo, hi float64) float64 { return math.Pow(10, lo+(hi-lo)*r.Float64()) }
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := &tethered{k: power(-1, 2), kn: power(-1, 3), mu: power(-1.5, 0.7), unit: power(-3, 3), until: 4, cycle: math.Inf(1)}
	depth := power(-1.5, 1.5) * c.unit
	play := c.mu * c.kn * depth / c.k
	along := play * (1 + power(-1.7, 1.3)) // beyond it the particle slides
	add := func(axis int, offset, amplitude float64) {
		if r.IntN(4) == 0 && axis < 2 {
			times, values := []float64{0}, []float64{offset}
			for s := 0.2 + 0.6*r.Float64(); s < c.until; s += 0.2 + 0.6*r.Float64() {
				times, values = append(times, s), append(values, offset+amplitude*(2*r.Float64()-1))
			}
			c.cycle = min(c.cycle, 0.4)
			table, err := signal.NewTable(times, values)
			must(err)
			c.path = append(c.path, table)
			c.end[axis] = func(t float64) float64 {
				for i := 1; i < len(times); i++ {
					if t <= times[i] {
						return values[i-1] + (values[i]-values[i-1])*(t-times[i-1])/(times[i]-times[i-1])
					}
				}
				return values[len(values)-1]
			}
			return
		}
		frequency := 0.3 + r.Float64()
		c.cycle = min(c.cycle, 1/frequency)
		sine, err := signal.NewSine(offset, amplitude, frequency, 0)
		must(err)
		c.path = append(c.path, sine)
		c.end[axis] = func(t float64) float64 { return offset + amplitude*math.Sin(2*math.Pi*frequency*t) }
	}
	add(0, 0, along)
	add(1, 0, []float64{0, along, along * r.Float64()}[r.IntN(3)])
	add(2, -depth, []float64{0, depth * r.Float64(), -depth * r.Float64(), 1.5 * depth * r.Float64()}[r.IntN(4)])
	return c
}

func (c *tethered) psi(t *testing.T) *dissipation.Coulomb {
	t.Helper()
	tethers, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: c.path, Stiffness: particles.Diagonal(c.k, c.k, c.kn)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), tethers)
	if err != nil {
		t.Fatal(err)
	}
	m, err := dissipation.NewIsotropic(c.mu)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{m})
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

// sweep is Moreau's catching-up algorithm in very short steps.
type sweep struct {
	c          *tethered
	t, n       float64
	x          [2]float64
	z          float64
	dissipated float64
}

func (s *sweep) to(t float64, steps int) {
	from := s.t
	for i := 1; i <= steps; i++ {
		s.t = from + (t-from)*float64(i)/float64(steps)
		a := [3]float64{s.c.end[0](s.t), s.c.end[1](s.t), s.c.end[2](s.t)}
		before := s.n
		s.n, s.z = s.c.kn*max(-a[2], 0), max(a[2], 0)
		radius := s.c.mu * s.n / s.c.k
		dx, dy := s.x[0]-a[0], s.x[1]-a[1]
		off := math.Hypot(dx, dy)
		if off <= radius {
			continue
		}
		x := [2]float64{a[0] + dx*radius/off, a[1] + dy*radius/off}
		s.dissipated += s.c.mu * 0.5 * (before + s.n) * math.Hypot(x[0]-s.x[0], x[1]-s.x[1])
		s.x = x
	}
}

// TestSweeping: of a particle on a tether, whatever presses it and however little it
// slides, runs that are certified have the dissipation, the positions at all times and the
// forces of Moreau's sweeping process within the accuracy.
func TestSweeping(t *testing.T) {
	scenes := 5
	if thorough.Asked() {
		scenes = 2000
	}
	const accuracy = 1e-2
	ctx := context.Background()
	certified, refused, wrongly := 0, 0, 0
	var worst [3]float64
	for seed := range uint64(scenes) {
		r := rand.New(rand.NewPCG(seed, 1222))
		c := randomTethered(t, r)
		o := []energetic.Options{implicit, implicit, lagged}[r.IntN(3)]
		n := int(c.until / c.cycle * math.Pow(10, 0.7+2.3*r.Float64()))
		e, err := energetic.Start(ctx, c.psi(t), make([]float64, 3), o)
		if err != nil {
			t.Fatal(err)
		}
		s := &sweep{c: c, n: -c.kn * c.end[2](0)}
		const parts = 8 // of a step, at whose ends positions are compared
		fine := max(4, 100000/(n*parts))
		size, off, force, held := 0.0, 0.0, 0.0, 0.0
		last := make([]float64, 3)
		for k := 1; k <= n; k++ {
			before := s.t
			to := c.until * float64(k) / float64(n)
			if err := e.Step(ctx, to); err != nil {
				t.Fatal(err)
			}
			z := e.Node().Z
			for p := 1; p <= parts; p++ {
				part := float64(p) / parts
				s.to(before+(to-before)*part, fine)
				x := [3]float64{s.x[0], s.x[1], s.z}
				d := [3]float64{}
				for i := range x {
					d[i] = x[i] - last[i] - part*(z[i]-last[i])
					size = max(size, math.Abs(x[i]))
				}
				for i := range x {
					off = max(off, math.Abs(d[i]))
				}
			}
			if g := e.Node().Grad; s.n > 0 && z[2] == 0 {
				f := [2]float64{c.k * (s.x[0] - c.end[0](to)), c.k * (s.x[1] - c.end[1](to))}
				force = max(force, math.Hypot(g[0]-f[0], g[1]-f[1]))
				held = max(held, math.Hypot(f[0], f[1]))
			}
			copy(last, z)
		}
		n2 := e.Node()
		v := e.Summary()
		d := math.Abs(n2.Dissipation-s.dissipated) / max(s.dissipated, math.SmallestNonzeroFloat64)
		if !v.Certified {
			refused++
			if d < accuracy/10 && off < accuracy/10*size && force < accuracy/10*held {
				wrongly++
			}
			continue
		}
		certified++
		got := [3]float64{d, off / max(size, math.SmallestNonzeroFloat64), force / max(held, math.SmallestNonzeroFloat64)}
		for i, g := range got {
			if worst[i] = max(worst[i], g); g > accuracy {
				name := [3]string{"dissipation", "position", "force"}[i]
				t.Errorf("seed %d, %d steps (%.0f a cycle), threshold %v: certified, and the %s is off by %.3g; %.3g J, %.3g m; k %g kn %g mu %g",
					seed, n, float64(n)*c.cycle/c.until, o.Step.Threshold, name, g, s.dissipated, size, c.k, c.kn, c.mu)
			}
		}
	}
	t.Logf("%d certified, off by %.2g, %.2g, %.2g at most; %d refused, %d of them right to a tenth", certified,
		worst[0], worst[1], worst[2], refused, wrongly)
}
