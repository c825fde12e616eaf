package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/report"
)

// Plan is the list of runs of a study. Safe for concurrent use.
type Plan struct {
	Spec *Spec
	base []byte // text of the base case
	unit *mat.Dense
	size int
	sums []byte // of the files that the case names; nil: none

	levels *Levels // of a convergence study; nil: runs are changes of the case
}

// NewPlan expands a study over the text of its base case. Nothing of the size of the
// list is allocated, but the unit points of a sample.
func NewPlan(s *Spec, base []byte) (*Plan, error) {
	if !json.Valid(base) {
		return nil, fmt.Errorf("study: the base case %q is not JSON", s.Case)
	}
	if !s.Expect {
		var err error
		if base, err = without(base, "expect"); err != nil {
			return nil, fmt.Errorf("study: the base case %q: %w", s.Case, err)
		}
	}
	p := &Plan{Spec: s, base: base, size: 1}
	for i := range s.Axes {
		if err := p.multiply(len(s.Axes[i].Points)); err != nil {
			return nil, err
		}
	}
	if s.Sample != nil {
		if err := p.multiply(s.Sample.Len()); err != nil {
			return nil, err
		}
		p.unit = s.Sample.unitSample()
	}
	_, err := p.Text(0) // paths that cannot be set fail here, not in each run
	return p, err
}

// without returns an object without one of its keys.
func without(text []byte, key string) ([]byte, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if _, ok := m[key]; !ok {
		return text, nil
	}
	delete(m, key)
	return json.Marshal(m)
}

func (p *Plan) multiply(n int) error {
	if n > math.MaxInt32 || p.size > math.MaxInt/n {
		return fmt.Errorf("study: the plan has more than %d runs", math.MaxInt)
	}
	p.size *= n
	return nil
}

// Len is the number of runs.
func (p *Plan) Len() int { return p.size }

// Parameters returns the values of run i, one for each of [Spec.Paths].
func (p *Plan) Parameters(i int) []json.RawMessage {
	if i < 0 || i >= p.size {
		panic(fmt.Sprintf("study: Plan.Parameters: run %d of %d", i, p.size))
	}
	s := p.Spec
	list := make([]json.RawMessage, len(s.Paths()))
	at := len(list)
	if x := s.Sample; x != nil {
		at -= len(x.Paths)
		n := x.Len()
		for j := range x.Paths {
			list[at+j] = x.Distributions[j](x.point(p.unit, i%n, j))
		}
		i /= n
	}
	for k := len(s.Axes) - 1; k >= 0; k-- {
		a := &s.Axes[k]
		at -= len(a.Paths)
		copy(list[at:], a.Points[i%len(a.Points)])
		i /= len(a.Points)
	}
	return list
}

// Text returns the expanded case of run i.
func (p *Plan) Text(i int) ([]byte, error) { return p.with(p.Parameters(i)) }

// with sets values at the paths.
func (p *Plan) with(values []json.RawMessage) ([]byte, error) {
	text := p.base
	for j, where := range p.Spec.Paths() {
		var err error
		if text, err = casefile.Set(text, where, values[j]); err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
	}
	return text, nil
}

// Files are those that a case names, by name.
type Files map[string][]byte

// Sums are the SHA-256 of the files, in hexadecimal, by name.
func (f Files) Sums() map[string]string {
	sums := map[string]string{}
	for name, data := range f {
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	return sums
}

// Write writes the files below a folder.
func (f Files) Write(dir string) error {
	for name, data := range f {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("study: the case names the file %q, want one beside it", name)
		}
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			return fmt.Errorf("study: %w", err)
		}
		if err := os.WriteFile(full, data, 0o600); err != nil {
			return fmt.Errorf("study: %w", err)
		}
	}
	return nil
}

// SetSums says what the files hold that the case names: runs with other files are others.
func (p *Plan) SetSums(sums map[string]string) {
	if p.sums = nil; len(sums) > 0 {
		p.sums, _ = json.Marshal(sums) // strings always can be; keys are sorted
	}
}

// Words are runs that between them have every value of an axis that is no number: names
// of files, among others.
func (p *Plan) Words() []int {
	list := []int{0}
	stride := p.size
	for i := range p.Spec.Axes {
		a := &p.Spec.Axes[i]
		stride /= len(a.Points)
		for k := 1; k < len(a.Points); k++ {
			if slices.ContainsFunc(a.Points[k], func(v json.RawMessage) bool { return v[0] != '-' && (v[0] < '0' || v[0] > '9') }) {
				list = append(list, k*stride)
			}
		}
	}
	return list
}

// ID returns the id of a run of the plan, by its expanded case.
func (p *Plan) ID(text []byte) string {
	if p.sums == nil {
		return digest(text)
	}
	id := sha256.Sum256(append([]byte(digest(text)), p.sums...))
	return hex.EncodeToString(id[:16])
}

// digest returns the id of an expanded case: the hash of its text without what has no
// meaning (white space, order of keys, ways to write a number).
func digest(text []byte) string {
	var tree any
	if err := json.Unmarshal(text, &tree); err == nil {
		if canonical, err := json.Marshal(tree); err == nil {
			text = canonical
		}
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Print lists the runs: number, id and parameters.
func (p *Plan) Print(ctx context.Context, w io.Writer) error {
	fmt.Fprintf(w, "%d runs of %s\n", p.Len(), p.Spec.Case)
	for i := range p.Len() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		text, err := p.Text(i)
		if err != nil {
			return err
		}
		var words []string
		for j, v := range p.Parameters(i) {
			words = append(words, fmt.Sprintf("%s=%s", p.Spec.Paths()[j], v))
		}
		if _, err := fmt.Fprintf(w, "%6d  %s  %s\n", i, p.ID(text), report.Plain(strings.Join(words, "  "))); err != nil {
			return err
		}
	}
	return nil
}
