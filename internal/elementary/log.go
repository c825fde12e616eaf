package elementary

import "math"

// inverseOdds are 2/3, 2/5, …, 2/23 of ln(1 + f) = 2 artanh s = s(2 + 2s²/3 + 2s⁴/5 + …) with
// s = f/(2 + f), |s| <= 3 − 2√2: the remainder is below 1e-19 of the sum.
var inverseOdds = [...]float64{2. / 3, 2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21, 2. / 23}

// odds returns 2/(2n+1) + 2q/(2n+3) + 2q²/(2n+5) + …, q = s².
func odds(q float64, n int) float64 {
	sum := 0.0
	for i := len(inverseOdds) - 1; i >= n-1; i-- {
		sum = float64(sum*q) + inverseOdds[i]
	}
	return sum
}

// reduce returns x = 2^k (1 + f), √½ <= 1 + f < √2, of a positive finite x.
func reduce(x float64) (f, k float64) {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	return m - 1, float64(e)
}

// Log returns ln x; −∞ of 0, NaN of less.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	f, k := reduce(x)
	s := f / (2 + f)
	q := float64(s * s)
	// s·2 = f − s f = f − ½f² + s·½f²: f is exact.
	half := float64(0.5 * float64(f*f))
	return float64(k*ln2High) - ((half - (float64(s*(half+float64(q*odds(q, 1)))) + float64(k*ln2Low))) - f)
}

// Log2 returns the logarithm to the base 2, a whole number of powers of it.
func Log2(x float64) float64 {
	if m, e := math.Frexp(x); m == 0.5 {
		return float64(e - 1)
	}
	return Log(x) / math.Ln2
}

// Pow returns x^y for x > 0 and finite y: e^(y ln x), ln x to twice the digits.
func Pow(x, y float64) float64 {
	switch {
	case x == 1 || y == 0:
		return 1
	case !(x > 0) || math.IsInf(x, 1) || math.IsInf(y, 0) || math.IsNaN(y):
		return math.Pow(x, y) // no digits to round
	}
	high, low := logTwice(x)
	p := float64(y * high)
	if !(math.Abs(p) < 1000) { // beyond all numbers; products of the parts may be, too
		return Exp(p)
	}
	return exp(sum(p, math.FMA(y, high, -p)+float64(y*low)))
}

// logTwice returns ln x as a sum whose second part is below a unit in the last place of the
// first, to 1e-19 of it: ln(1 + f) = 2s(1 + s²/3 + s⁴(1/5 + …)), products and quotients with
// what they lack.
func logTwice(x float64) (high, low float64) {
	f, k := reduce(x)
	d, dLow := sum(2, f)
	s := f / d
	sLow := (math.FMA(-s, d, f) - float64(s*dLow)) / d
	q := float64(s * s)
	qLow := math.FMA(s, s, -q) + float64(2*float64(s*sLow))
	// t = 1/3 + s²(1/5 + …)
	t, tLow := sum(third, thirdLow+float64(q*float64(0.5*odds(q, 2))))
	// u = s² t, v = 2 s u
	u := float64(q * t)
	uLow := math.FMA(q, t, -u) + float64(q*tLow) + float64(qLow*t)
	v := 2 * float64(s*u)
	vLow := math.FMA(2*s, u, -v) + float64(2*s*uLow) + float64(2*sLow*u)
	high, low = sum(2*s, v)
	low += 2*sLow + vLow
	if k != 0 {
		// k ln2High is exact; the second part of ln 2 is right to 2^-86 of k ln 2.
		var more float64
		high, more = sum(float64(k*ln2High), high)
		low += more
		w, wLow := sum(high, float64(k*ln2Low))
		high, low = w, low+wLow
	}
	return sum(high, low)
}

// third and thirdLow add up to 1/3.
const (
	third    = 0x1.5555555555555p-2
	thirdLow = 0x1.5555555555555p-56
)

// sum returns a + b and what its rounding takes, for any order of sizes.
func sum(a, b float64) (s, low float64) {
	s = a + b
	c := s - a
	return s, (a - (s - c)) + (b - c)
}
