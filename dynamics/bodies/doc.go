// Package bodies provides rigid bodies as a [dynamics.System]: shapes, their
// gaps to obstacles and to each other where these have a closed form, masses,
// gravity, loads and drag. Obstacles may be curved, seen from outside or inside,
// and move, see [Surface] and [Obstacle].
//
//	plane: q = (x, y, θ),  v = (ẋ, ẏ, θ̇)        M = diag(m, m, I)
//	space: q = (x, y, z, e),  v = (ẋ, ẏ, ż, ω)   M = diag(m, m, m, I₁, I₂, I₃)
//
// with the unit quaternion e = (w, x, y, z) from body to world, ė = ½ e∘(0, ω),
// ω in body axes, and the gyroscopic moment −ω × Iω in the force. After each
// step e is brought back to unit length.
//
//	shape                          half-space            meets
//	Point, Disc, Sphere            one point             round shapes, Box, Polygon
//	Rod, Capsule                   its two ends          round shapes
//	Ellipse, Ellipsoid             its lowest point      -
//	Box, Polygon                   its vertices          Point, Disc, Sphere
//	Cone, other convex bodies      -                     -
//
// Round shapes are points or segments with a radius around: their gap is the
// distance of points or segments. Each point of the table has a patch of its
// own, and keeps its springs from step to step.
//
// The table is that of compliant patches. A [Toucher], which the rigid stepper
// asks, knows the signed distance of all pairs,
//
//	Φ = max_n n·(c_a − c_b) − h_a(−n) − h_b(n),  ‖n‖ = 1, h support functions:
//
// the distance of disjoint bodies to rounding, minus the depth of others. Points,
// segments, polygons and boxes by their features, quadrics by the secular
// equation of their nearest point to each feature, two quadrics by Newton's
// method on the sphere; all others, as cones, by their support functions and the algorithm of
// Gilbert, Johnson and Keerthi, see convex.go. Where bodies lie flat on each other they have several
// touches, with keys that stay from step to step.
//
// # Conventions
//
// The normal points into the first body; in the plane t = (n_y, −n_x), for a
// floor e_x; in space t is the projection of e_x on the surface (of e_y where
// the normal is within 45 degrees of ±e_x) and o = n × t: for a floor
// (e_x, e_y). Elements of a patch lie around the contact point, left to right
// along t, row by row along o.
//
// # Limits
//
// Patches: parallel rods and capsules touch in one point, the middle of their
// overlap; vertices of two polytopes do not meet, nor edges; surfaces are flat
// at the scale of a patch. Touches: the depth of two boxes is along a face
// rather than along two edges where these are better by less than a thousandth
// of the size; that of a quadric and a core is a local one where it is not small
// beside the radii of curvature, as that of pairs of convex.go. A rim that lies flat touches in 16
// points and its lowest one. Meshes: faces that cut through each other are not found; edges that bend by
// less than 2e-5 have no touches of their own but with bodies that are round in part; what has left open
// ground over its border and comes below it is deep in it.
package bodies
