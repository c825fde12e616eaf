package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/pagedata"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// sceneOf reads what the page of a case animates.
func sceneOf(t *testing.T, page string) *report.Scene {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), `<script id="scene" type="application/json">`)
	raw, _, _ := strings.Cut(rest, "</script>")
	var s *report.Scene
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// decoded are the numbers of a channel.
func decoded(t *testing.T, c report.Channel) (list []float64) {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(c.Data)
	if err != nil {
		t.Fatal(err)
	}
	for ; c.Exact && len(b) >= 4; b = b[4:] {
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	for ; !c.Exact && len(b) >= 2; b = b[2:] {
		list = append(list, c.Low+(c.High-c.Low)*float64(binary.LittleEndian.Uint16(b))/math.MaxUint16)
	}
	return list
}

// lagging are the cases whose friction is meant to be off the bound of its time: thresholds of
// the step before, or a regularised law. In ripple-jump, which is not certified, a jump is; a
// stick that becomes a slip of the ball within a step has friction for a part of it only; so has
// the slide down the wall of corner that ends where the particle lands on the floor, and steps that slide on curved
// obstacles, whose normals turn.
var lagging = map[string]bool{"corner": true, "grazing-lagged": true, "gamma-to-zero": true, "ripple-jump": true,
	"bouncing-sphere": true, "round-the-ball": true, "capstan-strip": true}

// TestPicturesAreTrue holds what the pages show against what must be so: friction in its cone,
// at its edge where it slips; every obstacle in the picture, and each contact with one of them,
// where it is at that time; no force that is not seen.
func TestPicturesAreTrue(t *testing.T) {
	t.Parallel()
	for _, name := range affordable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sceneOf(t, reported(t, name))
			if s == nil {
				t.Fatal("nothing is shown")
			}
			inCone(t, s, lagging[name])
			onObstacles(t, s)
			met := s.On != nil && !slices.ContainsFunc(s.On, func(o int) bool { return o >= 0 })
			if s.Contacts > 0 && len(s.Obstacles) == 0 && s.Axes == nil && !met { // bodies that meet need none
				t.Error("there are contacts, but no obstacle is drawn")
			}
			for c := range 3 {
				if s.Box != nil && !(s.Box[1][c] >= s.Box[0][c]) {
					t.Errorf("the picture holds %v", s.Box)
				}
			}
			saysNoMore(t, name, s)
			if name == "nip" && s.Force < 9 {
				t.Errorf("the rollers press by %g N", s.Force)
			}
		})
	}
}

// inCone checks the friction of all contacts at all times. What is below a hundred thousandth of
// the largest bound is a contact that opens or closes.
func inCone(t *testing.T, s *report.Scene, lags bool) {
	t.Helper()
	const near, small = 1e-6, 1e-5
	status, err := base64.StdEncoding.DecodeString(s.Status)
	if err != nil {
		t.Fatal(err)
	}
	bound, t1, t2, n := decoded(t, s.Bound), decoded(t, s.T1), decoded(t, s.T2), decoded(t, s.N)
	worst := 0
	for i, state := range status {
		share := math.Hypot(t1[i], t2[i]) / bound[i]
		switch k := i / s.Contacts; {
		case !(bound[i] > small*s.Bound.High) || worst > 3:
		case share > 1+near && !lags:
			t.Errorf("t = %g: %d: friction is %.9g of its bound", s.Times[k], i%s.Contacts, share)
			worst++
		case state == report.StatusSlip && share < 1-near && !lags:
			t.Errorf("t = %g: %d slips at %.9g of its bound", s.Times[k], i%s.Contacts, share)
			worst++
		case state == report.StatusFree && n[i] > 0:
			t.Errorf("t = %g: %d is free, but pressed by %g N", s.Times[k], i%s.Contacts, n[i])
			worst++
		}
	}
	if s.Pushes == nil {
		return
	}
	for i, a := range decoded(t, s.Pushes.Share[0]) {
		if b := decoded(t, s.Pushes.Share[1])[i]; s.Facets == 0 && math.Hypot(a, b) > 1+near {
			t.Fatalf("contact %d has friction of %.9g of its bound", i, math.Hypot(a, b))
		}
		if i > 2000 {
			break // decoding is slow
		}
	}
}

