package problemfile

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// The small problems of this test are written in every storage.
const (
	denseLocal = "2\n2\n0\n4\n4\n4\t4\n1 0 3 0\n0 1 0 0\n2 0 1 0\n0 0 0 1\n-1 2 -3 4\n0.5 0.25\n0\n"
	blockLocal = "2\n2\n1\n4\n4\n4\n2\n2\n2\t4\n2\t4\n3\n4\n0\t2\t4\n0\t1\t0\t1\n" +
		"0\n1\n0\n0\n1\n1\n2\n0\n0\n0\n2\n3\n0\n0\n0\n3\n1\n0\n0\n1\n-1 2 -3 4\n0.5 0.25\n"
	columnLocal = "2\n2\n2\n4\n4\n2\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n" +
		"4-by-4, nzmax: 9 nnz: 6, 1-norm: 4\n    col 0 : locations 0 to 1\n      0 : 1\n      2 : 3\n" +
		"    col 1 : locations 2 to 2\n      1 : 1\n    col 2 : locations 3 to 4\n      0 : 2\n      2 : 1\n" +
		"    col 3 : locations 5 to 5\n      3 : 1\n-1 2 -3 4\n0.5 0.25\n"
	tripletLocal = "2\n2\n2\n4\n4\n1\nCSparse Version 3.1.9\ntriplet: 4-by-4, nzmax: 6 nnz: 6\n" +
		"0 0 : 1\n2 0 : 3\n1 1 : 1\n0 2 : 2\n2 2 : 1\n3 3 : 1\n-1 2 -3 4\n0.5 0.25\n"
)

