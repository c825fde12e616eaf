// Package global looks for states far from the present one: evolutions of global minimisers, the
// search for states that cost less, proofs that there are none, and the way of a jump.
//
// A state z is stable, (S) of package energetic, if for all y ∈ A
//
//	E(t, z) <= E(t, y) + Ψ(t, z, y − z).
//
//	symbol                       Go name             unit  file
//	min_y E(y) + Ψ(y − z)        Search              J     search.go, seeds.go
//	a bound of it from below     Prover, Proof       J     prover.go, by branch and bound
//	E convex                     Convex              -     convex.go
//	z(t) with (S) at all nodes   Evolution           -     evolution.go, rivals.go
//	D, friction on a way         way                 J     way.go
//	vanishing viscosity          ResolveJump         J     jumppath.go
//
// # Limits
//
// A search proves nothing. Branch and bound is for few particles, whose energies know bounds of
// themselves ([particles.Bounded]). The path of vanishing viscosity is one of many ways to jump.
package global
