// Package ablation lets benchmarks/ablation see the problems that models pose. It is set before the
// first solve or not at all; what is nil costs a comparison a solve.
package ablation

// Observe sees each problem (a *contact.Local, not to be kept: its memory is reused) that is solved.
var Observe func(problem any)
