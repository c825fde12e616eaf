package particleview

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/report"
)

func (r *Reader) figures() (figures []report.Figure, warnings []string) {
	if r.k == 0 {
		return nil, nil
	}
	return report.Draw(slices.Concat([]report.Drawing{
		{ID: "positions", Caption: "Where the particles are that move most.", Plot: r.record.positions, Time: true},
		{ID: "cone", Caption: "Friction fills its cone: a contact sticks inside the band and slips on its edge.", Plot: r.cone, Time: true},
		{ID: "map", Caption: "Who sticks and slips when; blank: no contact.", Plot: r.record.states, Time: true},
	}, r.surfaces(), []report.Drawing{
		{ID: "along", Caption: "What presses the nodes of the surface, at five times.", Plot: r.along},
		{ID: "forces", Caption: "Normal forces, and friction with the most that it can bear where there is any.",
			Plot: r.record.forces, Time: true},
		{ID: "sensors", Caption: "What the case asks for, as its \"sensors\" name it: those that change most.", Plot: r.sensors, Time: true},
		{ID: "loop", Caption: "Friction against the way along it: the area inside a loop is the energy dissipated.", Plot: r.loop},
		{ID: "energies", Caption: "Stored and dissipated energy grow by the work of the loads.", Plot: r.record.energies, Time: true},
		{ID: "gap", Caption: "Residuals of balance (E) and stability (S), on a logarithmic scale. Zero would be perfect; dots mark what rounding leaves.",
			Plot: r.residuals, Time: true},
		{ID: "timeline", Caption: "Length of the steps, and changes of contact: free, grazing, stick, slip.", Plot: r.timeline, Time: true},
	}))
}

// Overview draws the overview of a run, and maps of its elastic surfaces at the last node.
func (r *Reader) Overview(dir, title string) (warnings []string, err error) {
	if r.k == 0 {
		return nil, nil
	}
	plots := []*report.Plot{r.record.positions(), r.record.forces(), r.record.energies(), r.residuals()}
	if r.record.flesh != nil {
		plots = []*report.Plot{r.record.deformed(), r.record.states(), r.record.forces(), r.record.positions(),
			r.record.energies(), r.residuals()}
	}
	plots = slices.DeleteFunc(plots, func(p *report.Plot) bool { return p != nil && p.Nothing != "" })
	if warnings, err = report.DrawPicture(dir, "overview", title, plots...); err != nil {
		return warnings, err
	}
	more, err := drawSurfaces(dir, title, r.psi, &r.node)
	return append(warnings, more...), err
}

// positions draws the coordinates of the particles that move most.
func (r *recorder) positions() *report.Plot {
	if len(r.sample) == 1 {
		return r.onePosition()
	}
	chosen := r.choose(len(report.Palette))
	axis := r.axis(chosen)
	name := "xyz"[axis : axis+1]
	p := &report.Plot{Title: "Displacements", Y: fmt.Sprintf("%s − %s(0) [m]", name, name)}
	if len(r.ids) > len(chosen) {
		p.Title = fmt.Sprintf("Displacements (%d of %d particles)", len(chosen), len(r.ids))
	}
	for i, k := range chosen {
		c := r.of(k, axis)
		p.Line(r.Points(c.Shifted(-c.Low[0])), r.ids[r.sample[k]], report.Palette[i], report.Solid, 1.4)
	}
	return p
}

// sensors draws the columns of sensors.csv.
func (r *Reader) sensors() *report.Plot {
	if r.sensed == nil {
		return nil
	}
	return r.sensed.Busiest("Sensors", "in their units", func(string) bool { return true }, false)()
}

// onePosition draws the coordinates that change.
func (r *recorder) onePosition() *report.Plot {
	p := &report.Plot{Title: "Position of " + r.ids[0], Y: "x, y, z [m]"}
	longest, _ := r.travel(0)
	for c := posX; c <= posZ; c++ {
		if e := r.of(0, c).Extent(); c == posX || longest > 0 && e > 1e-9*longest {
			p.Line(r.Points(r.of(0, c)), "xyz"[c:c+1], report.Palette[c], report.Solid, 1.4)
		}
	}
	return p
}