// onObstacles checks that what is pressed lies on the surface of the obstacle that is drawn for
// it, with its normal: within the sag of its faces, and what a picture can show.
func onObstacles(t *testing.T, s *report.Scene) {
	t.Helper()
	if s.Contacts == 0 || s.Touching {
		return
	}
	x := [3][]float64{decoded(t, s.X), decoded(t, s.Y), decoded(t, s.Z)}
	n := decoded(t, s.N)
	var axes [6][]float64
	for c := range s.Axes {
		axes[c] = decoded(t, s.Axes[c])
	}
	size := math.Max(s.X.High-s.X.Low, math.Max(s.Y.High-s.Y.Low, s.Z.High-s.Z.Low))
	for k := 0; k < len(s.Times); k += 1 + len(s.Times)/7 {
		for j := range min(s.Contacts, 20) {
			i, point := k*s.Contacts+j, k*s.Points+j
			if s.Of != nil {
				point = k*s.Points + s.Of[j]
			}
			if !(n[i] > 0) {
				continue
			}
			o := &s.Obstacles[s.On[j]]
			p := atRest(t, o, k, [3]float64{x[0][point], x[1][point], x[2][point]})
			off, sag := distance(o, p)
			if !(off <= sag+1e-4*size+1e-9) {
				t.Errorf("t = %g: contact %d is %g m from %q, which is drawn", s.Times[k], j, off, o.Name)
				return
			}
			if s.Axes == nil {
				continue
			}
			if l := vec3.Norm([3]float64{axes[0][i], axes[1][i], axes[2][i]}); math.Abs(l-1) > 1e-3 {
				t.Errorf("t = %g: contact %d has a normal of length %g", s.Times[k], j, l)
			}
		}
	}
}

// atRest is where a place is on an obstacle before it moved.
func atRest(t *testing.T, o *report.Obstacle, k int, x [3]float64) [3]float64 {
	t.Helper()
	if o.Pose == nil {
		return x
	}
	var v [7]float64
	for c := range v {
		v[c] = decoded(t, o.Pose[c])[k]
	}
	y := vec3.Add(x, -1, [3]float64(v[:3]))
	w, u := v[3], vec3.Scale([3]float64(v[4:]), -1) // the turn back
	c := vec3.Add(vec3.Cross(u, y), w, y)
	return vec3.Add(y, 2, vec3.Cross(u, c))
}

// distance is that of a place from an obstacle as it is drawn, and how much its faces sag: a
// part of the longest one.
func distance(o *report.Obstacle, x [3]float64) (off, sag float64) {
	if o.N != ([3]float64{}) {
		return math.Abs(vec3.Dot(o.N, vec3.Add(x, -1, o.P))), 0
	}
	off = math.Inf(1)
	at := func(i int) [3]float64 {
		return [3]float64{float64(o.At[i][0]), float64(o.At[i][1]), float64(o.At[i][2])}
	}
	for _, face := range o.Faces {
		if len(face) != 4 {
			continue // an end of a cylinder
		}
		a, b, c := at(face[0]), at(face[1]), at(face[3])
		d, e := vec3.Add(at(face[2]), -1, a), vec3.Add(b, -1, c)
		m := vec3.Cross(d, e)
		l := vec3.Norm(m)
		if !(l > 0) {
			continue
		}
		middle := vec3.Scale(vec3.Add(vec3.Add(a, 1, at(face[2])), 1, vec3.Add(b, 1, c)), 0.25)
		r := vec3.Add(x, -1, middle)
		reach := max(vec3.Norm(d), vec3.Norm(e))
		if height := math.Abs(vec3.Dot(r, m) / l); vec3.Norm(r) <= reach && height < off {
			off, sag = height, 0.07*reach // 1 − cos of half a face of 48 around
		}
	}
	return off, sag
}

