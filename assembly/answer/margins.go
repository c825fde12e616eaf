package answer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/internal/crew"
)

const degrees = 180 / math.Pi

// margins finds those that are wished for: with --margins a load factor of live loads, tilt and
// friction; the tilt in a direction; ranges of reactions. What falls has a load factor only. What cannot be asked
// is a note.
func (q *Question) margins(ctx context.Context, a *assembly.Assembly, out *Answer) error {
	out.Margins = map[string]Margin{}
	type one struct {
		name string
		find func() (Margin, error)
	}
	var all []one
	if q.Margins {
		if slices.ContainsFunc(a.Loads, func(l assembly.Load) bool { return l.Live }) {
			all = append(all, one{"load factor", func() (Margin, error) { return q.loadFactor(ctx, a) }})
		}
	}
	falls := out.Verdict == assembly.Falls
	if q.Margins && !falls {
		all = append(all, one{"least tilt", func() (Margin, error) { return q.leastTilt(ctx, a) }},
			one{"least friction", func() (Margin, error) {
				f, err := assembly.LeastFriction(ctx, a, 1e-7, q.Limit)
				if err != nil {
					return Margin{}, err
				}
				m := Margin{Upper: Bound(f.Upper), Lower: Bound(f.Lower), Unit: "times the friction given"}
				m.By = q.by(&m, f.Upper, a, f.Gradient, 1, q.numbers, nil)
				return m, nil
			}})
	}
	if q.Tilt != "" && !falls {
		all = append(all, one{"tilt towards " + q.Tilt, func() (Margin, error) { return q.tiltTowards(ctx, a) }})
	}
	for _, wish := range q.Reactions {
		if falls {
			break
		}
		if _, _, err := place(a, wish); err != nil { // it was taken away before
			if !q.Built && !q.History {
				out.Notes = append(out.Notes, "reaction on "+wish+
					": its block is not there after the last stage; --built and --history say it of each")
			}
			continue
		}
		all = append(all, one{"reaction on " + wish, func() (Margin, error) { return q.reaction(ctx, a, wish) }})
	}
	for _, l := range q.limits {
		all = append(all, one{l.word() + " value of " + l.key, func() (Margin, error) { return l.find(ctx) }})
	}
	type found struct {
		Margin
		err error
	}
	each := make([]found, len(all))
	err := crew.Each(ctx, runtime.GOMAXPROCS(0), crew.Down(len(all)), func(_ context.Context, i int) (found, error) {
		m, err := all[i].find()
		return found{m, err}, nil
	}, func(i int, f found) error {
		each[i] = f
		return nil
	})
	if err != nil {
		return err
	}
	for i, f := range each {
		if f.err != nil {
			out.Notes = append(out.Notes, all[i].name+": "+f.err.Error())
			continue
		}
		out.Margins[all[i].name] = f.Margin
	}
	return nil
}

func (q *Question) loadFactor(ctx context.Context, a *assembly.Assembly) (Margin, error) {
	m, err := assembly.LoadFactor(ctx, a, q.Limit)
	if err != nil {
		return Margin{}, err
	}
	out := Margin{Upper: Bound(m.Value), Lower: Bound(m.Lower), Unit: "times the live loads"}
	switch {
	case m.Unbounded:
		out.Note = "no live load is too large"
	case m.Exact():
		out.Note = "exact"
	case m.Proof.Exact:
		out.Note = "the upper bound is proven exactly"
	}
	if m.History > m.Lower {
		out.History = m.History
		out.note(fmt.Sprintf("%.6g is held by a history of loads that grow, with joints that give a little", m.History))
	}
	if m.Least > 0 {
		out.note(fmt.Sprintf("below %.8g times them it falls, too", m.Least))
	}
	out.By = q.by(&out, m.Value, a, m.Gradient, 1, q.numbers, func(a *assembly.Assembly) (float64, error) {
		m, err := assembly.LoadFactor(ctx, a, 0)
		if err != nil {
			return 0, err
		}
		return m.Value, nil
	})
	return out, nil
}

