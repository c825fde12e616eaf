// Package families generates discrete contact problems of mechanical systems,
// to measure and to test solvers on: seeded, of any size, in SI units.
//
//	M v = f + H r + G λ,  Gᵀv = 0,  u = Hᵀv + w,  Coulomb's law between u and r,
//
// is one implicit step of h = 5 ms from velocities v0 under gravity:
// f = M v0 + h m g, w_N = gap/h. The families, with the number of contacts n that
// is asked for:
//
//	name      dim  what                                             hard because
//	arches    2    voussoirs between abutments, two contacts a joint  few admissible states
//	boxes     3    one tower of boxes, four contacts an interface     long chain, redundant
//	bundles   3    logs in a trough, two contacts a line              crystal, many states
//	chains    3    links with ball joints on an uneven floor          joints, G
//	discs     2    random packing in a box                            force chains
//	dominoes  3    stones leaning on each other and a wall           jam, or fall together
//	elastic   3    trilinear bricks clamped above, pressed and dragged  W full
//	gears     2    wheels on axles, two pairs of teeth in contact    one force through all
//	grippers  3    bodies pinched between two plates by fingers       forces that balance
//	mixtures  3    spheres, friction from a thousandth to ten        frictionless beside jammed
//	packs     2    hexagonal packing in a trough                      highly redundant
//	planks    3    tower of crossed planks                            rank of W a third
//	ratios    3    tower of boxes, masses 1 to 10⁶ in disorder        condition
//	rods      3    crossed rods, one contact a crossing               rolling, little rank
//	ropes     2    jointed links over a peg, weights at both ends    forces grow by powers
//	soups     3    random bodies, points, normals, velocities         no structure
//	spheres   3    random packing in a box, a pile                    size
//	tables    3    one plate on many legs, pushed                     rank 6
//	walls     3    bricks in running bond                             redundant, wide
//	wedges    3    a flat arch of wedges under load                   jams by friction
//
// Every problem with v0 in reach of its masses has a solution: v = 0 is admissible
// where all gaps are non-negative (Acary et al. 2011, "A formulation of the linear
// discrete Coulomb friction problem via convex optimization", criterion (16) with a
// margin where gaps are positive).
//
// # Notation
//
//	symbol  Go name          shape   unit
//	n       size             1       - ; contacts, about
//	M       Global.M         nv×nv   kg, kg m²; of elastic: N/m
//	H       Global.H         nv×dim·nc  -, m
//	f       Global.F         nv      N s, N m s; of elastic: N
//	w       Global.W         dim·nc  m/s; of elastic: m
//	μ       Parameters.Mu    1       -
//
// # Conventions
//
// As in package contact: the normal first, from the second body (or the ground) to the first. A
// body of space has six degrees of freedom, velocity of the centre and angular velocity; one of the
// plane three. The same name, size and [Parameters] give the same bits on every processor that
// rounds as IEEE 754 says and has fused multiply-adds: the powers of mixtures and ratios and the
// exponential of ropes are those of package math, whose last digits are others on amd64 without
// them.
//
// # Limits
//
// The number of contacts is near the size asked for, not equal. The packings of
// spheres and discs are those of a steepest-descent deposit: three (two) supports a
// body, not the relaxed ones of a long shaking. Gravity alone does not always hold a
// soup or an arch together: then the solution moves.
package families
