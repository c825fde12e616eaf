package global

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// StabilityTest says how (S) is judged where E(t, ·) is not known to be convex.
type StabilityTest int

// The tests of (S).
const (
	StabilityAuto   StabilityTest = iota // convex for convex energies, else a global search
	StabilityConvex                      // the local test only, which proves (S) for a convex E
	StabilityGlobal                      // a global search in any case
)

var stabilityNames = [...]string{"auto", "convex", "global"}

// String returns the name that a case file uses.
func (s StabilityTest) String() string {
	if s < 0 || int(s) >= len(stabilityNames) {
		return fmt.Sprintf("StabilityTest(%d)", int(s))
	}
	return stabilityNames[s]
}

// ParseStabilityTest is the inverse of String; the empty word is auto.
func ParseStabilityTest(word string) (StabilityTest, error) {
	for i, n := range stabilityNames {
		if word == n {
			return StabilityTest(i), nil
		}
	}
	if word == "" {
		return StabilityAuto, nil
	}
	return StabilityAuto, fmt.Errorf("global: unknown stability test %q, want one of %v", word, stabilityNames)
}

// Searches reports whether a system needs the global search under the test.
func (s StabilityTest) Searches(sys *particles.System) bool {
	switch s {
	case StabilityConvex:
		return false
	case StabilityGlobal:
		return true
	}
	return !sys.ConstantHessian() && !Convex(context.Background(), sys)
}

// SearchOptions are the wishes for a global search. The zero value works.
type SearchOptions struct {
	Evaluations int     // of E + Ψ, without those of the polishing; 0: 10000
	Starts      int     // of the multistart; 0: 100
	Radius      float64 // of the search [m]; 0: the size of the system
	Seed        uint64  // of the random numbers; the same seed finds the same
	// Tolerance: a state counts as better by more than this part of the energies
	// [-]; 0: 1e-10.
	Tolerance float64
}

// Validate names the first field out of range.
func (o *SearchOptions) Validate() error {
	switch {
	case o.Evaluations < 0 || o.Starts < 0:
		return fmt.Errorf("global: SearchOptions: %d evaluations, %d starts, want >= 0", o.Evaluations, o.Starts)
	case !(o.Radius >= 0) || math.IsInf(o.Radius, 1):
		return fmt.Errorf("global: SearchOptions.Radius is %g, want a finite length >= 0", o.Radius)
	case !(o.Tolerance >= 0 && o.Tolerance <= 1e-2):
		return fmt.Errorf("global: SearchOptions.Tolerance is %g, want [0, 1e-2]", o.Tolerance)
	}
	return nil
}

// SearchResult is what a global search found. Without a better state it proves
// nothing.
type SearchResult struct {
	Evaluations int       // of E + Ψ
	Polished    int       // local minimisations
	Better      bool      // a better state was found: (S) fails
	Gain        float64   // E(t, z) − E(t, Y) − Ψ(t, z, Y − z) [J], with the best Y seen
	Y           []float64 // local coordinates; nil unless Better
}

// String says what may be concluded.
func (r *SearchResult) String() string {
	if !r.Better {
		return fmt.Sprintf("no better state found in %d evaluations and %d local minimisations", r.Evaluations, r.Polished)
	}
	return fmt.Sprintf("a better state exists: it costs %.6g J less, friction included, so that (S) fails", r.Gain)
}

// Search looks for a state y ∈ A with E(t, y) + Ψ(t, z, y − z) < E(t, z),
// anywhere around a state z: by CMA-ES, and by local minimisations from states that
// the lengths of springs and pair potentials suggest, and from random ones at several
// distances. It has a minimiser of its own, so that searching
// changes no run. Not safe for concurrent use.
type Search struct {
	psi *dissipation.Coulomb
	sys *particles.System
	opt SearchOptions
	min *incremental.Minimiser

	t         float64
	from      dissipation.Origin
	z, grad   []float64
	y, g      []float64
	v         []float64
	best      float64 // smallest E(y) + Ψ(y − z) of polished states
	bestY     []float64
	floor     float64
	evaluated int
	polished  int
}