func (q *Question) leastTilt(ctx context.Context, a *assembly.Assembly) (Margin, error) {
	t, err := assembly.LeastTilt(ctx, a, q.Limit)
	if err != nil {
		return Margin{}, err
	}
	out := Margin{Upper: Bound(t.Angle * degrees), Lower: Bound(t.Lower * degrees), Unit: "degrees",
		Note: "the steepest that is looked at: no tilt is too much"}
	if t.Angle < 1.56 { // 89.4°, where the search ends
		out.Note = fmt.Sprintf("towards %.3f, %.3f, %.3f; from below: forces that balance", t.Direction[0], t.Direction[1], t.Direction[2])
	}
	out.By = q.by(&out, t.Angle*degrees, a, t.Gradient, degrees, q.numbers, tiltOf(ctx, t.Direction))
	return out, nil
}

func (q *Question) tiltTowards(ctx context.Context, a *assembly.Assembly) (Margin, error) {
	direction, err := vector(q.Tilt)
	if err != nil {
		return Margin{}, err
	}
	t, err := assembly.TiltTowards(ctx, a, direction)
	if err != nil {
		return Margin{}, err
	}
	out := Margin{Upper: Bound(t.Angle * degrees), Lower: Bound(t.Lower * degrees), Unit: "degrees"}
	if t.Gradient == nil {
		out.Note = "no tilt is too much"
	}
	out.By = q.by(&out, t.Angle*degrees, a, t.Gradient, degrees, q.numbers, tiltOf(ctx, t.Direction))
	return out, nil
}

// tiltOf finds the tilt [degrees] towards a direction; that of the least tilt turns with what changes it, which is of second order.
func tiltOf(ctx context.Context, direction [3]float64) func(*assembly.Assembly) (float64, error) {
	return func(a *assembly.Assembly) (float64, error) {
		t, err := assembly.TiltTowards(ctx, a, direction)
		if err != nil {
			return 0, err
		}
		return t.Angle * degrees, nil
	}
}

// vector reads a direction x,y,z.
func vector(text string) (v [3]float64, err error) {
	if v, err = vectorOf(text); err != nil {
		return v, fmt.Errorf("tilt %q: %w", text, err)
	}
	if v == ([3]float64{}) {
		return v, fmt.Errorf("tilt %q: want a direction that is not zero", text)
	}
	return v, nil
}

// vectorOf reads x,y,z.
func vectorOf(text string) (v [3]float64, err error) {
	parts := strings.Split(text, ",")
	for i := range v {
		if len(parts) != 3 {
			return v, fmt.Errorf("want x,y,z")
		}
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64); err != nil || math.IsNaN(v[i]) || math.Abs(v[i]) > 1e9 {
			return v, fmt.Errorf("want three numbers within 1e9")
		}
	}
	return v, nil
}

// place reads BLOCK:AXIS.
func place(a *assembly.Assembly, wish string) (block int, axis [3]float64, err error) {
	at := strings.LastIndex(wish, ":")
	k := -1
	if at >= 0 && len(wish) == at+2 {
		k = strings.IndexByte("xyz", wish[at+1])
	}
	if k < 0 {
		return 0, axis, fmt.Errorf("%q: want BLOCK:AXIS, as left:x", wish)
	}
	axis[k] = 1
	block = slices.IndexFunc(a.Blocks, func(b assembly.Block) bool { return b.Name == wish[:at] })
	if block < 0 {
		return 0, axis, fmt.Errorf("%q: there is no block %q", wish, wish[:at])
	}
	return block, axis, nil
}

func (q *Question) reaction(ctx context.Context, a *assembly.Assembly, wish string) (Margin, error) {
	block, axis, err := place(a, wish)
	if err != nil {
		return Margin{}, err
	}
	r, err := assembly.ReactionRange(ctx, a, block, axis)
	if err != nil {
		return Margin{}, err
	}
	least, most := r.Least, r.Most
	out := Margin{Lower: Bound(least), Upper: Bound(most), Unit: "N", Note: "of its interfaces together"}
	if math.IsInf(least, 0) || math.IsInf(most, 0) {
		out.Note += "; self-stress makes it as large as one likes"
	}
	end := func(of func(*assembly.Range) float64) func(*assembly.Assembly) (float64, error) {
		return func(a *assembly.Assembly) (float64, error) {
			r, err := assembly.ReactionRange(ctx, a, block, axis)
			if err != nil {
				return 0, err
			}
			return of(r), nil
		}
	}
	size := 0.
	for _, x := range []float64{least, most} {
		if !math.IsInf(x, 0) {
			size = max(size, math.Abs(x))
		}
	}
	out.LowerBy = q.by(&out, size, a, r.AtLeast, 1, q.numbers, end(func(r *assembly.Range) float64 { return r.Least }))
	out.By = q.by(&out, size, a, r.AtMost, 1, q.numbers, end(func(r *assembly.Range) float64 { return r.Most }))
	return out, nil
}