// forces draws normal forces and friction with its bound.
func (r *recorder) forces() *report.Plot {
	if len(r.sample) == 1 {
		p := &report.Plot{Title: "Contact forces on " + r.ids[0], Y: "force [N]"}
		if r.psi.System.Cornered(0) {
			p.Line(r.Points(r.of(0, normal)), "normal forces, sum of all obstacles", report.Palette[0], report.Solid, 1.4)
			p.Line(r.Points(r.of(0, friction)), "friction |r|, sum of all obstacles", report.Palette[1], report.Solid, 1.6)
			p.Line(r.Points(r.of(0, bound)), "friction bounds μσ, sum", report.Black, report.Dashed, 1.1)
			return p
		}
		p.Line(r.Points(r.of(0, normal)), "normal force σ", report.Palette[0], report.Solid, 1.4)
		if r.rubs(0) {
			p.Line(r.Points(r.of(0, friction)), "friction |r|", report.Palette[1], report.Solid, 1.6)
			p.Line(r.Points(r.of(0, bound)), "friction bound μσ", report.Black, report.Dashed, 1.1)
		}
		return p
	}
	pressed := func(k int) bool { _, high := r.of(k, normal).Extremes(); return high > 0 }
	chosen := r.chooseOf(3, pressed)
	p := &report.Plot{Title: "Contact forces", Y: "force [N]"}
	if !slices.ContainsFunc(chosen, pressed) {
		p.Nothing = "no contact presses; forces of what is tied are not drawn"
		return p
	}
	if !slices.ContainsFunc(chosen, r.rubs) {
		for i, k := range chosen {
			p.Line(r.Points(r.of(k, normal)), "normal force on "+r.ids[r.sample[k]], report.Palette[i], report.Solid, 1.4)
		}
		return p
	}
	for i, k := range chosen {
		p.Line(r.Points(r.of(k, normal)), "", report.Palette[i], report.Dotted, 1.2)
		p.Line(r.Points(r.of(k, bound)), "", report.Palette[i], report.Dashed, 1)
		p.Line(r.Points(r.of(k, friction)), "friction |r| on "+r.ids[r.sample[k]], report.Palette[i], report.Solid, 1.5)
	}
	p.Samples = []report.Line{{Name: "friction bounds μσ", Dash: report.Dashed}, {Name: "normal forces σ", Dash: report.Dotted}}
	return p
}

// rubs reports whether the particle of a place of the sample has a contact with friction.
func (r *recorder) rubs(k int) bool {
	j := r.sample[k]
	return slices.ContainsFunc(slices.Concat([]int{j}, r.psi.System.Beside(j)), func(c int) bool { return r.psi.Matrices[c] != nil })
}

func (r *recorder) energies() *report.Plot {
	p := &report.Plot{Title: "Energies", Y: "energy [J]"}
	stored := &r.Channels[energy]
	p.Line(r.Points(stored.Shifted(-stored.Low[0])), "stored, E(t) − E(0)", report.Palette[0], report.Solid, 1.4)
	if slices.ContainsFunc(r.psi.Matrices, func(m dissipation.Matrix) bool { return m != nil }) {
		p.Line(r.Points(&r.Channels[dissipated]), "dissipated", report.Palette[1], report.Solid, 1.4)
	}
	if r.psi.System.Remembers() {
		p.Line(r.Points(&r.Channels[len(r.row)-1]), "dissipated by yielding", report.Palette[3], report.Solid, 1.4)
	}
	p.Line(r.Points(&r.Channels[work]), "work of the loads", report.Palette[2], report.Dashed, 1.4)
	return p
}

