// Package signal holds functions of time with exact derivatives: the moving
// anchors, loads and prescribed motions of a rate-independent system.
//
//	s(t)  =  constant | piecewise linear table | offset + amplitude·sin(2π·frequency·t + phase) | sum
//
// # Notation
//
//	symbol | Go name          | shape | unit          | meaning
//	s(t)   | Scalar.At        | 1     | of the signal | value
//	ṡ(t+)  | Scalar.Rate      | 1     | per second    | right derivative
//	       | Breaks           | k     | s             | times at which ṡ jumps
//	∫s/h   | Mean             | 1     | of the signal | mean over a step of h
//	κ, P   | Course           |       | s             | kinks and shortest period of several signals
//	t_k    | Grid             | n     | s             | nodes of a run that see both
//	f      | Sine frequency   | 1     | 1/s           | cycles per second
//	φ      | Sine phase       | 1     | rad           | phase at t = 0
//
// # Conventions
//
// Every signal is continuous. Rate is the right derivative, so that
// s(t+h) = s(t) + h·Rate(t) + O(h²) holds on each piece for small h > 0; a signal
// with kinks lists them by Breaks. A Table is constant before its first and
// after its last time. Values are bounded when the constructors are used: they
// refuse data that are not finite and data whose value or rate would overflow.
//
// Signals are immutable and safe for concurrent use. At and Rate allocate nothing.
//
// # Limits
//
// Jumps are not representable: the energetic formulation needs ∂tE to exist
// almost everywhere. Ramp over a short time instead. A Sine loses its phase when
// |frequency·t| exceeds 2⁵², where neighbouring floating-point times are whole
// cycles apart.
package signal