// saysNoMore checks the words of a page: its heading is the name of the case; where no contact has
// friction no curve, legend or event is of friction; loads of the case are drawn.
func saysNoMore(t *testing.T, name string, s *report.Scene) {
	t.Helper()
	text, err := os.ReadFile(reported(t, name))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	_, c, _ := strings.Cut(page, "<pre>")
	c, _, _ = strings.Cut(c, "</pre>")
	var raw struct {
		Name  string
		Model string
		Loads []any

		Energies []struct{ Type string }
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(c)), &raw); err != nil {
		t.Fatal(err)
	}
	if want := cmp.Or(raw.Name, name); !strings.Contains(page, "<h1>"+html.EscapeString(want)+"</h1>") {
		t.Errorf("the heading is not %s", want)
	}
	loaded := len(raw.Loads) > 0 && raw.Model == "rigid"
	for _, e := range raw.Energies {
		loaded = loaded || e.Type == "load"
	}
	if loaded && len(s.Acts) == 0 {
		t.Error("no load is drawn")
	}
	states, err := base64.StdEncoding.DecodeString(s.Status)
	if err != nil {
		t.Fatal(err)
	}
	smooth := s.Contacts > 0 && !(s.Bound.High > 0) && !bytes.ContainsAny(states, string([]byte{report.StatusStick, report.StatusSlip}))
	_, figures, _ := strings.Cut(page, `<section id="plots"`)
	figures, rest, _ := strings.Cut(figures, `id="explore"`)
	_, events, _ := strings.Cut(rest, `aria-label="Events"`)
	events, _, _ = strings.Cut(events, "</section>")
	for _, word := range []string{"friction |r|", "friction bound", ">dissipated<", "→ slip", "→ stick"} {
		if smooth && strings.Contains(figures+events, word) {
			t.Errorf("no contact has friction, and the page has %q", word)
		}
	}
}

// TestActs: what pushes a drawer and turns a spindle, and what their joints rub, are the closed forms
// of the cases, at all times but the start.
func TestActs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, act     string
		force, moment [3]float64
	}{
		{"drawer", "load on drawer", [3]float64{10}, [3]float64{}},
		{"drawer", "guide friction", [3]float64{-4.5}, [3]float64{}},
		{"thread", "load on spindle", [3]float64{2: -5000}, [3]float64{2: 16.0}},
		{"thread", "thread friction", [3]float64{2: -12411.8}, [3]float64{}},
	} {
		s := sceneOf(t, reported(t, c.name))
		k := slices.IndexFunc(s.Acts, func(a report.SceneAct) bool { return a.Name == c.act })
		if k < 0 {
			t.Errorf("%s: no %s is drawn", c.name, c.act)
			continue
		}
		for i := range 3 {
			for _, v := range []struct {
				list []report.Channel
				want float64
			}{{s.Acts[k].Force, c.force[i]}, {s.Acts[k].Moment, c.moment[i]}} {
				if v.list == nil {
					if v.want != 0 {
						t.Errorf("%s, %s: component %d is none, want %g", c.name, c.act, i, v.want)
					}
					continue
				}
				for n, got := range decoded(t, v.list[i])[1:] {
					if math.Abs(got-v.want) > 1e-2*math.Abs(v.want) {
						t.Fatalf("%s, %s: component %d is %g at t = %g, want %g", c.name, c.act, i, got, s.Times[1+n], v.want)
					}
				}
			}
		}
	}
}

// TestBannerHasTheFacts: the numbers that a page says in words are those of the summary, not of
// the rows that were kept: pile keeps every tenth.
func TestBannerHasTheFacts(t *testing.T) {
	t.Parallel()
	dir, _ := finished(t, "double-pendulum-floor")
	text, err := os.ReadFile(reported(t, "double-pendulum-floor"))
	if err != nil {
		t.Fatal(err)
	}
	var x struct {
		Motion struct {
			Multibody struct{ Penetration, Drift float64 }
		}
	}
	s, err := table.ReadSummary(dir)
	if err == nil {
		err = s.Read(&x)
	}
	if err != nil {
		t.Fatal(filepath.Base(dir), err)
	}
	for _, v := range []float64{x.Motion.Multibody.Penetration, x.Motion.Multibody.Drift} {
		if !strings.Contains(string(text), report.Metre(v)) {
			t.Errorf("the page does not say %s", report.Metre(v))
		}
	}
}

// held are the columns that a page holds for its plots.
type held struct {
	Tables []struct {
		Table, T string
		Full     bool
		Columns  []struct{ Name, Low, High string }
	}
}

