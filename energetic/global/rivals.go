package global

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/anderson"
	"github.com/quasistatic/quasistatic/particles"
)

// rival is an equilibrium beside a state z: one that a motion from z reaches with friction as it
// is there.
type rival struct {
	y        []float64
	friction float64 // D(z, y) [J]
	frozen   float64 // Ψ(t, z, y − z) [J]
	gain     float64 // E(t, z) − E(t, y) − D(z, y) [J]
}

// rivalSearch looks for rivals of a state. The search of Search has thresholds frozen at z, as in
// (S); here they are those at the rival, as of a step with implicit thresholds. Both are of motions
// from the node before, see [Search.RunFrom].
type rivalSearch struct {
	*Search
	way             *way
	random          int    // states that a search begins at by chance
	solves          int    // local minimisations so far
	count           uint64 // searches made: each begins at other ones
	work            []float64
	mixer           anderson.Mixer
	strength, image []float64 // of friction, by contact
	samePos         float64   // distance at which two states are one [m]
}

// randomSeeds is the number of random states that the search of a node begins at; nodes have
// different ones.
const randomSeeds = 8

// samePlace is the distance at which two equilibria are one, over the size of the system.
const samePlace = 1e-6

// rivalsKept is the number of rivals that are followed from node to node.
const rivalsKept = 16

// fixedPoint is the number of times that thresholds are taken anew.
const fixedPoint = 60

func newRivalSearch(psi *dissipation.Coulomb, z []float64) (*rivalSearch, error) {
	g, err := NewSearch(psi, SearchOptions{})
	if err != nil {
		return nil, err
	}
	count := len(g.min.Contacts())
	s := &rivalSearch{Search: g, way: newWay(psi), random: randomSeeds, work: make([]float64, len(z)),
		strength: make([]float64, count), image: make([]float64, count),
		samePos: samePlace * psi.System.Extent(z)}
	s.mixer.Resize(count)
	return s, nil
}

// settle goes downhill from y to an equilibrium with friction against the motion from z, whose
// thresholds are those there, by Anderson's mixing of what they hold; false: none was found.
func (s *rivalSearch) settle(ctx context.Context, t float64, z, y []float64) bool {
	s.begin(t, z)
	contacts := s.min.Contacts()
	s.mixer.Reset()
	s.strengths(s.strength, t, y)
	for range fixedPoint {
		for i, j := range contacts {
			force := 0.0
			if size := s.psi.Size(t, j, y); size > 0 {
				force = s.strength[i] / size
			}
			s.min.SetThreshold(i, force, t, y)
		}
		copy(s.work, y)
		if s.min.SolveFrom(ctx, t, s.z, s.work, y, s.g, s.floor) != nil || floats.HasNaN(y) {
			return false
		}
		s.solves++
		s.strengths(s.image, t, y)
		if floats.Distance(s.image, s.strength, math.Inf(1)) <= 1e-13*max(floats.Norm(s.image, math.Inf(1)), s.floor) {
			return true
		}
		s.mixer.Next(s.strength, s.image)
	}
	return false
}

// strengths sets dst to what friction holds at a state, by contact.
func (s *rivalSearch) strengths(dst []float64, t float64, y []float64) {
	s.sys.Gradient(s.grad, nil, t, y)
	for i, j := range s.min.Contacts() {
		dst[i] = s.psi.Pressure(t, j, y, s.grad, s.from) * s.psi.Factor(j, t) * s.psi.Size(t, j, y)
	}
}

// judge measures a rival. Where there is no straight way to it friction is that of (S), Ψ(t, z, y −
// z).
func (s *rivalSearch) judge(t float64, z, y []float64) (r rival, err error) {
	r.y = slices.Clone(y)
	s.sys.Gradient(s.grad, nil, t, z)
	floats.SubTo(s.work, y, z)
	r.frozen = s.psi.ValueFrom(s.from, t, s.grad, z, s.work)
	s.way.older = s.from
	if r.friction, err = s.way.dissipation(t, z, y); err == errNoWay {
		r.friction, err = r.frozen, nil
	}
	r.gain = s.released(t, z, y) - r.friction
	return r, err
}