// A number of the file by which margins are to have a derivative, and the assemblies of a little less and more of it.
type number struct {
	key        string
	step       float64
	less, more *assembly.Assembly
}

// newNumber changes it, in the file or a text in its place, by a share of 1e-5: the square is the error of the derivative, 1e-11 that of rounding.
func (q *Question) newNumber(key string, text []byte) (*number, error) {
	l := &limit{q: q, key: key, text: text}
	if err := l.read(); err != nil {
		return nil, fmt.Errorf("by %q: %w", key, err)
	}
	n := &number{key: key, step: 1e-5 * math.Abs(l.value)}
	if n.step == 0 {
		n.step = 1e-5
	}
	less, more := l.at(l.value-n.step), l.at(l.value+n.step)
	if err := cmp.Or(less.refused, more.refused); err != nil {
		return nil, fmt.Errorf("by %q: at %.10g or %.10g: %w", key, l.value-n.step, l.value+n.step, err)
	}
	n.less, n.more = less.assembly, more.assembly
	return n, nil
}

// by are the derivatives of a margin by their names, those of some numbers of the file, too; those of interfaces of the
// same blocks are summed, what is rounding of its size left out. Of numbers the margin is found again, by which it is seen where it has
// no derivative.
func (q *Question) by(m *Margin, size float64, a *assembly.Assembly, g *assembly.Gradient, unit float64, numbers []*number,
	again func(*assembly.Assembly) (float64, error)) map[string]float64 {
	if g == nil {
		return nil
	}
	all := map[string]float64{}
	scales := map[string]float64{} // of what is varied
	put := func(key string, d, scale float64) {
		if !math.IsNaN(d) {
			all[key] += d * unit
			scales[key] = max(scales[key], scale)
		}
	}
	axes, reach := [3]string{" x", " y", " z"}, extent(a)
	for i, d := range g.Density {
		name := a.Blocks[i].Name
		put("density "+name, d, a.Blocks[i].Density)
		for e, axis := range axes {
			put("position "+name+axis, g.Position[i][e], reach)
		}
	}
	for k, d := range g.Friction {
		f := &a.Interfaces[k]
		put("friction "+a.Blocks[f.A].Name+"/"+a.Blocks[f.B].Name, d, f.Friction)
	}
	for k, l := range a.Loads {
		name := fmt.Sprintf("of load %d on %s", k, a.Blocks[l.Block].Name)
		strength := math.Sqrt(l.Force[0]*l.Force[0] + l.Force[1]*l.Force[1] + l.Force[2]*l.Force[2])
		for e, axis := range axes {
			put("force "+name+axis, g.Force[k][e], strength)
			put("point "+name+axis, g.Point[k][e], reach)
		}
	}
	maps.DeleteFunc(all, func(key string, d float64) bool { return math.Abs(d)*scales[key] <= 1e-7*math.Abs(size) }) // rounding of the programs
	for _, n := range numbers {
		if d, err := n.derivative(size, a, g, unit, again); err != nil {
			m.note(fmt.Sprintf("it has no derivative by %s: %v", n.key, err))
		} else {
			all[n.key] = d
		}
	}
	return all
}

