package energetic

import (
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// Node is what is known at one node t_k of the partition. Its slices belong to
// the evolution and change with the next step.
type Node struct {
	K int // 0 at the start
	T float64
	Z []float64 // state, local coordinates
	// DE(t, z), local coordinates: the forces of the obstacles, (t, o, n)
	Grad   []float64
	States []incremental.ContactState // by contact
	Before []incremental.ContactState // at the node before
	Stats  incremental.Stats          // zero in a diagnosis
	// Reactions are the forces (n, t, o) of the obstacles by contact [N]; nil where no particle has
	// several obstacles, or one that is curved or moves, and Grad tells them. Where several hold a
	// particle at rest they are not unique: friction then takes what drives it in proportion to
	// what each contact can hold.
	Reactions [][3]float64
	// Flows are what the internal variables of energies that remember did in the step.
	Flows []particles.Flow
	// Slipped is how far contacts have slipped [m]; nil where no friction remembers that.
	Slipped []float64
	Certificate
}

// Certificate is what is certified about a node.
type Certificate struct {
	Energy      float64 // E(t_k, z_k) [J]
	Dissipation float64 // ∫_0^{t_k} Ψ(s, z(s), ż(s)) ds of the interpolant, with the true Ψ [J]
	Work        float64 // ∫_0^{t_k} ∂_sE(s, z(s)) ds of the interpolant [J]
	Balance     float64 // E(t_k) + Dissipation + Plastic − E(0) − Work: the residual of (E) [J]
	// Plastic is what the internal variables of energies that remember dissipate along the interpolant, with
	// which they go, see [particles.Remembering]; Energy is without it [J].
	Plastic float64

	Gap     incremental.Gap // of (S) with the true Ψ
	StepGap incremental.Gap // of the incremental problem itself: zero if the step is solved

	// Upper = E(t_k, z_{k−1}) − E(t_k, z_k) − Ψ_step(z_k − z_{k−1}) >= 0 for a
	// minimiser: the step's share of the upper energy estimate [J].
	Upper float64
	// Lower = E(t_{k−1}, z_k) + Ψ(t_{k−1}, z_{k−1}, z_k − z_{k−1}) − E(t_{k−1}, z_{k−1}),
	// not below −Gap of node k−1: its share of the lower one [J].
	Lower float64

	// residual of (DI) with the true Ψ: largest unbalanced force on a particle [N]
	Force     float64
	Lipschitz float64 // ‖z_k − z_{k−1}‖/(t_k − t_{k−1}) [m/s]
	// max_j σ_{k−1} − σ_k over contacts [N]: (S) is exact where γ is above it
	ThresholdChange float64
	ForceChange     float64 // max_j |σ_k − σ_{k−1}| over contacts with friction [N]
	SinceEvent      int     // steps since a contact state changed
	EnergyScale     float64 // size of the energies met so far, F²/k included [J]
	ForceScale      float64 // size of the forces met so far [N]
	// Loose is what rounding may pretend [J]: Rounding over the size of the system, where D²E is
	// singular, and in a walk the forces of corners over the heights that count as none; 0
	// elsewhere.
	Loose float64
	// force that the rounding of the positions may pretend [N], incremental.RoundingForce
	Rounding float64
}

// forces returns the size of the forces of which a certificate can claim a part tol:
// at least so large that the part is no rounding.
func (c *Certificate) forces(tol float64) float64 { return max(c.ForceScale, c.Rounding/tol) }

// GapLimit is what a gap of a node that solves its step may be [J].
func (c *Certificate) GapLimit(tol float64) float64 { return tol*c.EnergyScale + c.Loose }
