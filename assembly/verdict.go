package assembly

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// Word is the answer to the question whether an assembly stands.
type Word string

// The four words.
const (
	Falls   Word = "falls"   // no admissible forces balance the loads
	Stands  Word = "stands"  // by whatever forces: no motion from rest is one of Coulomb's law
	Depends Word = "depends" // forces balance the loads, and a motion is possible too
	Open    Word = "open"    // forces balance the loads; the rest is not decided within the limit
)

// Verdict is the answer with its proofs.
type Verdict struct {
	Word   Word
	Reason string // in a sentence
	Fall   *FallProof
	// Motion of the blocks, where there is one: translation of the centroid and rotation, of unit size;
	// virtual for what falls, an acceleration in parts of the loads for what depends.
	Motion [][6]float64
	// Begins is how what falls begins to move, by Coulomb's law from rest, of unit size: what an engineer
	// wants to see, where the virtual motion opens all that it can. Nil if it was not found.
	Begins    [][6]float64
	Reactions []Reaction // that balance the loads, where some do
	// Rest bounds accelerations from rest [parts of g]: what stands, by the residuals of its proof; what is open, by
	// the motion without friction.
	Rest   float64
	Nodes  int // of the tree of modes that were looked at
	Closed int // of them, by a Farkas vector
	// Contacts and Unknowns are the size of the question.
	Contacts, Unknowns int
}

// Reaction is the force on block B at a corner of an interface.
type Reaction struct {
	Interface int
	Point     [3]float64
	Force     [3]float64 // N
}

// Options are the wishes for a verdict. The zero value works, and so does nil.
type Options struct {
	// Limit is the time for the search of motions. Default 10 s.
	Limit time.Duration
	// Factor multiplies the live loads. Default 1; use Dead for 0.
	Factor float64
	Dead   bool
}

func (o *Options) factor() float64 {
	switch {
	case o == nil:
		return 1
	case o.Dead:
		return 0
	case o.Factor == 0:
		return 1
	}
	return o.Factor
}

func (o *Options) limit() time.Duration {
	if o == nil || o.Limit <= 0 {
		return 10 * time.Second
	}
	return o.Limit
}

// Judge says whether a prepared assembly stands.
func Judge(ctx context.Context, a *Assembly, o *Options) (*Verdict, error) {
	s := newStatics(a)
	return s.judge(ctx, s.total(o.factor()), o.limit())
}

func (s *statics) judge(ctx context.Context, f []float64, limit time.Duration) (*Verdict, error) {
	v := &Verdict{Contacts: len(s.contacts), Unknowns: s.nv}
	if s.nv == 0 {
		v.Word, v.Reason = Stands, "all blocks are supports"
		return v, nil
	}
	// what is Optimal here balances to 1e-8 of the loads: the word rests on it
	sharp := &conic.Options{Enough: 1e-8}
	smoothly, err := conic.Solve(ctx, s.program(f, smooth), sharp)
	if err != nil {
		return nil, err
	}
	if rest, ok := s.rest(f, smoothly, smooth); ok {
		v.Word, v.Rest = Stands, rest
		v.Reason = "normal forces alone balance the loads, so that no motion from rest gains energy"
		v.Reactions = s.newtons(s.reactions(smoothly.X, smooth))
		return v, nil
	}
	r, err := conic.Solve(ctx, s.program(f, own), sharp)
	if err != nil {
		return nil, err
	}
	switch r.Status {
	case conic.Infeasible:
		return v, s.falls(ctx, v, f, r.Y, limit)
	case conic.Optimal:
		v.Reactions = s.newtons(s.reactions(r.X, own))
		return v, s.moves(ctx, v, f, limit)
	}
	v.Word, v.Reason = Open, fmt.Sprintf("equilibrium is at its limit: neither forces nor a motion are found to %.1g", r.Residual)
	return v, nil
}

// rest bounds accelerations by the residual e of reactions that only press: for a motion from rest
// aᵀM a ≤ (f + H r)·a ≤ √(eᵀM⁻¹e) √(aᵀM a).
func (s *statics) rest(f []float64, r *conic.Result, friction func(*corner) float64) (float64, bool) {
	if r.Status != conic.Optimal {
		return 0, false
	}
	e := slices.Clone(f)
	s.resultant(e, s.reactions(r.X, friction))
	root := s.root(e)
	size := product(root, root)
	return size, size < 1e-16 // of f, whose square is about 1: accelerations below 1e-8 of g
}

