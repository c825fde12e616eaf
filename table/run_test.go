package table

import (
	"os"
	"path/filepath"
	"testing"
)

var runLayout = &Layout{Sheets: []Sheet{{File: TrajectoryFile, Columns: []string{"a.x"}, Of: "body"},
	{File: EnergiesFile, Columns: []string{"kinetic", "loads"}, Stays: true},
	{File: ContactsFile, Words: []string{"a", "b"}, Columns: []string{"f"}, Digits: 3, Times: SomeRows},
	{File: EventsFile, Words: []string{"body", "from", "to"}, Times: SomeRows, Stays: true}}}

// steps writes steps of a run of which every second row is kept.
func steps(t *testing.T, w *Tables, from, to int) {
	t.Helper()
	for k := from; k <= to; k++ {
		x := float64(k)
		w.Attach(ContactsFile, []string{"a", "floor"}, x/3)
		if err := w.Row(k, x/4, []float64{x}, []float64{x * x, -x}); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(EventsFile, x/4, []string{"a", "open", "stick"}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTables writes a run at once, and one that is cut off amid a row and goes on from
// its mark: the bytes are the same, and those that the layout asks for.
func TestTables(t *testing.T) {
	whole, parted := t.TempDir(), t.TempDir()
	for _, dir := range []string{whole, parted} {
		w, err := Start(dir, runLayout, Options{Every: 2})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 0, 3)
		if dir == parted {
			mark, err := w.Mark()
			if err != nil {
				t.Fatal(err)
			}
			steps(t, w, 4, 5)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if w, err = Reopen(dir, runLayout, Options{Every: 2}, &mark); err != nil {
				t.Fatal(err)
			}
		}
		steps(t, w, 4, 7)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]string{
		TrajectoryFile: "t,a.x\n0,0\n0.5,2\n1,4\n1.5,6\n1.75,7\n",
		EnergiesFile:   "t,kinetic,loads\n0,0,-0\n0.5,4,-2\n1,16,-4\n1.5,36,-6\n1.75,49,-7\n",
		ContactsFile:   "t,a,b,f\n0,a,floor,0\n0.5,a,floor,0.667\n1,a,floor,1.33\n1.5,a,floor,2\n1.75,a,floor,2.33\n",
	} {
		for _, dir := range []string{whole, parted} {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil || string(text) != want {
				t.Errorf("%s: %v\n%swant\n%s", file, err, text, want)
			}
		}
	}
	a, _ := os.ReadFile(filepath.Join(whole, EventsFile))
	b, _ := os.ReadFile(filepath.Join(parted, EventsFile))
	if string(a) != string(b) || len(a) == 0 {
		t.Errorf("events of the parted run\n%swant\n%s", b, a)
	}
}
