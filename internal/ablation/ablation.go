// Package ablation lets benchmarks/ablation leave out lines of contact's plan and see the problems
// that models pose, to measure what each line is worth. It is set before the first solve or not at
// all; what is nil costs a comparison a stage. It goes when the plan is down to what the
// measurement justifies.
package ablation

var (
	// Line is asked before line k of the plan: false leaves the line out.
	Line func(k int) bool
	// Observe sees each problem (a *contact.Local, not to be kept: its memory is reused) that is
	// solved.
	Observe func(problem any)
)
