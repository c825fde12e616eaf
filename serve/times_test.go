package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/crew"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
	"github.com/quasistatic/quasistatic/table"
)

// pulled is the case of python/times.py: a spring of k = 2 N/m drags a particle that is pressed by
// N = 1.5 N and pushed by 0.4 N; while it slides forwards x = u - (μN - 0.4 N)/k.
const pulled = `{"name": "m", "model": "energetic", "until": 1, "steps": 200, "friction": {"dry": {"mu": 0.3}},
 "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}],
 "anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}}],
 "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]},
  {"type": "load", "particle": "p", "force": [0.4, 0, 0]}]}`

// BenchmarkTimes is the column Go of what python/times.py measures: the same work by the library.
func BenchmarkTimes(b *testing.B) {
	b.Run("root", func(b *testing.B) {
		for b.Loop() {
			root(b)
		}
	})
	b.Run("contacts", func(b *testing.B) {
		for b.Loop() {
			contacts(b)
		}
	})
	b.Run("fit", func(b *testing.B) {
		for b.Loop() {
			gaussNewton(b)
		}
	})
	b.Run("samples", func(b *testing.B) {
		for b.Loop() {
			samples(b)
		}
	})
}

// with is the case with other numbers.
func with(b *testing.B, sets ...string) *casefile.Case {
	text, err := casefile.SetAll([]byte(pulled), sets, nil)
	if err != nil {
		b.Fatal(err)
	}
	c, err := models.Grammar().Decode("m.json", text)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// root finds the μ at which the particle ends at x = -0.2 m, by the rule of false position.
func root(b *testing.B) {
	end := func(mu float64) float64 {
		c := with(b, fmt.Sprintf("friction.dry.mu=%.17g", mu))
		t, err := run.New(b.Context(), c, models.Find(c), "")
		if err != nil {
			b.Fatal(err)
		}
		_, columns, err := t.InMemory(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		s := &columns.Sheets[slices.IndexFunc(columns.Sheets,
			func(s table.SheetColumns) bool { return s.Sheet.File == table.TrajectoryFile })]
		return s.Values[len(s.Values)-len(s.Sheet.Columns)+slices.Index(s.Sheet.Columns, "p.x")] + 0.2
	}
	x0, x1 := 0.3, 0.6
	f0, f1 := end(x0), end(x1)
	x := x1 - f1*(x1-x0)/(f1-f0)
	if f := end(x); f0*f1 > 0 || f > 1e-9 || f < -1e-9 {
		b.Fatalf("x(%g) = %g from %g and %g", x, f, f0, f1)
	}
}

// contacts solves 1,000 problems of one contact, whose q are normal.
func contacts(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	w := &contact.Dense{D: 3, N: 3, Val: []float64{2.1, 0.1, 0.1, 0.1, 2.1, 0.1, 0.1, 0.1, 2.1}}
	laws := []law.Law{law.Coulomb{Mu: 0.5}}
	var ws contact.LocalWorkspace
	var res contact.Result
	for range 1000 {
		p := &contact.Local{W: w, Q: []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, Laws: laws}
		if err := contact.SolveLocal(b.Context(), p, nil, &ws, &res); err != nil {
			b.Fatal(err)
		}
	}
}

// gaussNewton fits μ and k to 18 positions in four rounds, whose rows are derivatives of positions.
func gaussNewton(b *testing.B) {
	mu, k := 0.3, 2.0
	data := make([]float64, 18)
	values, jacobian := rows(b, 0.43, 2.2)
	copy(data, values)
	for range 4 {
		values, jacobian = rows(b, mu, k)
		var aa, ab, bb, ra, rb float64
		for i := range data {
			r := data[i] - values[i]
			p, q := jacobian[0][i], jacobian[1][i]
			aa, ab, bb, ra, rb = aa+p*p, ab+p*q, bb+q*q, ra+p*r, rb+q*r
		}
		det := aa*bb - ab*ab
		mu, k = mu+(bb*ra-ab*rb)/det, k+(aa*rb-ab*ra)/det
	}
	if d := (mu-0.43)*(mu-0.43) + (k-2.2)*(k-2.2); d > 1e-12 {
		b.Fatalf("μ = %g, k = %g", mu, k)
	}
}

// rows are 18 positions and their derivatives by μ and k.
func rows(b *testing.B, mu, k float64) (values []float64, jacobian [2][]float64) {
	c, err := models.OpenWalk(b.Context(), func(sets ...string) (*casefile.Case, error) {
		return with(b, append(sets, fmt.Sprintf("friction.dry.mu=%.17g", mu), fmt.Sprintf("energies[0].stiffness[0]=%.17g", k))...), nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 18 {
		line, err := casefile.QuantityLine(fmt.Sprintf("position particle=p axis=x time=%.17g", 0.15+0.05*float64(i)))
		if err != nil {
			b.Fatal(err)
		}
		c.Observe = append(c.Observe, line)
	}
	for j, path := range []string{"friction.dry.mu", "energies[0].stiffness[0]"} {
		d, err := models.Differentiate(b.Context(), c, path)
		if err != nil {
			b.Fatal(err)
		}
		values = values[:0]
		for _, q := range d.Quantities {
			values, jacobian[j] = append(values, q.Value), append(jacobian[j], q.Derivative)
		}
	}
	return values, jacobian
}

// samples makes 1,000 runs with μ = 0.4 ± 0.03, on all cores.
func samples(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 2))
	var runner studies.Runner
	observe := []json.RawMessage{json.RawMessage(`{"quantity": "position", "particle": "p", "axis": "x"}`)}
	mus := make([]float64, 1000)
	for i := range mus {
		mus[i] = 0.4 + 0.03*rng.NormFloat64()
	}
	err := crew.Each(b.Context(), runtime.GOMAXPROCS(0), each(mus), func(ctx context.Context, i int) (*study.Outcome, error) {
		text, err := changed([]byte(pulled), []string{"friction.dry.mu"}, mus[i:])
		if err != nil {
			return nil, err
		}
		return runner.Run(ctx, &study.Job{Text: text, Base: "m.json", Observe: observe, Keep: study.KeepNothing})
	}, func(i int, o *study.Outcome) error {
		if o.Observed[0] == nil {
			return fmt.Errorf("μ = %g: %s", mus[i], o.Message)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// each is the sequence of the indices of a list.
func each(list []float64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range list {
			if !yield(i) {
				return
			}
		}
	}
}
