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
				lower, upper, err := assembly.LeastFriction(ctx, a, 1e-7, q.Limit)
				return Margin{Upper: upper, Lower: lower, Unit: "times the friction given"}, err
			}})
	}
	if q.Tilt != "" && !falls {
		all = append(all, one{"tilt towards " + q.Tilt, func() (Margin, error) { return q.tiltTowards(ctx, a) }})
	}
	for _, wish := range q.Reactions {
		if falls {
			break
		}
		all = append(all, one{"reaction on " + wish, func() (Margin, error) { return reaction(ctx, a, wish) }})
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
	out := Margin{Upper: m.Value, Lower: m.Lower, Unit: "times the live loads", By: by(a, m.Gradient, 1)}
	switch {
	case m.Unbounded:
		out.Upper, out.Note = math.MaxFloat64, "no live load is too large"
	case m.Exact():
		out.Note = "exact"
	case m.Proof.Exact:
		out.Note = "the upper bound is proven exactly"
	}
	return out, nil
}

func (q *Question) leastTilt(ctx context.Context, a *assembly.Assembly) (Margin, error) {
	t, err := assembly.LeastTilt(ctx, a, q.Limit)
	if err != nil {
		return Margin{}, err
	}
	out := Margin{Upper: t.Angle * degrees, Lower: t.Lower * degrees, Unit: "degrees", By: by(a, t.Gradient, degrees),
		Note: "the steepest that is looked at: no tilt is too much"}
	if t.Angle < 1.56 { // 89.4°, where the search ends
		out.Note = fmt.Sprintf("towards %.3f, %.3f, %.3f; from below: forces that balance", t.Direction[0], t.Direction[1], t.Direction[2])
	}
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
	out := Margin{Upper: t.Angle * degrees, Lower: t.Lower * degrees, Unit: "degrees", By: by(a, t.Gradient, degrees)}
	if t.Gradient == nil {
		out.Note = "no tilt is too much"
	}
	return out, nil
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

func reaction(ctx context.Context, a *assembly.Assembly, wish string) (Margin, error) {
	block, axis, err := place(a, wish)
	if err != nil {
		return Margin{}, err
	}
	least, most, err := assembly.ReactionRange(ctx, a, block, axis)
	if err != nil {
		return Margin{}, err
	}
	out := Margin{Lower: least, Upper: most, Unit: "N", Note: "of its interfaces together"}
	if math.IsInf(least, 0) {
		out.Lower = -math.MaxFloat64
	}
	if math.IsInf(most, 0) {
		out.Upper = math.MaxFloat64
	}
	if math.IsInf(least, 0) || math.IsInf(most, 0) {
		out.Note += "; self-stress makes it as large as one likes"
	}
	return out, nil
}

// by gives derivatives their names; those of interfaces of the same blocks are summed, zeros left out.
func by(a *assembly.Assembly, g *assembly.Gradient, unit float64) map[string]float64 {
	if g == nil {
		return nil
	}
	all := map[string]float64{}
	for i, d := range g.Density {
		all["density "+a.Blocks[i].Name] += d * unit
	}
	for k, d := range g.Friction {
		f := &a.Interfaces[k]
		all["friction "+a.Blocks[f.A].Name+"/"+a.Blocks[f.B].Name] += d * unit
	}
	most := 0.
	for _, d := range all {
		most = max(most, math.Abs(d))
	}
	maps.DeleteFunc(all, func(_ string, d float64) bool { return math.Abs(d) <= 1e-7*most }) // rounding of the programs
	return all
}

// byLength puts the names of --margins first, those of single wishes after them.
func byLength(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

func (m Margin) text(name string) string {
	var b strings.Builder
	bound := func(x float64) string {
		if math.Abs(x) == math.MaxFloat64 {
			return "without bound"
		}
		return fmt.Sprintf("%.8g", x)
	}
	switch m.Unit {
	case "":
		return fmt.Sprintf("  %s: between %.10g and %.10g; %s\n", name, m.Lower, m.Upper, m.Note)
	case "N":
		fmt.Fprintf(&b, "  %s: from %s to %s N", name, bound(m.Lower), bound(m.Upper))
	default:
		fmt.Fprintf(&b, "  %s: %s %s (from below %.8g)", name, bound(m.Upper), m.Unit, m.Lower)
	}
	if m.Note != "" {
		fmt.Fprintf(&b, "; %s", m.Note)
	}
	for _, kind := range []string{"density", "friction"} {
		most := ""
		for _, key := range slices.Sorted(maps.Keys(m.By)) {
			if strings.HasPrefix(key, kind) && (most == "" || math.Abs(m.By[key]) > math.Abs(m.By[most])) {
				most = key
			}
		}
		if most != "" {
			fmt.Fprintf(&b, "; d/d %s %.4g", most, m.By[most])
		}
	}
	return b.String() + "\n"
}
