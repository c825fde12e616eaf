package casefile

import (
	"encoding/json"
	"path/filepath"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// energeticDocument is a case of the model energetic, key by key. Numbers are
// float64 and not int: 2e2 is a valid number of steps.
type energeticDocument struct {
	Name        string                      `json:"name"`
	Description string                      `json:"description"`
	Until       float64                     `json:"until"`
	Steps       *float64                    `json:"steps"`
	Step        *float64                    `json:"step"`
	Obstacles   map[string]obstacleDocument `json:"obstacles"`
	Friction    map[string]frictionDocument `json:"friction"`
	Particles   []particleDocument          `json:"particles"`
	Anchors     []anchorDocument            `json:"anchors"`
	Energies    []json.RawMessage           `json:"energies"`
	Gamma       gammaDocument               `json:"gamma"`
	GammaPolicy string                      `json:"gamma_policy"`
	Threshold   string                      `json:"threshold"`
	Accuracy    float64                     `json:"accuracy"`
	Adaptive    *adaptiveDocument           `json:"adaptive"`
	OnJump      string                      `json:"on_jump"`
	Stability   string                      `json:"stability"`
	Equilibrate bool                        `json:"equilibrate"`
	Solver      struct {
		Tolerance float64        `json:"tolerance"`
		Memory    memoryDocument `json:"memory"`
	} `json:"solver"`
	Output outputDocument   `json:"output"`
	Expect []expectDocument `json:"expect"`
}

// outputDocument says what files a run leaves, of every model.
type outputDocument struct {
	Format string  `json:"format"`
	Every  float64 `json:"every"`
}

func (d *outputDocument) every() int { return max(1, int(d.Every)) }

func (d *outputDocument) format() table.Format {
	if d.Format == "" {
		return table.CSV
	}
	return table.Format(d.Format) // the schema has checked it
}

type particleDocument struct {
	ID       string     `json:"id"`
	At       [3]float64 `json:"at"`
	Obstacle *string    `json:"obstacle"`
	Friction *string    `json:"friction"`
	Mass     float64    `json:"mass"`
}

type anchorDocument struct {
	ID string          `json:"id"`
	At json.RawMessage `json:"at"`
}

// builder makes the model of one case. Parts that are at fault are recorded and
// left out, so that one pass finds all faults.
type builder struct {
	*faults
	doc *energeticDocument

	particle map[string]int // number by id
	anchor   map[string]int
	ids      []string // of particles, in order
	all      []string // of particles and anchors, for suggestions
	at       []float64
	frames   []particles.Frame
	matrices []dissipation.Matrix
	anchors  []particles.Path // nil where at fault
	terms    terms
	files    []string
	nodes    []*bodyNodes // of elastic bodies, in order
	limit    memory.Limit
}

func newBuilder(f *faults, doc *energeticDocument) *builder {
	return &builder{faults: f, doc: doc, particle: map[string]int{}, anchor: map[string]int{}}
}

func (b *builder) model() *Model {
	b.names()
	b.bodies()
	if b.any() {
		return nil
	}
	steps := b.steps()
	b.checkGamma()
	b.obstacles()
	b.friction()
	b.bodyFrames()
	b.paths()
	energies := b.energies()
	expect := b.expectations()
	if b.any() {
		return nil
	}
	sys, err := particles.NewSystem(b.frames, energies...)
	if err != nil {
		b.add(nil, "%v", err)
		return nil
	}
	start := b.start(sys)
	if b.any() {
		return nil
	}
	psi, err := dissipation.New(sys, b.matrices)
	if err != nil {
		b.add(path{"friction"}, "%v", err)
		return nil
	}
	options := b.options()
	need := b.plan(&options.Step, psi)
	if b.checkNeed(need); b.any() {
		return nil
	}
	b.checkEnergy(sys, start)
	stability, err := energetic.ParseStabilityTest(b.doc.Stability)
	if !b.accept(path{"stability"}, err) {
		return nil
	}
	return &Model{Psi: psi, Start: start, At: b.at, IDs: b.ids, Until: b.doc.Until, Steps: steps,
		Options: options, Need: need, Limit: b.limit, Every: b.doc.Output.every(), Format: b.doc.Output.format(), Expect: expect, Files: b.files, Scene: b.scene(sys),
		Chosen: b.doc.Steps == nil && b.doc.Step == nil && b.doc.Adaptive == nil, Gammas: b.doc.Gamma.all, Adaptive: b.adaptive(), StopAtJump: b.doc.OnJump == "stop", Stability: stability}
}

// names numbers particles and anchors; their ids share one space, since springs
// may end at either.
func (b *builder) names() {
	seen := map[string]path{}
	claim := func(id string, p path) bool {
		if first, twice := seen[id]; twice {
			b.add(p, "the id %q is taken by %s, want an id of its own", id, first)
			return false
		}
		seen[id] = p[:len(p)-1]
		return true
	}
	for j, d := range b.doc.Particles {
		b.ids, b.at = append(b.ids, d.ID), append(b.at, d.At[:]...)
		if claim(d.ID, path{"particles", j, "id"}) {
			b.particle[d.ID] = j
			b.all = append(b.all, d.ID)
		}
	}
	for i, d := range b.doc.Anchors {
		if claim(d.ID, path{"anchors", i, "id"}) {
			b.anchor[d.ID] = i
			b.all = append(b.all, d.ID)
		}
	}
}

// paths decodes the motions of the anchors.
func (b *builder) paths() {
	for i, d := range b.doc.Anchors {
		b.anchors = append(b.anchors, b.vector(path{"anchors", i, "at"}, d.At, 3))
	}
}

// lookup returns the number of the particle with an id.
func (b *builder) lookup(p path, id string) (int, bool) {
	j, ok := b.particle[id]
	if !ok {
		_, isAnchor := b.anchor[id]
		b.unknownID(p, id, "particle", b.ids, isAnchor)
	}
	return j, ok
}

func (b *builder) unknownID(p path, id, kind string, valid []string, elsewhere bool) {
	switch guess := nearest.Word(id, valid); {
	case elsewhere:
		b.add(p, "%q is not %s, want the id of one", abbreviate(id), article(kind))
	case guess != "":
		b.add(p, "unknown id %q, the nearest %s is %q", abbreviate(id), kind, guess)
	case len(valid) == 0:
		b.add(p, "unknown id %q: the case has no %s", abbreviate(id), kind)
	default:
		b.add(p, "unknown id %q, want that of %s, for instance %q", abbreviate(id), article(kind), valid[0])
	}
}

// ends is a particle and what it is tied to: another particle, or a path.
type ends struct {
	i, j   int
	anchor particles.Path
}

// pair looks up the two ends of a spring or bond; the particle comes first.
func (b *builder) pair(p path, ids [2]string) (e ends, ok bool) {
	first, firstAnchor := b.anchor[ids[0]]
	second, secondAnchor := b.anchor[ids[1]]
	switch {
	case firstAnchor && secondAnchor:
		b.add(p, "both %q and %q are anchors, want at least one particle", ids[0], ids[1])
		return e, false
	case ids[0] == ids[1]:
		b.add(p, "both ends are %q, want two different ones", abbreviate(ids[0]))
		return e, false
	case firstAnchor:
		e.i, ok = b.lookup(p.with(1), ids[1])
		e.anchor = b.anchors[first]
		return e, ok && e.anchor != nil
	case secondAnchor:
		e.i, ok = b.lookup(p.with(0), ids[0])
		e.anchor = b.anchors[second]
		return e, ok && e.anchor != nil
	}
	e.i, ok = b.lookupEnd(p.with(0), ids[0])
	if !ok {
		return e, false
	}
	e.j, ok = b.lookupEnd(p.with(1), ids[1])
	return e, ok
}

func (b *builder) lookupEnd(p path, id string) (int, bool) {
	j, ok := b.particle[id]
	if !ok {
		b.unknownID(p, id, "particle or anchor", b.all, false)
	}
	return j, ok
}

func (b *builder) dir() string { return filepath.Dir(b.file) }
