package factor

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestAddFused has the bits of math.FMA: at the edges of the format in all triples, and
// in random triples of each kind, 10⁵ of them and 10⁷ in a long test.
func TestAddFused(t *testing.T) {
	check := func(kind string, x, y, z float64) {
		t.Helper()
		sums := [4]float64{z}
		addFused(&sums, []float64{x}, []float64{y})
		got, want := sums[0], math.FMA(x, y, z)
		if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%s: %x·%x + %x is %x, want %x", kind, x, y, z, got, want)
		}
	}
	edges := []float64{0, 1, 1 + 0x1p-52, 1 - 0x1p-53, 3, 0x1p-1074, 0x1p-1022, 0x1p-1022 - 0x1p-1074, 0x1p-900, 0x1p-450,
		0x1p-511, 0x1p-53, 0x1p-106, 0x1p500, 0x1p500 - 0x1p447, 0x1p511, 0x1p1023, math.MaxFloat64, math.Inf(1), math.NaN()}
	for _, x := range edges {
		for _, y := range edges {
			for _, z := range edges {
				for signs := range 8 {
					check("edges", sign(signs&1, x), sign(signs&2, y), sign(signs&4, z))
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(11, 12))
	count := 100000
	if thorough.Asked() {
		count = 10000000
	}
	kinds := triples(rng)
	names := slices.Sorted(maps.Keys(kinds))
	for range count / len(kinds) {
		for _, kind := range names {
			x, y, z := kinds[kind]()
			check(kind, x, y, z)
		}
	}
}

func sign(minus int, x float64) float64 {
	if minus != 0 {
		return -x
	}
	return x
}

// triples are kinds of x, y and z, in most of which the sum of two rounded parts would be wrong now
// and then.
func triples(rng *rand.Rand) map[string]func() (x, y, z float64) {
	// of is a number of either sign whose exponent is within spread of e and whose last zeros bits are 0.
	of := func(e, spread, zeros int) float64 {
		m := (1<<52 | rng.Uint64N(1<<52)) >> zeros << zeros
		return sign(rng.IntN(2), math.Ldexp(float64(m), e-52+rng.IntN(2*spread+1)-spread))
	}
	near := func(x float64) float64 { // within a few units in the last place
		return math.Float64frombits(math.Float64bits(x) + uint64(rng.IntN(7)) - 3)
	}
	return map[string]func() (x, y, z float64){
		"any bits": func() (x, y, z float64) {
			return math.Float64frombits(rng.Uint64()), math.Float64frombits(rng.Uint64()), math.Float64frombits(rng.Uint64())
		},
		"like a factor": func() (x, y, z float64) { return rng.NormFloat64(), rng.NormFloat64(), 10 * rng.NormFloat64() },
		"exponents of a product": func() (x, y, z float64) {
			x, y = of(0, 480, 0), of(0, 480, 0)
			return x, y, of(math.Ilogb(x)+math.Ilogb(y), 115, rng.IntN(53))
		},
		"cancelled": func() (x, y, z float64) {
			x, y = of(0, 200, rng.IntN(53)), of(0, 200, rng.IntN(53))
			return x, y, near(-float64(x * y))
		},
		"halfway": func() (x, y, z float64) { // x·y is half a unit of z, or that but for ±2⁻ᵏ or 2⁻²ᵏ of it
			z = of(-900*rng.IntN(2), 80, rng.IntN(2)*52)
			half := math.Ldexp(1, math.Ilogb(z)-53-rng.IntN(2))
			little := math.Ldexp(float64(rng.IntN(2)), -1-rng.IntN(52))
			x, y = 1+sign(rng.IntN(2), little), half
			if rng.IntN(2) == 0 {
				y = float64(half * (2 - x))
			}
			return sign(rng.IntN(2), x), sign(rng.IntN(2), y), z
		},
		"product halfway": func() (x, y, z float64) { // x·y ends half a unit beyond 53 bits, and z is little
			x = 1 + float64(1+2*rng.IntN(1<<26))*0x1p-27
			y = 1 + float64(1+2*rng.IntN(1<<25))*0x1p-26
			return sign(rng.IntN(2), x), y, of(-53-rng.IntN(200), 2, rng.IntN(53))
		},
		"small": func() (x, y, z float64) {
			x = of(-500, 300, rng.IntN(53))
			y = of(-1000-math.Ilogb(x), 120, rng.IntN(53))
			return x, y, of(-1000, 74, rng.IntN(53))
		},
		"large": func() (x, y, z float64) {
			x = of(500, 400, rng.IntN(53))
			y = of(1000-math.Ilogb(x), 24, rng.IntN(53))
			return x, y, of(1000, 23, rng.IntN(53))
		},
	}
}

// TestAddFusedLanes has scalar products of all short lengths with the bits of dotFused.
func TestAddFusedLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for n := range 40 {
		x, y := randomMatrix(rng, 1, n).v, randomMatrix(rng, 1, n).v
		var s [4]float64
		addFused(&s, x, y)
		var want [4]float64
		for i, v := range x {
			lane := i % 4
			if n-i <= n%4 {
				lane = 0
			}
			want[lane] = math.FMA(v, y[i], want[lane])
		}
		if s != want {
			t.Errorf("%d: %v, want %v", n, s, want)
		}
		if got, want := dotFused(x, y), (want[0]+want[1])+(want[2]+want[3]); got != want {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
}

// BenchmarkAddFused is a scalar product of 256 numbers by sums and by package math, of which the ratio
// is of interest in WebAssembly; the best of many short turns, which is what a busy machine leaves
// alone.
func BenchmarkAddFused(b *testing.B) {
	rng := rand.New(rand.NewPCG(13, 14))
	x, y := randomMatrix(rng, 1, depth).v, randomMatrix(rng, 1, depth).v
	for _, way := range []struct {
		name string
		dot  func(sums *[4]float64)
	}{
		{"sums", func(sums *[4]float64) { addFused(sums, x, y) }},
		{"math", func(sums *[4]float64) {
			for i, v := range x {
				sums[i%4] = math.FMA(v, y[i], sums[i%4])
			}
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			least := time.Hour
			var sums [4]float64
			for b.Loop() {
				start := time.Now()
				for range 1000 {
					way.dot(&sums)
				}
				least = min(least, time.Since(start))
			}
			b.ReportMetric(least.Seconds()*1e9/(1000*depth), "ns/fma")
		})
	}
}
