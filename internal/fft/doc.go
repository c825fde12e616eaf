// Package fft convolves real fields on rectangular grids by fast Fourier
// transforms, eight at a time.
//
//	(a ∗ b)(x, y) = Σ a(x − ξ, y − η) b(ξ, η),   periodic with mx × my
//
// A transform of length m works on rows of lanes: entry j of eight complex
// vectors lies together, so that a butterfly is the same arithmetic on eight
// numbers (AVX2 on amd64 that has it, portable Go with the same bits elsewhere).
// The fields that come in are shorter than the period where a grid is doubled:
// zeros are neither read nor transformed along y.
//
// # Notation
//
//	symbol | Go name          | shape          | meaning
//	m      | plan.n           | 1              | length, product of 4, 2 and 3
//	mx, my | Grid.MX, Grid.MY | 1              | periods
//	â      | Spectrum         | (my/2+1)·mx    | transform of a kernel, half of it: a is real
//
// # References
//
//	[Sto66]   T. G. Stockham, High-speed convolution and correlation, 1966 (transforms that sort themselves)
//	[VanLoan] C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992
//
// # Limits
//
// Relative errors are those of the transform, some 1e-16 log m of the largest
// entry: small results beside large ones lose digits.
package fft