// leader is the contact with friction whose particle moves most, that with the most friction
// where none moves; −1 if none has friction.
func (r *Reader) leader() int {
	best, longest, most := -1, 0.0, 0.0
	for k, j := range r.record.sample {
		if _, high := r.record.of(k, bound).Extremes(); !(high > 0) {
			continue
		}
		way, _ := r.record.travel(k)
		_, size := r.record.of(k, friction).Extremes()
		if best < 0 || way > longest || way == longest && size > most {
			best, longest, most = j, way, size
		}
	}
	if best >= 0 && r.scene.System.Cornered(best) {
		return r.busiest(best)
	}
	return best
}

// busiest is the contact of a particle with the most friction.
func (r *Reader) busiest(j int) int {
	best, most := j, -1.0
	for _, c := range append([]int{j}, r.scene.System.Beside(j)...) {
		for _, x := range r.touches(c) {
			if size := x.size(); size > most {
				best, most = c, size
			}
		}
	}
	return best
}

// touches reads a contact at all frames.
func (r *Reader) touches(c int) (list []touch) {
	z := make([]float64, 3*len(r.scene.IDs))
	for _, f := range r.film.frames() {
		f.local(z)
		list = append(list, r.touch(f, z, c))
	}
	return list
}

// contactName is that of a contact.
func (r *Reader) contactName(c int) string {
	if k, several := r.column[c]; several {
		return r.scene.Contacts[k].ID
	}
	return r.scene.IDs[r.scene.System.ContactParticle(c)]
}

// across is the part of friction along one of the tangents that counts as none where it acts
// along the other [-].
const across = 1e-6

// cone draws friction within the most that there can be: signed, between ±bound, where it acts
// along one tangent, else its size.
func (r *Reader) cone() *report.Plot {
	c := r.leader()
	if c < 0 {
		return nil
	}
	list, frames := r.touches(c), r.film.frames()
	axis, one := tangent(list)
	name := "friction |r|"
	if one {
		name = "friction along " + tangents[axis]
	}
	var upper, lower, force []report.Point
	for k := range list {
		x, t := &list[k], frames[k].T
		v, low := x.size(), 0.0
		if one {
			v, low = x.friction[axis], -x.bound
		}
		upper, lower = append(upper, report.Point{X: t, Y: x.bound}), append(lower, report.Point{X: t, Y: low})
		force = append(force, report.Point{X: t, Y: v})
	}
	outline := slices.Clone(lower)
	slices.Reverse(outline)
	p := &report.Plot{Title: "Friction cone of " + r.contactName(c), Y: "force [N]",
		Areas: []report.Area{{Rings: [][]report.Point{slices.Concat(upper, outline)}, Color: report.Band}}}
	p.Line(upper, "most it can bear, μσ", report.Black, report.Dashed, 1)
	if one {
		p.Line(lower, "", report.Black, report.Dashed, 1)
	}
	p.Line(force, name, report.Palette[1], report.Solid, 1.6)
	return p
}

// tangents name them: t is the time.
var tangents = [2]string{"the first tangent", "the second tangent"}

// tangent is that along which friction acts most; one says that it acts along that alone.
func tangent(list []touch) (axis int, one bool) {
	var most [2]float64
	for i := range list {
		for c, v := range list[i].friction {
			most[c] = max(most[c], math.Abs(v))
		}
	}
	if most[1] > most[0] {
		axis = 1
	}
	return axis, most[1-axis] <= across*most[axis]
}

// loop draws friction against the way along it: a length along the obstacle, so that the area is
// the energy, whatever the coordinates.
func (r *Reader) loop() *report.Plot {
	j := r.leader()
	if j < 0 || r.scene.System.Cornered(r.scene.System.ContactParticle(j)) {
		return nil
	}
	list, frames := r.touches(j), r.film.frames()
	axis, _ := tangent(list)
	z, before := make([]float64, 3*len(r.scene.IDs)), [2]float64{}
	var path []report.Point
	way := 0.0
	for i, f := range frames {
		f.local(z)
		if i > 0 {
			du, dv, root := z[3*j]-before[0], z[3*j+1]-before[1], &list[i].root
			way += [2]float64{root[0]*du + root[1]*dv, root[3] * dv}[axis]
		}
		before = [2]float64(z[3*j:])
		path = append(path, report.Point{X: way, Y: list[i].friction[axis]})
	}
	p := &report.Plot{Title: "Hysteresis of " + r.record.ids[j], X: "way along " + tangents[axis] + " [m]",
		Y: "friction on the particle [N]"}
	p.Line(path, "", report.Palette[0], report.Solid, 1.4)
	p.Marks = []report.Marks{{Name: "start", Points: path[:1], Color: report.Palette[2], Glyph: report.Circle, Size: 3.5},
		{Name: "end", Points: path[len(path)-1:], Color: report.Palette[1], Glyph: report.Square, Size: 3.5}}
	return p
}

