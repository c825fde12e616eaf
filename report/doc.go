// Package report draws what a run did, whatever its model: report.html with verdict, plots
// and an animation from the files that it left, the same page live while it goes on, the
// overview, films and comparisons.
//
//	files of a run → Record.Read → Series (extremes) → Plot (data) → Figure, picture
//	               → Scene (what moves) → page, SVG, GIF, MP4
//
// A [Reader] reads the files of a run; each takes in what is new, so that a run may still go
// on. [NewTables] is one for any tables; models bring their own, of [Record] and [Series], and
// say what to draw as data: a [Plot] is a figure, and may hold numbers that cannot be drawn,
// for a picture is no result, and one that fails is a warning. What the page animates is a
// [Scene]: points that move, links, polygons, bodies, obstacles and contacts; page.js, draw.js,
// bodies.js and cone.js show it, and [Scene.WriteFilm] draws it without a browser.
// A page may show [Runs] of a study in place of one: plots.js draws them,
// runs.js chooses the slice; [Sheet] is a table of it.
// [Overlay] draws one column of several runs, [Orders] the errors of a convergence study. Names are
// escaped where they are printed, [Plain].
//
//	symbol            Go name       shape     reference
//	t, x_c            Series        C × 1024  smallest and largest value of each channel c in a piece of time
//	t_k               Scene.Times   K         frames
//	x_k               Channel       K × N     numbers of the frames, 16 bits each between low and high
//	{Sᵀb: ‖b‖ <= 1}   Scene.Shapes  2 × 2     section of an anisotropic friction cone, up to a factor
//	0, stick, slip    StateMap      rows × t  bits seen of each row in a piece of time
//	y_i over x, y     Runs          slices    observed quantities and verdicts of runs, others fixed by sliders
//	e(h) = O(hᵖ)      Curve         levels    errors of a study, with lines of order 1 and 2
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
