package signal_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/quasistatic/quasistatic/signal"
)

func TestReadCSV(t *testing.T) {
	const text = "\ufefft, note ,fx,fy\n# of a logger\n0,a,1,2\n0.5,\"b,c\",3e0,-4\n2,,5,6\n"
	times, columns, err := signal.ReadCSV(strings.NewReader(text), "t", []string{"fy", "fx"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(times, []float64{0, .5, 2}) || !slices.Equal(columns[0], []float64{2, -4, 6}) ||
		!slices.Equal(columns[1], []float64{1, 3, 5}) {
		t.Errorf("times %v, columns %v", times, columns)
	}
}

func TestReadCSVFaults(t *testing.T) {
	for _, tc := range []struct {
		text         string
		line, column int
		want         string
	}{
		{"", 1, 1, "empty"},
		{"t,fx\n", 1, 1, "no row"},
		{"\xff\xfet,fx\n0,1\n", 1, 1, "not UTF-8"},
		{"t,fy\n0,1\n", 1, 1, "no column \"fx\""},
		{"t,fx,fx\n0,1,1\n", 1, 6, "two columns"},
		{"t,fx\n0,1\n1,abc\n", 3, 3, "\"abc\""},
		{"t,fx\n0,1\n1,1e999\n", 3, 3, "finite"},
		{"t,fx\n0,1\n1,NaN\n", 3, 3, "finite"},
		{"t,fx\n0,1\n0,2\n", 3, 1, "increase"},
		{"t,fx\n0,1\n1\n", 3, 1, "fields"},
		{"t,fx\n0,\"1\n", 2, 6, "quote"},
	} {
		_, _, err := signal.ReadCSV(strings.NewReader(tc.text), "t", []string{"fx"}, 0)
		e, ok := errors.AsType[*signal.CSVError](err)
		if !ok || e.Line != tc.line || e.Column != tc.column || !strings.Contains(e.Text, tc.want) {
			t.Errorf("%q: error %v, want one at %d:%d with %q", tc.text, err, tc.line, tc.column, tc.want)
		}
	}
}

// TestBreaksOfColumns: columns of one file have their breaks once, in the memory of one; others are
// merged; none lie between times that are turned round.
func TestBreaksOfColumns(t *testing.T) {
	times, zigzag := make([]float64, 1000), make([]float64, 1000)
	for i := range times {
		times[i], zigzag[i] = float64(i), float64(i%2)
	}
	a, err := signal.TableOf(times, zigzag)
	if err != nil {
		t.Fatal(err)
	}
	tent, err := signal.TableOf([]float64{2, 4, 5.5}, []float64{0, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []signal.Vector{{a, a, a}, {a, signal.Constant(1), a}, {a, tent}} {
		want := 998
		if len(v) == 2 {
			want++ // 5.5
		}
		got := v.Breaks([]float64{77}, 0, 999)
		if len(got) != 1+want || got[0] != 77 || !slices.IsSorted(got[1:]) || got[1] != 1 || got[want] != 998 {
			t.Errorf("%d components: %d breaks", len(v), len(got)-1)
		}
		if len(v) == 3 && cap(got) > 3*1000 {
			t.Errorf("%d components: room for %d", len(v), cap(got))
		}
	}
	if got := a.Breaks(nil, 5, 2); len(got) != 0 {
		t.Errorf("backwards: %v", got)
	}
}

// TestBreaksOfLongTable: breaks are those between, also from the middle of a table.
func TestBreaksOfLongTable(t *testing.T) {
	s, err := signal.NewTable([]float64{0, 1, 2, 3, 4}, []float64{0, 1, 2, 2, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		from, to float64
		want     []float64
	}{{-1, 9, []float64{0, 2, 3, 4}}, {0, 4, []float64{2, 3}}, {1.5, 2.5, []float64{2}}, {2, 3, nil},
		{2.5, 3.5, []float64{3}}, {4, 9, nil}} {
		if got := s.Breaks(nil, tc.from, tc.to); !slices.Equal(got, tc.want) {
			t.Errorf("breaks in (%g, %g): %v, want %v", tc.from, tc.to, got, tc.want)
		}
	}
}

// TestMeasure: what bounds the memory of a reader, for lines with and without an end, of any
// length.
func TestMeasure(t *testing.T) {
	long := strings.Repeat("1", 200_000)
	for text, want := range map[string]signal.Extent{
		"": {}, "t,x\n": {Rows: 1, Longest: 4}, "t,x\n0,1": {Rows: 2, Longest: 4}, "t\n\n" + long + "\n1": {Rows: 4, Longest: 200_001},
		"t,\"x\ny\"\n0,1\n": {Rows: 3, Longest: 12},
	} {
		if e, err := signal.Measure(strings.NewReader(text)); err != nil || e != want {
			t.Errorf("%.20q: %+v, %v, want %+v", text, e, err, want)
		}
	}
	if _, err := signal.Measure(iotest.ErrReader(io.ErrUnexpectedEOF)); err == nil {
		t.Error("an error of the reader is lost")
	}
}
