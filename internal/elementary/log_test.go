package elementary

import (
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// digits of the reference [bit].
const digits = 240

func wide(x float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(x) }

func times(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Mul(a, b) }
func plus(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(digits).Add(a, b) }
func over(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(digits).Quo(a, b) }

// bigLog is ln x by 2 artanh((x − 1)/(x + 1)) of x/2^k near 1, and of 2.
func bigLog(x *big.Float) *big.Float {
	k := x.MantExp(nil)
	m := new(big.Float).SetPrec(digits).SetMantExp(x, -k)
	return plus(artanh2(m), times(wide(float64(k)), artanh2(wide(2))))
}

func artanh2(m *big.Float) *big.Float {
	s := over(plus(m, wide(-1)), plus(m, wide(1)))
	q, sum, power := times(s, s), wide(0), times(s, wide(2))
	for n := 1; n < 400; n += 2 {
		sum = plus(sum, over(power, wide(float64(n))))
		power = times(power, q)
	}
	return sum
}

// bigExp is e^x by the series of x/2^64, squared.
func bigExp(x *big.Float) *big.Float {
	const halvings = 16
	r := new(big.Float).SetPrec(digits+40).SetMantExp(x, -halvings)
	sum, term := wide(1).SetPrec(digits+40), wide(1).SetPrec(digits+40)
	for n := 1; n < 60; n++ {
		term.Mul(term, r).Quo(term, new(big.Float).SetPrec(digits+40).SetInt64(int64(n)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// off is the distance to the true value in units of the last place of the result.
func off(got float64, want *big.Float) float64 {
	ulp := math.Nextafter(math.Abs(got), math.Inf(1)) - math.Abs(got)
	d, _ := new(big.Float).SetPrec(digits).Sub(wide(got), want).Float64()
	return math.Abs(d) / ulp
}

// TestPlaces: Exp, Log and Pow against math/big, less than a unit in the last place off.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var worst [3]float64
	n := 150
	if thorough.Asked() {
		n = 3000
	}
	for i := range n {
		x := math.Ldexp(1+r.Float64(), r.IntN(2000)-1000)
		if i%3 == 0 {
			x = 1 + (r.Float64()-0.5)*math.Ldexp(1, -r.IntN(52)) // near 1, where ln x is small
		}
		if l := Log(x); l != 0 {
			worst[0] = max(worst[0], off(l, bigLog(wide(x))))
		}
		e := (2*r.Float64() - 1) * math.Ldexp(1, r.IntN(20)-10)
		worst[1] = max(worst[1], off(Exp(e), bigExp(wide(e))))
		y := 700 * (2*r.Float64() - 1) / max(1e-3, math.Abs(math.Log(x))) * r.Float64()
		if p := Pow(x, y); p > 1e-300 && p < 1e300 {
			if d := off(p, bigExp(times(wide(y), bigLog(wide(x))))); d > worst[2] {
				worst[2] = d
			}
		}
	}
	t.Logf("off by at most %.3f, %.3f, %.3f units in the last place", worst[0], worst[1], worst[2])
	if worst[0] >= 1 || worst[1] >= 1 || worst[2] >= 1 {
		t.Errorf("Log, Exp and Pow are off by %v units in the last place", worst)
	}
}

// TestEnds: what has no digits.
func TestEnds(t *testing.T) {
	inf := math.Inf(1)
	for x, want := range map[float64]float64{0: -inf, 1: 0, inf: inf, 5e-324: -744.4400719213812, math.MaxFloat64: 709.782712893384} {
		if got := Log(x); got != want {
			t.Errorf("ln %g = %g, want %g", x, got, want)
		}
	}
	if got := Log(-1); !math.IsNaN(got) {
		t.Errorf("ln −1 = %g", got)
	}
	for k := -1074; k < 1024; k++ {
		if got := Log2(math.Ldexp(1, k)); got != float64(k) {
			t.Errorf("lg 2^%d = %g", k, got)
		}
	}
	for _, c := range [][3]float64{{2, 0, 1}, {1, 1e300, 1}, {2, 1e300, inf}, {2, -1e300, 0}, {0.5, 1e300, 0},
		{0, 2, 0}, {inf, 2, inf}, {4, 0.5, 2}, {2, 1023, 0x1p1023}, {2, -1074, 5e-324}, {1e-300, 1.5, 0}} {
		if got := Pow(c[0], c[1]); got != c[2] {
			t.Errorf("%g^%g = %g, want %g", c[0], c[1], got, c[2])
		}
	}
}

// TestLogBits: the bits are these, on every processor.
func TestLogBits(t *testing.T) {
	r, hash := rand.New(rand.NewPCG(1, 2)), fnv.New64()
	for range 100000 {
		x := math.Ldexp(1+r.Float64(), r.IntN(40)-20)
		for _, v := range []float64{Log(x), Pow(x, float64(4*r.Float64())-2)} {
			b := math.Float64bits(v)
			for k := range 8 {
				hash.Write([]byte{byte(b >> (8 * k))})
			}
		}
	}
	if got := hash.Sum64(); got != wantLogBits {
		t.Errorf("sum %#x, want %#x", got, uint64(wantLogBits))
	}
}

// wantLogBits was found alike on amd64 and, under emulation, arm64.
const wantLogBits = 0xdc629631e7ff8c73

func BenchmarkLog(b *testing.B) {
	x := 0.7
	for b.Loop() {
		x = 1.5 + Log(x)
	}
}
