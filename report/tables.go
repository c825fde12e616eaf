package report

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/trajectory"
)

// MotionPage makes the page of a run of the dynamic models from its files: a plot
// of each table, and the outlines of the bodies.
func MotionPage(ctx context.Context, dir string, world *bodies.World, a About) (*Page, error) {
	p := &Page{Title: a.Title, Description: a.Description, Version: a.Version, Case: a.Case, Verdict: headlineOf(a.Summary)}
	if a.Summary != nil {
		p.Expectations = expected(a.Summary)
	}
	var nodes int
	for _, t := range []struct{ id, file, title, unit, caption string }{
		{"positions", trajectory.TrajectoryFile, "Coordinates", "[m], [rad]", "The coordinates that change most."},
		{"velocities", trajectory.VelocitiesFile, "Velocities", "[m/s], [rad/s]", "The velocities that change most."},
		{"forces", trajectory.ForcesFile, "Contact forces", "[N]", "Normal (n) and tangential (t, o) forces of the contact elements that change most."},
		{"energies", trajectory.EnergiesFile, "Energies", "[J]", "The ledger of the energies; the residual is what it is short of."},
	} {
		film := (*outlineFilm)(nil)
		if t.file == trajectory.TrajectoryFile {
			film = &outlineFilm{world: world, every: 1}
		}
		s, columns, n, err := readTable(ctx, filepath.Join(dir, t.file), film)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		if film != nil {
			nodes, p.Scene = n, film.scene()
		}
		drawn, err := tableFigure(s, columns, t.title, t.unit)
		if err != nil {
			return nil, err
		}
		f, err := figure(t.id, t.caption, drawn, true)
		if err != nil {
			return nil, err
		}
		p.Figures = append(p.Figures, f)
	}
	p.Facts = []Row{{"nodes", fmt.Sprint(nodes), ""}, {"bodies", fmt.Sprint(world.Bodies()), ""}, {"case", a.SHA256[:min(12, len(a.SHA256))] + "…", "SHA-256"}, {"version", a.Version, ""}}
	return p, nil
}

// headlineOf is the verdict of a motion: its certificates are others than those of
// the energetic model.
func headlineOf(s *trajectory.Summary) Verdict {
	if s == nil {
		return Words(nil)
	}
	v := headline(s)
	if s.Message != "" {
		v.Sentences = append(v.Sentences, s.Message+".")
	}
	if m := s.Motion; m != nil {
		v.Sentences = append(v.Sentences, fmt.Sprintf("Contact: all %d contact problems are solved up to %.2g, allowed %.2g.", m.Solves, m.Residual, m.Tolerance),
			fmt.Sprintf("Energy: the ledger closes up to %s.", joule(m.Balance)))
	}
	return v
}

// readTable reads a CSV file of numbers whose first column is the time.
func readTable(ctx context.Context, name string, film *outlineFilm) (s series, columns []string, nodes int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return s, nil, 0, fmt.Errorf("report: %w", err)
	}
	defer f.Close() // read only
	r, err := trajectory.NewCertificateReader(trajectory.WholeLines(f), name)
	if err != nil {
		return s, nil, 0, err
	}
	s = newSeries(len(r.Columns)-1, max(2, min(mostIntervals, mostValues/len(r.Columns)&^1)))
	for ; ctx.Err() == nil; nodes++ {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return s, nil, nodes, err
		}
		s.add(row[0], row[1:])
		if film != nil {
			film.add(nodes, row)
		}
	}
	return s, r.Columns[1:], nodes, ctx.Err()
}

// tableFigure draws the columns of the largest ranges.
func tableFigure(s series, columns []string, title, unit string) (*plot.Plot, error) {
	order := make([]int, len(columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.channels[b].extent(), s.channels[a].extent()) })
	r := &Recorder{series: s}
	p := r.panel(title, unit)
	n := min(len(order), len(palette))
	for i, c := range order[:n] {
		p.line(&s.channels[c], columns[c], palette[i], nil, 1.3)
	}
	p.headroom(n)
	return p.done()
}

// outlineFilm keeps every n-th position of the bodies.
type outlineFilm struct {
	world *bodies.World
	every int
	rows  [][]float64
}

// outlineFrames is the number of positions that are kept, twice that at most.
const outlineFrames = 400

func (f *outlineFilm) add(k int, row []float64) {
	if k%f.every != 0 {
		return
	}
	f.rows = append(f.rows, slices.Clone(row))
	if len(f.rows) == 2*outlineFrames {
		for i := range outlineFrames {
			f.rows[i] = f.rows[2*i]
		}
		f.rows, f.every = f.rows[:outlineFrames], 2*f.every
	}
}

// corners returns points of a body: its outline in the plane, y drawn upwards; in
// space three squares about its centre.
func (f *outlineFilm) corners(body int, q []float64) (list [][3]float64) {
	if f.world.Dim() == 2 {
		for _, x := range f.world.Outline(body, q) {
			list = append(list, [3]float64{x[0], 0, x[1]})
		}
		return list
	}
	centre, r := f.world.Place(body, q)
	size := 0.08 * f.extent()
	for _, axes := range [][2]int{{0, 1}, {1, 2}, {2, 0}} {
		for _, sign := range [][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
			x := centre
			for c := range 3 {
				x[c] += size * (sign[0]*r[3*c+axes[0]] + sign[1]*r[3*c+axes[1]])
			}
			list = append(list, x)
		}
	}
	return list
}

// extent returns the longest way of a centre along an axis, at least 1 cm.
func (f *outlineFilm) extent() float64 {
	most := 0.01
	for b := range f.world.Bodies() {
		low, high := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
		for _, row := range f.rows {
			x, _ := f.world.Place(b, row[1:])
			for c := range 3 {
				low[c], high[c] = min(low[c], x[c]), max(high[c], x[c])
				most = max(most, high[c]-low[c])
			}
		}
	}
	return most
}

// scene makes the bodies polygons through their corners.
func (f *outlineFilm) scene() *Scene {
	s := &Scene{}
	var at [3][]float64
	for k, row := range f.rows {
		s.Times = append(s.Times, row[0])
		for b := range f.world.Bodies() {
			list := f.corners(b, row[1:])
			if k == 0 {
				s.polygon(len(list), f.world.Dim())
			}
			for _, x := range list {
				for c := range 3 {
					at[c] = append(at[c], x[c])
				}
			}
		}
	}
	s.Anchors = s.Points
	s.X, s.Y, s.Z = NewChannel(at[0]), NewChannel(at[1]), NewChannel(at[2])
	return s
}

// polygon adds a body of n corners: in space, a polygon has four.
func (s *Scene) polygon(n, dim int) {
	side := n
	if dim == 3 {
		side = 4
	}
	for from := 0; from+side <= n && side > 0; from += side {
		var g []int
		for i := range side {
			g = append(g, s.Points+from+i)
		}
		s.Polygons = append(s.Polygons, g)
	}
	s.Points += n
}