// numbers are those of a text in base64, float64 or float32.
func numbers(t *testing.T, full bool, text string) (list []float64) {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for ; full && len(b) > 0; b = b[8:] {
		list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	for ; len(b) > 0; b = b[4:] {
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return list
}

// TestPlotsAreTheFiles: what the page of a case plots of any column are the numbers of the file, each between
// the extremes of its interval, which are values of it: float64 to their rounding, float32 to 2⁻²⁴ of them.
func TestPlotsAreTheFiles(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	const largest = 4_000_000 // of a file that is read here [bytes]
	for _, name := range affordable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := reported(t, name)
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			data, err := pagedata.Of(string(text))
			if err != nil {
				t.Fatal(err)
			}
			var h held
			if err := json.Unmarshal(data, &h); err != nil {
				t.Fatal(err)
			}
			if len(h.Tables) == 0 {
				t.Error("the page holds no column")
			}
			for _, x := range h.Tables {
				file := filepath.Join(strings.TrimSuffix(page, ".html"), x.Table)
				if info, err := os.Stat(file); err != nil || info.Size() > largest {
					continue // another format, or too long
				}
				rows := rowsOf(t, file)
				times := numbers(t, x.Full, x.T)
				for c := 0; c < len(x.Columns); c += 1 + len(x.Columns)/20 {
					sameColumn(t, x.Table+": "+x.Columns[c].Name, rows, slices.Index(rows.head, x.Columns[c].Name), times,
						numbers(t, x.Full, x.Columns[c].Low), numbers(t, x.Full, x.Columns[c].High), x.Full)
				}
			}
		})
	}
}

// fileRows are the rows of a CSV file, as numbers.
type fileRows struct {
	head []string
	rows [][]float64
}

func rowsOf(t *testing.T, file string) (p fileRows) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Split(line, ",")
		if i == 0 {
			p.head = fields
			continue
		}
		row := make([]float64, len(fields))
		for k, f := range fields {
			row[k], _ = strconv.ParseFloat(f, 64) // an empty field is none, and is not compared
		}
		p.rows = append(p.rows, row)
	}
	return p
}

// sameColumn compares a column of a file with the intervals of the page.
func sameColumn(t *testing.T, name string, p fileRows, column int, times, low, high []float64, full bool) {
	t.Helper()
	if column < 0 {
		t.Errorf("%s: no column of the file has that name", name)
		return
	}
	at := func(list []float64, k int) float64 {
		if len(list) == 1 {
			return list[0]
		}
		return list[k]
	}
	if len(high) == 0 {
		high = low
	}
	largest := 0. // of all components of a place, which are turned into the frame of an obstacle and back
	for i, head := range p.head {
		for _, row := range p.rows {
			if prefix, _, _ := strings.Cut(head, "."); i == column || strings.HasPrefix(p.head[column], prefix+".") {
				largest = max(largest, math.Abs(row[i]))
			}
		}
	}
	near := func(v float64) float64 {
		if full {
			return 0x1p-51 * largest
		}
		return 0x1p-23*math.Abs(v) + math.SmallestNonzeroFloat32
	}
	k, least, most := 0, math.Inf(1), math.Inf(-1)
	for i, row := range p.rows {
		for k < len(times)/2-1 && row[0] > times[2*k+1]+near(row[0]) {
			k++
		}
		v := row[column]
		if i == 0 && v == 0 {
			continue // what a step has is not drawn at the start, where there was none
		}
		least, most = min(least, v), max(most, v)
		fits := func() bool { return v >= at(low, k)-near(v) && v <= at(high, k)+near(v) }
		for !fits() && k < len(times)/2-1 && times[2*k+2] <= row[0]+near(row[0]) {
			k++ // rows of one time: a jump
		}
		if a, b := at(low, k), at(high, k); !fits() {
			t.Errorf("%s: at t = %g the file has %.17g, the page %.17g to %.17g", name, row[0], v, a, b)
			return
		}
	}
	for i := range low {
		if a, b := low[i], at(high, i); a != 0 && a < least-near(a) || b > max(0, most)+near(b) && a <= b {
			t.Errorf("%s: the page has %.17g to %.17g, the file %.17g to %.17g", name, a, b, least, most)
			return
		}
	}
}