// newtons returns reactions in newtons, without the tension that programs add.
func (s *statics) newtons(r []float64) []Reaction {
	var all []Reaction
	for j := range s.contacts {
		c := &s.contacts[j]
		force := add([3]float64{}, c.frame[0], -s.a.Interfaces[c.face].Tension)
		for e := range s.dim {
			force = add(force, c.frame[e], r[j*s.dim+e]*s.force)
		}
		all = append(all, Reaction{c.face, c.point, force})
	}
	return all
}

// falls takes the ray of the program as a motion, or one that opens more if that is no exact proof.
func (s *statics) falls(ctx context.Context, v *Verdict, f, ray []float64, limit time.Duration) error {
	motion := make([]float64, s.nv)
	for i, y := range ray {
		motion[i] = -y
	}
	proof := s.proveFall(f, motion)
	if !proof.Exact {
		strict, err := s.strictMotion(ctx, f)
		if err != nil {
			return err
		}
		if strict != nil {
			if p := s.proveFall(f, strict); p.Exact {
				proof, motion = p, strict
			}
		}
	}
	v.Word, v.Fall = Falls, &proof
	v.Motion = s.blockMotion(motion)
	if m := s.someMotion(ctx, f, limit/4); m != nil {
		v.Begins = s.blockMotion(m.Accelerations)
	}
	v.Reason = "no forces balance the loads; " + s.a.Mechanism(v.Shown()).Words(s.a)
	if !proof.Exact && proof.Beyond < 1e5 { // a self-stress of 1e5 times the weight is no answer to whether it stands
		v.Word = Open
		v.Reason = fmt.Sprintf("forces that balance would be above %.3g times the weight, which rules out little", proof.Beyond)
	}
	return nil
}

// Shown is the motion for a picture: how it begins, or else the one of the proof; nil if there is none.
func (v *Verdict) Shown() [][6]float64 {
	if v.Begins != nil {
		return v.Begins
	}
	return v.Motion
}

// moves searches for a motion beside the equilibrium.
func (s *statics) moves(ctx context.Context, v *Verdict, f []float64, limit time.Duration) error {
	if m := s.partMotion(ctx, f, limit/4); m != nil {
		return s.moving(v, m)
	}
	if m := s.someMotion(ctx, f, limit/4); m != nil {
		return s.moving(v, m)
	}
	d := newSearch(s, f, limit)
	done, err := d.run(ctx)
	if err != nil {
		return err
	}
	v.Nodes, v.Closed = d.nodes, d.closed
	switch {
	case d.found != nil:
		return s.moving(v, d.found)
	case done && !d.missed:
		v.Word = Stands
		v.Reason = fmt.Sprintf("no motion from rest is one of Coulomb's law: all modes are ruled out, by %d Farkas vectors", d.closed)
	default:
		v.Word, v.Rest = Open, s.swiftest(ctx, f)
		v.Reason = fmt.Sprintf("forces balance the loads; whether a motion is possible too is not decided in %d nodes of modes, of which %d are ruled out; one would begin with less than %.2g g in the mean",
			d.nodes, d.closed, v.Rest)
	}
	return nil
}

// moving is the verdict where a motion from rest was found beside the forces that hold.
func (s *statics) moving(v *Verdict, m *Motion) error {
	v.Word, v.Motion = Depends, s.blockMotion(m.Accelerations)
	v.Reason = fmt.Sprintf("forces balance the loads, and so does a motion from rest by Coulomb's law: %s (residual %.1g)",
		s.a.Mechanism(v.Motion).Words(s.a), m.Residual)
	return nil
}

// blockMotion gives motions block by block, the largest entry of them 1.
func (s *statics) blockMotion(v []float64) [][6]float64 {
	all := make([][6]float64, len(s.a.Blocks))
	size := largest(v)
	for i, at := range s.index {
		if at < 0 {
			continue
		}
		for k := range s.per {
			x := v[at+k] / size
			if s.per == 3 {
				all[i][[3]int{0, 2, 4}[k]] = x
			} else {
				all[i][k] = x
			}
		}
		for k := 3; k < 6; k++ {
			all[i][k] /= s.length // rotations were scaled by the size
		}
	}
	return all
}