// derivative is that of a margin of a size by a number of the file.
func (n *number) derivative(size float64, a *assembly.Assembly, g *assembly.Gradient, unit float64,
	again func(*assembly.Assembly) (float64, error)) (float64, error) {
	left, err := g.Between(n.less, a)
	right, other := g.Between(a, n.more)
	if err = cmp.Or(err, other); err != nil {
		return 0, err
	}
	left, right = left/n.step*unit, right/n.step*unit
	d, both := (left+right)/2, math.Abs(left)+math.Abs(right)
	if both*n.step < 1e-13*math.Abs(size) { // rounding, at shares of 1e-5 of the number
		left, right, d = 0, 0, 0
	}
	if math.Abs(right-left) > 1e-3*both { // a hundred times what the curvature is of
		return 0, fmt.Errorf("it is %.6g below and %.6g above", left, right)
	}
	if again != nil {
		err = n.regular(again, d, size, a)
	}
	return d, err
}

// regular compares a derivative with the differences on both sides of what it is of: where the multipliers of the margin are not unique,
// these differ.
func (n *number) regular(again func(*assembly.Assembly) (float64, error), derivative, size float64, a *assembly.Assembly) error {
	var at [3]float64
	for k, x := range []*assembly.Assembly{n.less, a, n.more} {
		var err error
		if at[k], err = again(x); err != nil {
			return err
		}
	}
	below, above := (at[1]-at[0])/n.step, (at[2]-at[1])/n.step
	// curvature, as above, and programs that are solved to 1e-10, where margins have some 1e-9 of their size
	near := 1e-2*math.Abs(derivative) + 1e-8*math.Abs(size)/n.step
	if math.Abs(below-derivative) > near || math.Abs(above-derivative) > near {
		return fmt.Errorf("it is %.4g below and %.4g above", below, above)
	}
	return nil
}

// extent is the diagonal of the box around all vertices [m].
func extent(a *assembly.Assembly) float64 {
	low, high := a.Blocks[0].Vertices[0], a.Blocks[0].Vertices[0]
	for i := range a.Blocks {
		for _, v := range a.Blocks[i].Vertices {
			for e, x := range v {
				low[e], high[e] = min(low[e], x), max(high[e], x)
			}
		}
	}
	return math.Hypot(math.Hypot(high[0]-low[0], high[1]-low[1]), high[2]-low[2])
}

func (m *Margin) note(text string) {
	if m.Note != "" {
		text = m.Note + "; " + text
	}
	m.Note = text
}

// byLength puts the names of --margins first, those of single wishes after them.
func byLength(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

func (m Margin) text(name string, asked []string) string {
	var b strings.Builder
	switch m.Unit {
	case "":
		fmt.Fprintf(&b, "  %s: between %.10g and %.10g", name, float64(m.Lower), float64(m.Upper))
	case "N":
		fmt.Fprintf(&b, "  %s: from %s to %s N", name, m.Lower, m.Upper)
	default:
		fmt.Fprintf(&b, "  %s: %s %s (from below %s)", name, m.Upper, m.Unit, m.Lower)
	}
	if m.Note != "" {
		fmt.Fprintf(&b, "; %s", m.Note)
	}
	if m.Unit != "N" {
		return b.String() + derivatives(m.By, asked) + "\n"
	}
	for _, end := range []struct {
		of string
		by map[string]float64
	}{{"least", m.LowerBy}, {"largest", m.By}} {
		if text := derivatives(end.by, asked); text != "" {
			b.WriteString("; of the " + end.of + text)
		}
	}
	return b.String() + "\n"
}

func (m *Margin) has(key string) bool {
	_, upper := m.By[key]
	_, lower := m.LowerBy[key]
	return upper || lower
}

// derivatives has the largest of each kind, and those that are asked for.
func derivatives(by map[string]float64, asked []string) string {
	var b strings.Builder
	for _, kind := range []string{"density", "friction", "position", "force", "point"} {
		most := ""
		for _, key := range slices.Sorted(maps.Keys(by)) {
			if strings.HasPrefix(key, kind+" ") && (most == "" || math.Abs(by[key]) > math.Abs(by[most])) {
				most = key
			}
		}
		if most != "" {
			fmt.Fprintf(&b, "; d/d %s %.4g", most, by[most])
		}
	}
	for _, key := range asked {
		if d, ok := by[key]; ok {
			fmt.Fprintf(&b, "; d/d %s %.8g", key, d)
		}
	}
	return b.String()
}