// released is E(t, z) − E(t, y) [J].
func (s *rivalSearch) released(t float64, z, y []float64) float64 {
	here, _ := s.sys.Value(t, z)
	there, _ := s.sys.Value(t, y)
	return here - there
}

// downhillSeeds is the number of states between one and where E alone would take it.
const downhillSeeds = 16

// downhill visits states between z and the equilibrium without friction downhill from it.
func (s *rivalSearch) downhill(ctx context.Context, t float64, z []float64, visit func(y []float64) error) error {
	s.begin(t, z)
	for i := range s.min.Contacts() {
		s.min.SetThreshold(i, 0, t, s.z)
	}
	end := make([]float64, len(z))
	if s.min.SolveFrom(ctx, t, s.z, s.z, end, s.g, s.floor) != nil || floats.Distance(end, z, 2) <= s.samePos {
		return ctx.Err()
	}
	y := make([]float64, len(z))
	for k := range downhillSeeds {
		part := float64(k+1) / downhillSeeds
		for i, x := range z {
			y[i] = x + part*(end[i]-x)
		}
		if err := visit(y); err != nil {
			return err
		}
	}
	return nil
}

// debonded visits states in which bonds are broken that z has whole: each by itself, and the ones
// that store most energy together, two, three, … of them; the others have come to rest meanwhile.
func (s *rivalSearch) debonded(ctx context.Context, t float64, z []float64, visit func(y []float64) error) error {
	whole := s.sys.Whole(t, z)
	if len(whole) == 0 {
		return nil
	}
	y, rest := make([]float64, len(z)), make([]float64, len(z))
	try := func(broken []particles.Damage) error {
		copy(y, z)
		for _, b := range broken {
			b.Break(y)
		}
		s.begin(t, z)
		if s.min.Solve(ctx, t, y, rest, s.g, s.floor) != nil {
			return ctx.Err()
		}
		return visit(rest)
	}
	for k := range whole {
		if err := try(whole[k : k+1]); err != nil {
			return err
		}
		if k == 0 {
			continue
		}
		if err := try(whole[:k+1]); err != nil {
			return err
		}
	}
	return nil
}

// find returns the rivals of z that are found from the given states, from the geometry of the case
// and by chance, the best one first.
func (s *rivalSearch) find(ctx context.Context, t float64, z []float64, from [][]float64) (list []rival, err error) {
	visit := func(start []float64) error {
		y := slices.Clone(start)
		if !s.settle(ctx, t, z, y) {
			return ctx.Err()
		}
		if s.sys.Behind(t, y) || floats.Distance(y, z, 2) <= s.samePos ||
			slices.ContainsFunc(list, func(r rival) bool { return floats.Distance(y, r.y, 2) <= s.samePos }) {
			return nil
		}
		// A state that even without friction costs no less needs no way; it is followed, and may
		// come to cost less.
		r := rival{y: y, gain: s.released(t, z, y)}
		if r.gain > 0 {
			if r, err = s.judge(t, z, y); err != nil {
				return errors.Join(ctx.Err(), err)
			}
			if r.gain <= solvedForce*s.floor*floats.Distance(y, z, 1) {
				r.gain = min(r.gain, 0) // at the end of what friction holds
			}
		}
		if !math.IsNaN(r.gain) {
			list = append(list, r)
		}
		return ctx.Err()
	}
	for _, y := range from {
		if err := visit(y); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(s.downhill(ctx, t, z, visit), s.debonded(ctx, t, z, visit), seeds(s.sys, t, z, visit)); err != nil {
		return nil, err
	}
	s.count++
	rng := rand.New(rand.NewPCG(s.count, 0x5eed))
	radius := s.sys.Extent(z)
	y := make([]float64, len(z))
	for k := range s.random {
		reach := math.Ldexp(radius, searchFar-k%searchSpread)
		only := rng.IntN(s.sys.N())
		for i, x := range z {
			y[i] = x
			if k%2 == 0 || i/3 == only {
				y[i] += reach * rng.NormFloat64()
			}
		}
		s.admit(y)
		if err := visit(y); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b rival) int { return cmp.Compare(b.gain, a.gain) })
	return list[:min(len(list), rivalsKept)], nil
}
