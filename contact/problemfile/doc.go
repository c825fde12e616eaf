// Package problemfile reads and writes discrete contact and complementarity
// problems:
//
//	local    u = W r + q,  a law between u and r at each contact
//	global   M v = f + H r + G λ,  Gᵀv + b = 0,  u = Hᵀv + w
//	LCP      w = M z + q,  0 ≤ z ⊥ w ≥ 0
//	MLCP     the same with free unknowns and equations
//
// # Formats
//
//   - Text, as the tools of [Siconos] print it: dense, sparse-block (SBM) and
//     CSparse-printed matrices; lines with # at its head, and exponents with D, are read too. What follows the last number is commentary,
//     but for numbers behind the q of an LCP: they are its solution, z and w, or the file is refused.
//   - JSON, see [WriteJSON] for the keys; reading and writing.
//   - HDF5 in the layout of [FCLIB], groups fclib_local and fclib_global; it
//     needs libhdf5 and the build tag hdf5.
//
// [Read] finds the format and the kind from the content. Input is not
// trusted: every size is checked against the length of the file before memory
// is taken for it, every number must be finite, and errors are [*SyntaxError]
// with line, offset, what was found and what was expected.
//
// # Notation
//
//	symbol  file                      Go                         shape
//	W, q    local                     Local.W, Local.Q           dim·nc
//	M, f    global (text: q)          Global.M, Global.F         nv
//	H, w    global (text: b)          Global.H, Global.W         nv×dim·nc
//	G, b    global, bilateral         Global.G, Global.B         nv×nb
//	μ       mu                        contact.Coulomb.Mu         nc
//
// # Conventions
//
// Contacts are stacked with the normal component first. Dense matrices are
// column by column in the text format and row by row in JSON and in Go.
// In the text form of an MLCP the blocks A, B, C, D are row by row.
//
// # References
//
//   - [Siconos] V. Acary, O. Bonnefon, M. Brémond, O. Huber, F. Pérignon and
//     S. Sinclair, An introduction to Siconos, INRIA RT-0340, 2019.
//   - [FCLIB] V. Acary, M. Brémond, T. Koziara and F. Pérignon, FCLIB: a
//     collection of discrete 3D frictional contact problems, INRIA RT-444, 2014.
//
// # Limits
//
// The text format has no checksum and no names: a file that was cut in its
// commentary, or between the digits of its last number, cannot be told from a whole
// one. Numbers printed by CSparse carry six digits.
package problemfile