// NewSearch checks the options.
func NewSearch(psi *dissipation.Coulomb, o SearchOptions) (*Search, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Evaluations == 0 {
		o.Evaluations = 10000
	}
	if o.Starts == 0 {
		o.Starts = 100
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	n := 3 * psi.System.N()
	vector := func() []float64 { return make([]float64, n) }
	return &Search{psi: psi, sys: psi.System, opt: o, min: incremental.NewMinimiser(psi, searchTolerance),
		z: vector(), grad: vector(), y: vector(), g: vector(), v: vector(), bestY: vector()}, nil
}

const (
	// searchTolerance is that of the forces of a polished state: its energy is then
	// off by the square.
	searchTolerance = 1e-8
	// searchDimension is the largest number of coordinates for CMA-ES, whose
	// covariance has the square of it.
	searchDimension = 90
	// The multistart tries distances from 2^searchFar radii, for what lies outside
	// the system, down by halves, searchSpread of them.
	searchFar    = 3
	searchSpread = 8
)

// Run searches around the state z at time t, in which nothing slides.
func (s *Search) Run(ctx context.Context, t float64, z []float64) (*SearchResult, error) {
	return s.RunFrom(ctx, dissipation.Origin{}, t, z)
}

// RunFrom searches around the state z at time t of a motion from the node before: what slides along
// one of several obstacles is pressed otherwise onto the others, by its friction.
func (s *Search) RunFrom(ctx context.Context, from dissipation.Origin, t float64, z []float64) (*SearchResult, error) {
	s.from = from
	defer func() { s.from = dissipation.Origin{} }()
	if err := incremental.Admissible(s.sys, t, z); err != nil {
		return nil, err
	}
	s.begin(t, z)
	start := s.cost(s.z)
	rng := rand.New(rand.NewPCG(s.opt.Seed, 0x5eed))
	radius := s.opt.Radius
	if radius == 0 {
		radius = s.sys.Extent(z)
	}
	if err := seeds(s.sys, t, s.z, func(y []float64) error { copy(s.y, y); return s.polish(ctx) }); err != nil {
		return nil, err
	}
	if err := s.multistart(ctx, rng, radius); err != nil {
		return nil, err
	}
	if err := s.evolve(ctx, rng, radius); err != nil {
		return nil, err
	}
	return s.result(start), nil
}

// begin freezes Ψ(t, z, ·).
func (s *Search) begin(t float64, z []float64) {
	s.t, s.best, s.evaluated, s.polished = t, math.Inf(1), 0, 0
	s.min.From(t)
	copy(s.z, z)
	copy(s.bestY, z)
	s.sys.Gradient(s.grad, nil, t, s.z)
	rounding := incremental.RoundingForce(make([]float64, 2*len(z)), s.sys, s.sys.Hessian(t, s.z), s.z)
	s.floor = max(floats.Norm(s.grad, math.Inf(1)), rounding/searchTolerance)
	for i, j := range s.min.Contacts() {
		s.min.SetThreshold(i, s.psi.Pressure(s.t, j, s.z, s.grad, s.from)*s.psi.Factor(j, s.t), s.t, s.z)
	}
}

// size is that of the energies at (t, z) [J], F²/k included.
func (s *Search) size(t float64, z []float64) float64 {
	s.begin(t, z)
	e, _ := s.sys.Value(t, z)
	size := math.Abs(e)
	if k := s.sys.Hessian(t, z).MaxDiagonal(); k > 0 {
		size = max(size, s.floor*s.floor/(2*k))
	}
	return size
}

// Margin is the energy up to which states count as of the same cost as that at (t, z) [J].
func (s *Search) Margin(t float64, z []float64) float64 { return sameCost * s.size(t, z) }

// cost is E(t, y) + Ψ(t, z, y − z); +∞ where it is not a number.
func (s *Search) cost(y []float64) float64 {
	s.evaluated++
	for i, x := range y {
		s.v[i] = x - s.z[i]
	}
	e, _ := s.sys.Value(s.t, y)
	if e += s.min.Dissipation(s.v); math.IsNaN(e) || s.sys.Behind(s.t, y) {
		return math.Inf(1)
	}
	return e
}

// admit moves a state into A.
func (s *Search) admit(y []float64) {
	for j := range s.sys.N() {
		if s.sys.Constrained(j) {
			y[3*j+2] = max(y[3*j+2], 0)
		}
	}
	s.sys.Admit(s.t, y)
}

// multistart polishes random states: half of them move every particle, half a
// single one; half start from z, half from the best state so far (basin hopping).
func (s *Search) multistart(ctx context.Context, rng *rand.Rand, radius float64) error {
	for k := range s.opt.Starts {
		reach := math.Ldexp(radius, searchFar-k/2%searchSpread)
		only, origin := rng.IntN(s.sys.N()), s.z
		if k/2/searchSpread%2 == 1 {
			origin = s.bestY
		}
		for i, x := range origin {
			s.y[i] = x
			if k%2 == 0 || i/3 == only {
				s.y[i] += reach * rng.NormFloat64()
			}
		}
		s.admit(s.y)
		if err := s.polish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// polish minimises locally from s.y and keeps the best. A descent that fails, say
// where particles of a singular potential coincide, found nothing.
func (s *Search) polish(ctx context.Context) error {
	if math.IsInf(s.cost(s.y), 1) {
		return nil
	}
	s.polished++
	if err := s.min.SolveFrom(ctx, s.t, s.z, s.y, s.y, s.g, s.floor); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if c := s.cost(s.y); c < s.best {
		s.best = c
		copy(s.bestY, s.y)
	}
	return nil
}

// evolve runs CMA-ES on the cost of the nearest admissible state and polishes
// what it finds.
func (s *Search) evolve(ctx context.Context, rng *rand.Rand, radius float64) error {
	budget := s.opt.Evaluations - s.evaluated
	if len(s.z) > searchDimension || budget <= 0 {
		return nil
	}
	y := make([]float64, len(s.z))
	p := optimize.Problem{
		Func: func(x []float64) float64 {
			copy(y, x)
			s.admit(y)
			return s.cost(y)
		},
		Status: func() (optimize.Status, error) {
			if ctx.Err() != nil {
				return optimize.Failure, ctx.Err()
			}
			return optimize.NotTerminated, nil
		},
	}
	method := &optimize.CmaEsChol{InitStepSize: radius, Src: rand.NewPCG(rng.Uint64(), 1)}
	settings := &optimize.Settings{FuncEvaluations: budget, Concurrent: 1, Converger: optimize.NeverTerminate{}}
	res, err := optimize.Minimize(p, s.z, settings, method)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if res == nil {
		return fmt.Errorf("global: global search: %w", err)
	}
	copy(s.y, res.X)
	s.admit(s.y)
	return s.polish(ctx)
}

// solvedForce is what steps leave of the forces: a gain that is less along the way to a far state
// may be of that.
const solvedForce = 1e-12

// result compares the best polished state with z. Gains below the tolerance are
// roundoff of the energies.
func (s *Search) result(start float64) *SearchResult {
	r := &SearchResult{Evaluations: s.evaluated, Polished: s.polished, Gain: start - s.best}
	scale := max(math.Abs(start), math.Abs(s.best))
	if k := s.sys.Hessian(s.t, s.z).MaxDiagonal(); k > 0 {
		scale = max(scale, 0.5*s.floor*s.floor/k)
	}
	if way := floats.Distance(s.bestY, s.z, 1); r.Gain > s.opt.Tolerance*scale && r.Gain > solvedForce*s.floor*way {
		r.Better, r.Y = true, append([]float64(nil), s.bestY...)
	}
	return r
}
