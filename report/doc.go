// Package report draws what a run did: one page, overview.svg and overview.png,
// with the positions, the contact forces against their friction bounds, the
// energies and the certificates over time.
// Runs of the dynamic models (Motion) have their own overview, with outlines of
// the bodies, the forces of the contact elements, their slip state λ_t/(μλ_n)
// and the energies; microslip.svg shows the first time that a patch lets go, and
// DrawCompliance how compliant runs tend to the rigid one.
//
//	symbol        Go name        shape  unit  reference
//	x = p + R z   positions      3N     m     global coordinates
//	σ             normal force   N      N     ∂E/∂z_{3j}
//	|r_T|         friction       N      N     tangential part of DE
//	bound         friction bound N      N     largest |r_T| along its direction: μσ if isotropic
//	E, Diss, W    energies       1      J     (E) of [Schmid08]
//	gap, balance  certificates   1      J     (S), (E), on a logarithmic scale
//
// # Conventions
//
// Long runs are thinned to about a thousand intervals of time, of which each
// keeps its smallest and largest value: peaks stay. Of many particles those are
// drawn that move most, leaving out ones that move like another. The colours are
// the set of Okabe and Ito, which colour-blind people can tell apart.
//
// # References
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees
// of freedom and dry friction, WIAS preprint 1336, 2008.
//
// # Limits
//
// Systems of more than 2000 particles are sampled evenly by number; the ones that
// move most may be missed. What is below roundoff is drawn at roundoff.
package report