// residuals draws what is wrong with balance and stability, by their logarithms.
func (r *Reader) residuals() *report.Plot {
	c := &r.record.Series
	return c.LogPlot("Balance and stability: 0 would be perfect", "residual [J]", r.node.EnergyScale*report.Roundoff, "rounding",
		[]*report.Range{&c.Channels[balance], &c.Channels[gap]}, []string{"energy balance (E)", "stability gap (S)"})
}

// timeline draws the length of the steps and a mark for each change of contact.
func (r *Reader) timeline() *report.Plot {
	if len(r.steps.Spans) == 0 {
		return nil
	}
	p := &report.Plot{Title: "Steps and events", Y: "length of step [s]", FromZero: true}
	p.Line(r.steps.Points(&r.steps.Channels[stepLength]), "length of the steps", report.Palette[0], report.Solid, 1.4)
	var marks []report.Point
	for k, s := range r.steps.Spans {
		if r.steps.Channels[changes].High[k] > 0 {
			marks = append(marks, report.Point{X: s.From})
		}
	}
	if len(marks) > 0 {
		p.Marks = []report.Marks{{Name: "changes of contact", Points: marks, Color: report.Palette[1], Glyph: report.Triangle, Size: 3.2}}
	}
	return p
}

// profiles is the number of times at which forces along a surface are drawn.
const profiles = 5

// along draws the normal forces of the contact nodes of plane bodies at some times, over
// their places at the start, along x or z, whichever tells more of them apart.
func (r *Reader) along() *report.Plot {
	frames := r.film.frames()
	if r.record.flesh == nil || len(frames) < 2 {
		return nil
	}
	var nodes []int
	first := frames[0].X
	for _, j := range r.shown[:r.marked] {
		if r.scene.System.Constrained(j) && math.Abs(first[3*j+1]-first[3*r.shown[0]+1]) <= 1e-9 {
			nodes = append(nodes, j)
		}
	}
	if len(nodes) < 3 || len(nodes) < r.touching() {
		return nil // not a plane body
	}
	place := func(j int) float64 { return first[3*j] }
	extent := func(c int) float64 {
		at := func(a, b int) int { return cmp.Compare(first[3*a+c], first[3*b+c]) }
		return first[3*slices.MaxFunc(nodes, at)+c] - first[3*slices.MinFunc(nodes, at)+c]
	}
	p := &report.Plot{Title: "Normal forces along the surface", X: "x at the start [m]", Y: "force of a node [N]"}
	if extent(2) > extent(0) {
		place, p.X = func(j int) float64 { return first[3*j+2] }, "z at the start [m]"
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	last := -1
	for i := range profiles {
		k := (i + 1) * (len(frames) - 1) / profiles
		if k == last {
			continue
		}
		last = k
		var points []report.Point
		for _, j := range nodes {
			points = append(points, report.Point{X: place(j), Y: frames[k].Force[3*j]})
		}
		p.Line(points, fmt.Sprintf("t = %.3g s", frames[k].T), report.Palette[i], report.Solid, 1.4)
	}
	return p
}

// touching returns the number of particles shown that may touch.
func (r *Reader) touching() int {
	n := 0
	for _, j := range r.shown[:r.marked] {
		if r.scene.System.Constrained(j) {
			n++
		}
	}
	return n
}
