package answer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
)

// Reserve is how far an interface is from giving way, in the best state that balances the loads, see assembly.Reserve.
type Reserve struct {
	Blocks [2]string  `json:"blocks"`
	Point  [3]float64 `json:"point"`         // m: its middle
	Pull   Bound      `json:"pull"`          // N along the normal
	Use    *float64   `json:"use,omitempty"` // none: no state has a force there
	// By are derivatives of pull by numbers of the file that are asked for.
	By   map[string]float64 `json:"by,omitempty"`
	Note string             `json:"note,omitempty"`
}

// reserve finds those of the interfaces of free blocks, the most used first.
func (q *Question) reserve(ctx context.Context, a *assembly.Assembly, out *Answer) error {
	all, err := assembly.Reserves(ctx, a, q.Limit)
	if err != nil {
		return err
	}
	out.reserves = all
	unknown := 0
	for k, r := range all {
		f := &a.Interfaces[k]
		switch {
		case !r.Known:
			unknown++
			continue
		case a.Blocks[f.A].Support && a.Blocks[f.B].Support:
			continue
		}
		one := Reserve{Blocks: [2]string{a.Blocks[f.A].Name, a.Blocks[f.B].Name}, Point: f.Middle(a.Plane), Pull: Bound(r.Pull)}
		if !math.IsNaN(r.Use) {
			one.Use = &r.Use
		}
		q.byPull(ctx, a, k, &one, r.Gradient)
		out.Reserves = append(out.Reserves, one)
	}
	slices.SortStableFunc(out.Reserves, func(x, y Reserve) int { return cmp.Compare(y.used(), x.used()) })
	if unknown > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("reserves: those of %d interfaces are not found within --limit", unknown))
	}
	return nil
}

// byPull sets the derivatives of the pull by the numbers that are asked for.
func (q *Question) byPull(ctx context.Context, a *assembly.Assembly, k int, one *Reserve, g *assembly.Gradient) {
	if g == nil || len(q.numbers) == 0 {
		return
	}
	var m Margin
	all := q.by(&m, float64(one.Pull), a, g, 1, q.numbers, func(a *assembly.Assembly) (float64, error) {
		r, err := assembly.ReserveOf(ctx, a, k)
		if err == nil && !r.Known {
			err = fmt.Errorf("it is not found")
		}
		return r.Pull, err
	})
	one.By, one.Note = map[string]float64{}, m.Note
	for _, n := range q.numbers {
		if d, ok := all[n.key]; ok {
			one.By[n.key] = d
		}
	}
}

func (r *Reserve) used() float64 {
	if r.Use == nil {
		return -1
	}
	return *r.Use
}

// UseText is its use in words.
func (r Reserve) UseText() string {
	if r.Use == nil {
		return "carries no force"
	}
	return fmt.Sprintf("%.6f", *r.Use)
}

// PullText is its pull in words.
func (r Reserve) PullText() string {
	if math.IsInf(float64(r.Pull), 0) {
		return "any pull"
	}
	return fmt.Sprintf("%.6g N", float64(r.Pull))
}

// reserveText has the interfaces that are used most.
func (o *Answer) reserveText() string {
	var b strings.Builder
	if len(o.Reserves) > 0 {
		b.WriteString("  interfaces by how far they are from giving way, each in the best state for it: use, pull that it holds\n")
	}
	for k, r := range o.Reserves {
		if k == 12 { // a screen, with the rest of the answer
			fmt.Fprintf(&b, "    and %d more (--json, --csv)\n", len(o.Reserves)-k)
			break
		}
		fmt.Fprintf(&b, "    %s-%s: %s, %s%s", r.Blocks[0], r.Blocks[1], r.UseText(), r.PullText(), derivatives(r.By, o.asked))
		if r.Note != "" {
			b.WriteString("; " + r.Note)
		}
		b.WriteString("\n")
	}
	return b.String()
}
