package events

import (
	"math"
	"math/big"
	"strconv"
)

// Number is what the walk computes with. The zero value is 0. No method changes its
// receiver.
type Number[T any] interface {
	Add(T) T        // the sum
	Sub(T) T        // the difference
	Mul(T) T        // the product
	Quo(T) T        // the quotient
	Sign() int      // of the value
	Float() float64 // nearest
	Of(v float64) T // v; a Rational takes the shortest decimal that reads as v
	Exact() bool    // no operation rounds
	Compare(T) int  // of the values
	String() string // a decimal, or a fraction
	// Root is the square root of a number that is not negative; false: it is no number of the kind.
	Root() (T, bool)
}

// Real is a float64.
type Real float64

// Add returns a + b.
func (a Real) Add(b Real) Real { return a + b }

// Sub returns a − b.
func (a Real) Sub(b Real) Real { return a - b }

// Mul returns a b.
func (a Real) Mul(b Real) Real { return a * b }

// Quo returns a/b.
func (a Real) Quo(b Real) Real { return a / b }

// Sign returns −1, 0 or 1.
func (a Real) Sign() int { return sign(float64(a)) }

// Float returns the nearest float64.
func (a Real) Float() float64 { return float64(a) }

// Of returns a float64 as a number of this kind.
func (a Real) Of(v float64) Real { return Real(v) }

// Exact reports whether nothing rounds.
func (a Real) Exact() bool { return false }

// Compare returns the sign of a − b.
func (a Real) Compare(b Real) int { return sign(float64(a - b)) }

// String writes the number.
func (a Real) String() string { return strconv.FormatFloat(float64(a), 'g', -1, 64) }

// Root implements [Number].
func (a Real) Root() (Real, bool) { return Real(math.Sqrt(float64(a))), true }

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// Dual is a value V with its derivative D by one parameter.
type Dual struct{ V, D float64 }

// Add returns a + b.
func (a Dual) Add(b Dual) Dual { return Dual{a.V + b.V, a.D + b.D} }

// Sub returns a − b.
func (a Dual) Sub(b Dual) Dual { return Dual{a.V - b.V, a.D - b.D} }

// Mul returns a b.
func (a Dual) Mul(b Dual) Dual { return Dual{a.V * b.V, a.D*b.V + a.V*b.D} }

// Quo returns a/b.
func (a Dual) Quo(b Dual) Dual { q := a.V / b.V; return Dual{q, (a.D - q*b.D) / b.V} }

// Sign returns −1, 0 or 1.
func (a Dual) Sign() int { return sign(a.V) }

// Float returns the nearest float64.
func (a Dual) Float() float64 { return a.V }

// Of returns a float64 as a number of this kind.
func (a Dual) Of(v float64) Dual { return Dual{V: v} }

// Exact reports whether nothing rounds.
func (a Dual) Exact() bool { return false }

// Compare returns the sign of a − b.
func (a Dual) Compare(b Dual) int { return sign(a.V - b.V) }

// String writes the number.
func (a Dual) String() string { return Real(a.V).String() + " (" + Real(a.D).String() + ")" }

// Root implements [Number].
func (a Dual) Root() (Dual, bool) {
	l := math.Sqrt(a.V)
	return Dual{l, a.D / (2 * l)}, true
}

// Rational is a ratio of integers.
type Rational struct{ r *big.Rat } // nil: 0

// NewRational returns r, of which it keeps a copy.
func NewRational(r *big.Rat) Rational { return Rational{new(big.Rat).Set(r)} }

func (a Rational) rat() *big.Rat {
	if a.r == nil {
		return new(big.Rat)
	}
	return a.r
}

// Rat returns the number; the caller must not change it.
func (a Rational) Rat() *big.Rat { return a.rat() }

// Methods of [Number]. Sums and products with 0 cost nothing.
func (a Rational) Add(b Rational) Rational {
	switch {
	case a.Sign() == 0:
		return b
	case b.Sign() == 0:
		return a
	}
	return Rational{new(big.Rat).Add(a.r, b.r)}
}

// Sub returns a − b.
func (a Rational) Sub(b Rational) Rational {
	if b.Sign() == 0 {
		return a
	}
	return Rational{new(big.Rat).Sub(a.rat(), b.r)}
}

// Mul returns a b.
func (a Rational) Mul(b Rational) Rational {
	if a.Sign() == 0 || b.Sign() == 0 {
		return Rational{}
	}
	return Rational{new(big.Rat).Mul(a.r, b.r)}
}

// Quo returns a/b.
func (a Rational) Quo(b Rational) Rational {
	if a.Sign() == 0 {
		return Rational{}
	}
	return Rational{new(big.Rat).Quo(a.r, b.r)}
}

// Sign returns −1, 0 or 1.
func (a Rational) Sign() int {
	if a.r == nil {
		return 0
	}
	return a.r.Sign()
}

// Float returns the nearest float64.
func (a Rational) Float() float64 { v, _ := a.rat().Float64(); return v }

// Exact reports whether nothing rounds.
func (a Rational) Exact() bool { return true }

// Compare returns the sign of a − b.
func (a Rational) Compare(b Rational) int { return a.rat().Cmp(b.rat()) }

// String writes the number.
func (a Rational) String() string { return a.rat().RatString() }

// Of returns a float64 as a number of this kind.
func (a Rational) Of(v float64) Rational {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return Rational{}
	}
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	return Rational{r}
}

// Root implements [Number].
func (a Rational) Root() (Rational, bool) {
	if a.Sign() == 0 {
		return a, true
	}
	num, denom := new(big.Int).Sqrt(a.r.Num()), new(big.Int).Sqrt(a.r.Denom())
	root := Rational{new(big.Rat).SetFrac(num, denom)}
	return root, root.Mul(root).Compare(a) == 0
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}
