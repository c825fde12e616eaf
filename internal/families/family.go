package families

import (
	"fmt"
	"math/rand/v2"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/delassus"
)

// Family is a kind of problem. [All] lists them.
type Family struct {
	Name  string
	Dim   int // 2 or 3
	Joint bool
	// build makes a problem of about n contacts.
	build func(g *generator, n int) *contact.Global
}

// Parameters choose a member of a family. The zero value works.
type Parameters struct {
	// Seed of the shapes, masses and velocities.
	Seed uint64
	// Mu is the coefficient of friction [-]. Default: one of 0.1, 0.3, 0.5, 0.8, by
	// the seed. Frictionless makes it zero.
	Mu           float64
	Frictionless bool
	// Speed is the standard deviation of the initial velocities relative to g·h, the
	// velocity of a free fall of one step [-]. Default: 0, 1 or 10 by the seed, but
	// for soups, which have always some. Rest makes them zero.
	Speed float64
	Rest  bool
}

// Physical constants of all families.
const (
	// timeStep h of the step that a problem is [s].
	timeStep = 5e-3
	// gravity g [m/s²].
	gravity = 9.81
)

// families in alphabetical order.
var families = []Family{
	{Name: "arches", Dim: 2, build: arch},
	{Name: "boxes", Dim: 3, build: boxTower},
	{Name: "bundles", Dim: 3, build: bundle},
	{Name: "chains", Dim: 3, Joint: true, build: chain},
	{Name: "discs", Dim: 2, build: discPile},
	{Name: "dominoes", Dim: 3, build: dominoRow},
	{Name: "elastic", Dim: 3, build: elasticBlock},
	{Name: "gears", Dim: 2, Joint: true, build: gearTrain},
	{Name: "grippers", Dim: 3, build: gripper},
	{Name: "mixtures", Dim: 3, build: mixture},
	{Name: "nests", Dim: 3, build: nest},
	{Name: "packs", Dim: 2, build: hexagonalPack},
	{Name: "planks", Dim: 3, build: plankTower},
	{Name: "ratios", Dim: 3, build: massRatios},
	{Name: "rods", Dim: 3, build: crossedRods},
	{Name: "ropes", Dim: 2, Joint: true, build: rope},
	{Name: "soups", Dim: 3, build: soup},
	{Name: "spheres", Dim: 3, build: spherePile},
	{Name: "tables", Dim: 3, build: table},
	{Name: "walls", Dim: 3, build: brickWall},
	{Name: "wedges", Dim: 3, build: flatArch},
}

// All returns the families in alphabetical order.
func All() []Family { return append([]Family(nil), families...) }

// Find returns the family of that name.
func Find(name string) (Family, error) {
	for _, f := range families {
		if f.Name == name {
			return f, nil
		}
	}
	return Family{}, fmt.Errorf("families: there is no family %q", name)
}

// Problem makes the member of about size contacts, size >= 1. It panics on a smaller
// size or a negative parameter.
func (f Family) Problem(size int, p Parameters) *contact.Global {
	if size < 1 || p.Mu < 0 || p.Speed < 0 {
		panic(fmt.Sprintf("families: Problem: size %d, Mu %g, Speed %g", size, p.Mu, p.Speed))
	}
	stream := uint64(size)
	for _, c := range f.Name {
		stream = 31*stream + uint64(c)
	}
	g := &generator{Rand: rand.New(rand.NewPCG(p.Seed, stream)), speed: p.Speed}
	mu, speed := frictions[g.IntN(len(frictions))], speeds[g.IntN(len(speeds))]
	if g.mu = p.Mu; g.mu == 0 && !p.Frictionless {
		g.mu = mu
	}
	if g.speed == 0 && !p.Rest {
		g.speed = speed
	}
	return f.build(g, size)
}

var (
	frictions = [...]float64{0.1, 0.3, 0.5, 0.8}
	speeds    = [...]float64{0, 0, 1, 10} // twice as often at rest
)

// Local reduces a problem to its reactions, those of joints among them as [contact.SolveGlobal] has
// them.
func Local(p *contact.Global) (*contact.Local, error) {
	if q, ok := delassus.WithJoints(p); ok {
		p = q
	}
	d, err := contact.NewDelassus(p)
	if err != nil {
		return nil, err
	}
	return d.Local, nil
}

// generator is the source of all that is drawn.
type generator struct {
	*rand.Rand
	mu, speed float64
}

// between draws from [a, b).
func (g *generator) between(a, b float64) float64 { return a + (b-a)*g.Float64() }

// deviate draws from the normal distribution cut at three deviations.
func (g *generator) deviate() float64 {
	for {
		if x := g.NormFloat64(); x*x < 9 {
			return x
		}
	}
}

// direction draws from the unit sphere.
func (g *generator) direction() vec3 {
	for {
		d := vec3{g.between(-1, 1), g.between(-1, 1), g.between(-1, 1)}
		if l := d.norm(); l > 0.1 && l < 1 {
			return d.scale(1 / l)
		}
	}
}
