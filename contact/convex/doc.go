// Package convex solves contact problems in the velocities, M v = f + H r + G λ: convex laws by duality,
// Coulomb's law as a fixed point or by the reduction to reactions, and what shares M and H condensed onto
// the contacts.
package convex
