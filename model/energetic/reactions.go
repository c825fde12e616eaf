package energetic

import (
	"maps"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/particles/body"
)

// supported is what holds a group of a body along an axis.
type supported struct {
	nodes []int // that are prescribed along it; nil: the expectation is of the body as a whole
	axis  int   // of the mesh
	// bedded are those on a bed.
	bedded []int
	// group is that of a mean displacement, and shares are those of its nodes in its area.
	group  fem.Group
	shares []float64
}

// bodyOf finds the body of an expectation, and of a reaction the nodes of its group that are prescribed along
// the axis. Nodes of several groups count in each of them.
func (b *builder) bodyOf(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
	k := slices.IndexFunc(b.nodes, func(n *bodyNodes) bool { return n.doc.ID == *d.Body })
	if k < 0 {
		b.UnknownName(p.With("body"), *d.Body, "body", b.bodyIDs())
		return
	}
	n := b.nodes[k]
	s := supported{axis: e.Axis}
	e.Subject, e.ID = n.first, n.doc.ID
	if d.Group != nil {
		g, ok := n.body.Mesh().Groups[*d.Group]
		switch {
		case !ok:
			b.UnknownName(p.With("group"), *d.Group, "group", slices.Sorted(maps.Keys(n.body.Mesh().Groups)))
			return
		case e.Axis < 0:
			return // the key is missing, which is said
		case e.Axis >= n.body.Mesh().Dim:
			b.Add(p.With("axis"), "found %q, want an axis of the mesh, x or y, as \"prescribed\" has it", *d.Axis)
			return
		}
		e.ID += "/" + *d.Group
		if e.Quantity == "mean_displacement" {
			s.group = g
			shares, _, err := n.body.Mesh().Shares(n.body.Kinematics(), g)
			if s.shares = shares; !b.Accept(p.With("group"), err) {
				return
			}
			e.Element, b.supports = len(b.supports), append(b.supports, s)
			return
		}
		for _, i := range g.Nodes() {
			if n.body.Motion(i, e.Axis) != nil {
				s.nodes = append(s.nodes, i)
			}
			if n.bedded[i] {
				s.bedded = append(s.bedded, i)
			}
		}
		if s.nodes == nil && s.bedded == nil {
			b.Add(p.With("group"), "no node of the group %q is prescribed along %s or on a bed, so that nothing holds it there", *d.Group, *d.Axis)
		}
	}
	e.Element, b.supports = len(b.supports), append(b.supports, s)
}

func (b *builder) bodyIDs() (list []string) {
	for _, n := range b.nodes {
		list = append(list, n.doc.ID)
	}
	return list
}

// bodyState is where bodies are at a node, with what they remember there.
type bodyState struct {
	k         int // node
	t         float64
	bodies    map[int]*body.Body // by the particle that is node 0
	x, handed []float64
	support   []float64
}

// at returns a body of an expectation, and where bodies are at the present node.
func (r *Run) at(x *casefile.Expectation) (*body.Body, *supported, *bodyState) {
	n, s := r.last, &r.standing
	if s.bodies == nil || s.k != n.K || s.t != n.T {
		psi := r.remember(n)
		if s.bodies == nil {
			s.bodies, s.x, s.handed = map[int]*body.Body{}, make([]float64, len(n.Z)), make([]float64, len(n.Z))
			for _, e := range psi.System.Energies() {
				if b, is := e.(*body.Body); is {
					s.bodies[b.First()] = b
				}
			}
		}
		psi.System.ToGlobalAt(n.T, s.x, n.Z)
		psi.System.Handed(s.handed, n.T, n.Z)
		s.k, s.t = n.K, n.T
	}
	return s.bodies[x.Subject], &r.c.supports[x.Element], s
}

// remember returns the functional with what friction and bodies remember at a node.
func (r *Run) remember(n *energetic.Node) *dissipation.Coulomb {
	if r.own == nil {
		r.own = r.c.Psi.Own()
	}
	r.own.Remember(n.T, n.Z, n.Slipped)
	return r.own
}

// reaction is the force by which supports and beds hold a group along an axis [N].
func (r *Run) reaction(x *casefile.Expectation) float64 {
	b, of, at := r.at(x)
	at.support = b.Support(at.support, at.t, at.x)
	sum := b.Reaction(of.nodes, of.axis, at.support, at.handed, at.t, at.x)
	if of.bedded != nil {
		at.support = b.BedForce(at.support, at.t, at.x)
		for _, i := range of.bedded {
			sum += at.support[b.Mesh().Dim*i+of.axis]
		}
	}
	return sum
}

// meanDisplacement is that of the sides of a group along an axis [m].
func (r *Run) meanDisplacement(x *casefile.Expectation) (mean float64) {
	b, of, at := r.at(x)
	u := b.Displacement(nil, at.t, at.x)
	for i, share := range of.shares {
		mean += share * u[b.Mesh().Dim*i+of.axis]
	}
	return mean
}

// plasticStrain is the largest equivalent plastic strain of the elements of a body, in the mean of each [-].
func (r *Run) plasticStrain(x *casefile.Expectation) float64 {
	b, _, at := r.at(x)
	if list := b.PlasticStrains(at.t, at.x); list != nil {
		return slices.Max(list)
	}
	return 0
}

// misesStress is the largest equivalent stress of von Mises of the elements of a body [Pa].
func (r *Run) misesStress(x *casefile.Expectation) (most float64) {
	b, _, at := r.at(x)
	for _, s := range b.Stresses(at.t, at.x) {
		most = max(most, s.VonMises())
	}
	return most
}