func TestReadLocalStorages(t *testing.T) {
	// Column by column in the file: W_13 = 2, W_31 = 3.
	want := []float64{1, 0, 2, 0, 0, 1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1}
	for name, text := range map[string]string{"dense": denseLocal, "blocks": blockLocal, "columns": columnLocal, "triplets": tripletLocal} {
		t.Run(name, func(t *testing.T) {
			p, err := Read([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind != LocalKind || p.Contacts() != 2 || p.Size() != 4 || p.Local.Validate() != nil {
				t.Fatalf("read as %v of %d contacts: %v", p.Kind, p.Contacts(), p.Local.Validate())
			}
			e, col := make([]float64, 4), make([]float64, 4)
			for j := range 4 {
				e[j] = 1
				p.Local.W.MulVec(col, e)
				e[j] = 0
				for i, w := range col {
					if w != want[4*i+j] {
						t.Errorf("W[%d][%d] = %g, want %g", i, j, w, want[4*i+j])
					}
				}
			}
			laws := []contact.Law{contact.Coulomb{Mu: 0.5}, contact.Coulomb{Mu: 0.25}}
			for j, law := range p.Local.Laws {
				if law != laws[j] {
					t.Errorf("law %d is %v", j, law)
				}
			}
			if d := cmp.Diff([]float64{-1, 2, -3, 4}, p.Local.Q); d != "" {
				t.Error(d)
			}
			roundTrip(t, p)
		})
	}
}

const globalText = "2\n1\n0\n2\n2\n2\t2\n2 0\n0 4\n0\n2\n2\n2\t2\n1 0\n0 1\n-6 1\n0.5 -0.5\n0.3\n1\n"

func TestReadGlobal(t *testing.T) {
	p, err := Read([]byte(globalText))
	if err != nil {
		t.Fatal(err)
	}
	if p.Kind != GlobalKind || p.Size() != 2 {
		t.Fatalf("read as %v", p.Kind)
	}
	d, err := p.Global.Local()
	if err != nil {
		t.Fatal(err)
	}
	// W = M⁻¹ = diag(1/2, 1/4), q = M⁻¹f + w = (−2.5, −0.25).
	if w := d.Local.W.(*contact.Blocks).Val; w[0] != 0.5 || w[1] != 0 || w[2] != 0 || w[3] != 0.25 {
		t.Errorf("W = %v", w)
	}
	if q := d.Local.Q; q[0] != -2.5 || q[1] != -0.25 {
		t.Errorf("q = %v", q)
	}
	if v := d.Velocity(nil, []float64{6, 3}); v[0] != 0 || v[1] != 1 {
		t.Errorf("v = %v", v)
	}
	roundTrip(t, p)
}

// An unsymmetric M goes through the dense elimination.
func TestGlobalUnsymmetric(t *testing.T) {
	p, err := Read([]byte(strings.Replace(globalText, "2 0\n0 4", "2 0\n1 4", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Global.Contact(); err == nil {
		t.Error("an unsymmetric M was taken for a sparse symmetric one")
	}
	d, err := p.Global.Local()
	if err != nil {
		t.Fatal(err)
	}
	// M = [2 1; 0 4] (columns in the file), W = [1/2 −1/8; 0 1/4].
	if diff := cmp.Diff([]float64{0.5, -0.125, 0, 0.25}, d.Local.W.(*contact.Blocks).Val); diff != "" {
		t.Error(diff)
	}
}

func TestReadLCPAndMLCP(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       Kind
		m, q       []float64
		equality   []bool
	}{
		{"lcp", "2\n0\n2\n2\n2 2\n1 3 2 4\n5 6\na remark", LCPKind, []float64{1, 2, 3, 4}, []float64{5, 6}, nil},
		{"mlcp with both forms", "1\n1\n1\n1\n0 1 2 \n0 1 \n0\n2\n2\n2\t2\n1 3 2 4\n5 6\n1\n4\n2\n3\n5\n6 0.5 0.5",
			MLCPKind, []float64{1, 2, 3, 4}, []float64{5, 6}, []bool{true, false}},
		{"mlcp with M only", "1\n0\n1\n1\n0 1 2 \n1 0 \n0\n2\n2\n2\t2\n1 3 2 4\n5 6", MLCPKind, []float64{1, 2, 3, 4},
			[]float64{5, 6}, []bool{false, true}},
		{"mlcp in blocks only", "0\n1\n1\n1\n1\n4\n2\n3\n5\n6", MLCPKind, []float64{1, 2, 3, 4}, []float64{5, 6}, []bool{true, false}},
		// q is cut to two entries; the last row's 7 is found in b.
		{"mlcp with more rows than columns", "1\n1\n1\n1\n0 1 2\n0 1\n0\n3\n2\n3\t2\n2 4 0\n1 2 3\n5 6\n2\n3\n1\n0\n5\n7",
			MLCPKind, []float64{2, 1, 0, 3, 4, 2}, []float64{5, 7, 6}, []bool{true, false}},
		{"mlcp with more rows and the whole q", "1\n0\n1\n1\n0 1 2\n0 1\n0\n3\n2\n3\t2\n2 4 0\n1 2 3\n5 6 7", MLCPKind,
			[]float64{2, 1, 0, 3, 4, 2}, []float64{5, 7, 6}, []bool{true, false}},
		{"lcp in blocks", "3\n1\n3\n3\n2\n2\n2\n1\t3\n1\t3\n3\n2\n0\t1\t2\n0\t1\n0\n5\n1\n1\n2\n3\n4\n6 7 8", LCPKind,
			[]float64{5, 0, 0, 0, 1, 3, 0, 2, 4}, []float64{6, 7, 8}, nil},
		{"old mlcp", "2 1 3\n1 0 0 1\n4\n2 3\n5 6\n7 8\n9", MLCPKind, []float64{1, 0, 2, 0, 1, 3, 5, 6, 4},
			[]float64{7, 8, 9}, []bool{true, true, false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind != c.kind {
				t.Fatalf("read as %v", p.Kind)
			}
			var m, q []float64
			var equality []bool
			if p.Kind == LCPKind {
				m, q = p.LCP.M, p.LCP.Q
			} else {
				m, q, equality = p.MLCP.M, p.MLCP.Q, p.MLCP.Equality
			}
			if d := cmp.Diff(c.m, m) + cmp.Diff(c.q, q) + cmp.Diff(c.equality, equality); d != "" {
				t.Error(d)
			}
			roundTrip(t, p)
		})
	}
}

// Errors name line, offset and what was expected.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", " \n", "empty"},
		{"words", "hello world", `line 1 (offset 0): found "hello"`},
		{"rolling friction", "5\n1\n0\n5\n5\n5 5\n", "5×5 numbers for W, more than the rest of the file can hold"},
		{"not a number", strings.Replace(denseLocal, "1 0 3", "1 x 3", 1), `line 7 (offset 16): found "x", want W, a finite number`},
		{"NaN", strings.Replace(denseLocal, "-3 4", "nan 4", 1), `found "nan", want q, a finite number`},
		{"infinite", strings.Replace(denseLocal, "-3 4", "1e999 4", 1), `want q, a finite number`},
		{"negative friction", strings.Replace(denseLocal, "0.5 0.25", "0.5 -0.25", 1), "friction at contact 1"},
		{"cut", denseLocal[:45], "found the end of the file, want 4 numbers for q"},
		{"huge", "3\n300000000\n0\n900000000\n900000000\n900000000 900000000\n1 2 3", "line"},
		{"huge sparse", "2\n1000000000000\n1\n", "line"},
		{"wrong size", strings.Replace(denseLocal, "0\n4\n4\n4\t4", "0\n4\n4\n4\t5", 1), "columns of W again, 4 here"},
		{"blocks that fall", strings.Replace(blockLocal, "0\t2\t4\n", "0\t3\t2\n", 1), "ascend"},
		{"block column out of range", strings.Replace(blockLocal, "0\t1\t0\t1\n", "0\t1\t0\t7\n", 1), "block column"},
		{"sparse row out of range", strings.Replace(columnLocal, "2 : 3", "9 : 3", 1), "row index"},
		{"sparse column miscounted", strings.Replace(columnLocal, "2 to 2", "2 to 1", 1), "col"},
		{"other JSON", `{"a": 1}`, "unknown field"},
		{"cut JSON", `{"format": `, "line 1"},
		{"wrong format", `{"format": "x", "version": 1}`, `want "quasistatic-contact-problem"`},
		{"JSON of wrong size", `{"format": "quasistatic-contact-problem", "version": 1, "kind": "lcp", "q": [1], "M": {"rows": 1000000000, "cols": 1000000000}}`,
			"want 1×1"},
		{"JSON that would need terabytes", `{"format": "quasistatic-contact-problem", "version": 1, "kind": "lcp", "q": [` +
			strings.Repeat("0,", 500000) + `0], "M": {"rows": 500001, "cols": 500001}}`, "more than 8192"},
		{"JSON index", `{"format": "quasistatic-contact-problem", "version": 1, "kind": "lcp", "q": [1], "M": {"rows": 1, "cols": 1, "i": [0], "j": [1], "x": [1]}}`,
			"outside"},
		{"JSON law", `{"format": "quasistatic-contact-problem", "version": 1, "kind": "local", "dimension": 2, "laws": [{"type": "glue"}]}`,
			"glue"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := ReadFile("/nonexistent"); err == nil {
		t.Error("a missing file was read")
	}
	if _, err := ReadFile(t.TempDir()); err == nil {
		t.Error("a directory was read")
	}
	var syntax *SyntaxError
	if _, err := Read([]byte("x")); !errors.As(err, &syntax) || syntax.Line != 1 {
		t.Errorf("error %v is no SyntaxError", err)
	}
}

// Every law has a JSON form that reads back as it was.
func TestJSONLaws(t *testing.T) {
	laws := []contact.Law{
		contact.Frictionless{}, contact.Bilateral{}, contact.Coulomb{Mu: 0.3},
		contact.Coulomb{Mu: 0.3, Shape: contact.NewShape([4]float64{1, 0, 0, 0.5})},
		contact.Associated{Mu: 0.2}, contact.Tresca{Threshold: 2}, contact.Pyramid{Mu: 0.1, Facets: 8},
		contact.Pyramid{Mu: 0.1, Shape: contact.NewShape([4]float64{1, 0.5, 0, 2})},
	}
	n := 3 * len(laws)
	w := &contact.Dense{D: 3, N: n, Val: make([]float64, n*n)}
	p := &Problem{Kind: LocalKind, Title: "all laws", Local: &contact.Local{W: w, Q: make([]float64, n), Laws: laws},
		Reference: &Reference{R: make([]float64, n)}}
	p.Local.Q[3] = math.Pi
	var buf bytes.Buffer
	if err := WriteJSON(&buf, p); err != nil {
		t.Fatal(err)
	}
	again, err := Read(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for j, law := range again.Local.Laws {
		if law != laws[j] {
			t.Errorf("law %d is %v, want %v", j, law, laws[j])
		}
	}
	if again.Title != p.Title || again.Local.Q[3] != math.Pi || len(again.Reference.R) != n {
		t.Errorf("title %q, q %v, reference %v", again.Title, again.Local.Q[3], again.Reference)
	}
}

// FuzzRead: whatever the bytes, there is an error or a valid problem, and a
// small complementarity problem gets a verdict.
func FuzzRead(f *testing.F) {
	for _, s := range []string{denseLocal, blockLocal, columnLocal, tripletLocal, globalText,
		"2\n0\n2\n2\n2 2\n1 3 2 4\n5 6", "1\n0\n1\n1\n0 1 2 \n1 0 \n0\n2\n2\n2\t2\n1 3 2 4\n5 6", "2 1 3\n1 0 0 1\n4\n2 3\n5 6\n7 8\n9"} {
		f.Add([]byte(s))
		if p, err := Read([]byte(s)); err == nil {
			var buf bytes.Buffer
			if err := WriteJSON(&buf, p); err != nil {
				f.Fatal(err)
			}
			f.Add(buf.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(data)
		if err != nil {
			return
		}
		roundTrip(t, p)
		switch {
		case p.Kind == LocalKind && p.Local.Validate() != nil:
			t.Fatal(p.Local.Validate())
		case p.Kind == GlobalKind && p.Size() < 30 && len(p.Global.F) < 30:
			if d, err := p.Global.Local(); err == nil && d.Local.Validate() != nil && finiteAll(d.Local.Q) {
				t.Log(d.Local.Validate()) // overflow of the elimination
			}
		case p.Kind == LCPKind && p.Size() < 8:
			var res lcp.LCPResult
			checkVerdict(t, lcp.SolveLCP(context.Background(), p.LCP, nil, nil, &res), res.Status, res.Z)
		case p.Kind == MLCPKind && p.Size() < 8:
			var res lcp.MLCPResult
			checkVerdict(t, lcp.SolveMLCP(context.Background(), p.MLCP, nil, nil, &res), res.Status, res.X)
		}
	})
}

func checkVerdict(t *testing.T, err error, status contact.Status, x []float64) {
	t.Helper()
	if (err == nil) != (status == contact.Converged) || !finiteAll(x) {
		t.Fatalf("status %v, error %v, x = %v", status, err, x)
	}
}

// TestRollingForm reads and solves the rolling form of the peer: one contact of five
// components that rests, and one that rolls.
func TestRollingForm(t *testing.T) {
	text := "5\n1\n0\n5 5\n5 5\n1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1\n-2 0.5 0 0.3 -0.4\n0.5\n0.1\n"
	p, err := Read([]byte(text))
	if err != nil || p.Kind != LocalKind || p.Local.W.Dim() != 5 {
		t.Fatalf("%v, %v", p, err)
	}
	s, err := p.Solve(context.Background(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2, -0.5, 0, -0.12, 0.16} {
		if d := s.R[i] - want; d > 1e-7 || d < -1e-7 {
			t.Fatalf("r = %v", s.R)
		}
	}
}

// TestGlobalRollingForm reads the global rolling form: the same two problems as one, with
// M = 1 and H = 1, whose W is 1.
func TestGlobalRollingForm(t *testing.T) {
	unit := "5 5\n1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1\n"
	text := "5\n1\n0\n5 5\n" + unit + "0\n5 5\n" + unit + "-2 0.5 0 0.3 -0.4\n0 0 0 0 0\n0.5\n0.1\n"
	p, err := Read([]byte(text))
	if err != nil || p.Kind != GlobalKind || p.Global.Dim != 5 {
		t.Fatalf("%v, %v", p, err)
	}
	s, err := p.Solve(context.Background(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2, -0.5, 0, -0.12, 0.16} {
		if d := s.R[i] - want; d > 1e-7 || d < -1e-7 {
			t.Fatalf("r = %v", s.R)
		}
	}
}

// TestSolveMLCP: x₀ + 2x₁ + 5 = w₀ ⊥ x₀ and 3x₀ + 4x₁ + 6 = 0 has the solution x = (0, −3/2), w₀ =
// 2.
func TestSolveMLCP(t *testing.T) {
	p, err := Read([]byte("1\n0\n1\n1\n0 1 2 \n1 0 \n0\n2\n2\n2\t2\n1 3 2 4\n5 6"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, -1.5} {
		if u := []float64{2, 0}[i]; math.Abs(s.R[i]-want) > 1e-12 || math.Abs(s.U[i]-u) > 1e-12 {
			t.Errorf("x = %v, w = %v", s.R, s.U)
		}
	}
	if s.Status != contact.Converged || !(s.Merit <= s.Tolerance) {
		t.Errorf("%+v", s)
	}
}
