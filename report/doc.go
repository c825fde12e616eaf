// Package report draws what a run did, whatever its model: report.html with verdict, plots
// and an animation from the files that it left, the same page live while it goes on, the
// overview, films and comparisons.
//
//	files of a run → Record.Read → Series (extremes) → Plot (data) → Figure, picture
//	               → Scene (what moves) → page, SVG, GIF, MP4
//
// A [Reader] reads the files of a run; each takes in what is new, so that a run may still go
// on. [NewTables] is one for any tables; models bring their own. A [Plot] is a figure as
// data, and may hold numbers that cannot be drawn: a picture is no result, and one that
// fails is a warning. What the page animates is a [Scene]: points that move, links,
// polygons, bodies, obstacles and contacts; page.js, draw.js, bodies.js and cone.js show it,
// and [Scene.Film] draws it without a program. [Overlay] draws one column of several runs,
// [DrawOrders] the errors of a study. Names are escaped where they are printed, [Plain].
//
//	symbol        Go name        shape  unit  reference
//	x = p + R z   positions      3N     m     global coordinates
//	σ             normal force   N      N     ∂E/∂z_{3j}
//	|r_T|         friction       N      N     tangential part of DE
//	bound         friction bound N      N     largest |r_T| along its direction: μσ if isotropic
//	E, Diss, W    energies       1      J     (E) of [Schmid08]
//	gap, balance  certificates   1      J     (S), (E), on a logarithmic scale
//	|r_T| <= μσ   Run.cone       N      N     the band that friction fills
//	r_T over z_T  Run.loop              N, m  hysteresis: its area is dissipated
//	{Sᵀb: ‖b‖<=1} Scene.Shapes   2×2    -     section of an anisotropic cone, up to a factor
//	λ_t/(μλ_n)    slipRatios     1      -     slip state of a contact element, ±1: it slides
//	|Θ|, −Φ       errors         1      m     joint drift and penetration, logarithmic
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
// Memory does not grow with the number of steps: of systems of more than 2000 particles
// an even sample is recorded, which may miss the ones that move most; the animation shows
// 4000 at most, and up to 1500 frames: of particles the two of each piece of time in which
// the configuration is furthest out, of bodies every n-th and the last. Positions and
// forces in the page have 16 bits. While a run goes on, a change of contact may show a
// second late. What is below roundoff is drawn at roundoff.
package report
