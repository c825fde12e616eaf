package answer

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
)

// Path is what happens while a support is moved slowly.
type Path struct {
	Block     string  `json:"block"`
	Axis      string  `json:"axis"`
	Steps     []State `json:"steps"`
	Collapsed bool    `json:"collapsed"`      // at the last of the steps
	Ends      string  `json:"ends,omitempty"` // why it ends at the last of the steps else
}

// State is one in balance on the way.
type State struct {
	Distance float64     `json:"distance"` // m
	Force    float64     `json:"force"`    // N on the support along the axis
	Turn     [][2]string `json:"turn"`     // blocks of interfaces that carry and turn
	Slide    [][2]string `json:"slide"`
	Gap      float64     `json:"gap"`  // m: largest distance of corners that carry
	Lift     float64     `json:"lift"` // m: of corners that slide, μ times their slip in a step
}

// motion reads BLOCK:AXIS=METRES.
func motion(a *assembly.Assembly, wish string) (block int, axis [3]float64, metres float64, err error) {
	where, number, _ := strings.Cut(wish, "=")
	metres, err = strconv.ParseFloat(number, 64)
	if err != nil || !(math.Abs(metres) > 0) || math.Abs(metres) > 1e6 {
		return 0, axis, 0, fmt.Errorf("move %q: want BLOCK:AXIS=METRES, as right:x=0.1", wish)
	}
	if block, axis, err = place(a, where); err != nil {
		return 0, axis, 0, fmt.Errorf("move %q: %w", wish, err)
	}
	switch {
	case !a.Blocks[block].Support:
		return 0, axis, 0, fmt.Errorf("move %q: block %s is no support", wish, a.Blocks[block].Name)
	case a.Plane && axis[1] != 0:
		return 0, axis, 0, fmt.Errorf("move %q: the assembly is in the plane of x and z", wish)
	}
	return block, axis, metres, nil
}

func (q *Question) path(ctx context.Context, a *assembly.Assembly, out *Answer) error {
	block, axis, metres, err := motion(a, q.Move)
	if err != nil {
		return err
	}
	way := [3]float64{axis[0] * metres, axis[1] * metres, axis[2] * metres}
	p, err := assembly.Displace(ctx, a, block, way, nil)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		out.Notes = append(out.Notes, "move "+q.Move+": "+err.Error())
		return nil
	}
	sign := math.Copysign(1, metres)
	at := strings.LastIndex(q.Move, ":")
	out.Path = &Path{Block: a.Blocks[block].Name, Axis: q.Move[at+1 : at+2], Collapsed: p.Collapsed, Ends: p.Ends}
	names := func(faces []int) [][2]string {
		list := [][2]string{}
		for _, k := range faces {
			f := &a.Interfaces[k]
			list = append(list, [2]string{a.Blocks[f.A].Name, a.Blocks[f.B].Name})
		}
		return list
	}
	for _, s := range p.Steps {
		out.Path.Steps = append(out.Path.Steps, State{sign * s.Distance, sign * s.Force, names(s.Hinges), names(s.Slides), s.Gap, s.Dilation})
	}
	return nil
}

func (p *Path) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s moved along %s: force on it along %s, interfaces that turn or slide\n", p.Block, p.Axis, p.Axis)
	lift := 0.
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "    %.6g m: %.6g N%s%s\n", s.Distance, s.Force, interfaces("turn", s.Turn), interfaces("slide", s.Slide))
		lift = max(lift, s.Lift)
	}
	switch {
	case len(p.Steps) == 0:
		b.WriteString("    no step keeps a balance\n")
	case p.Ends != "":
		fmt.Fprintf(&b, "    it is not followed beyond: %s\n", p.Ends)
	case p.Collapsed:
		fmt.Fprintf(&b, "    it collapses at %.6g m: no step beyond keeps a balance\n", p.Steps[len(p.Steps)-1].Distance)
	}
	if lift > 1e-9 {
		fmt.Fprintf(&b, "    what slides is lifted by up to %.2g m in a step, and set down in the next\n", lift)
	}
	return b.String()
}

// interfaces lists up to six.
func interfaces(doing string, of [][2]string) string {
	const most = 6
	var list []string
	for _, f := range of {
		if len(list) == most {
			list = append(list, fmt.Sprintf("%d more", len(of)-most))
			break
		}
		list = append(list, f[0]+"-"+f[1])
	}
	if len(list) == 0 {
		return ""
	}
	return "; " + strings.Join(list, ", ") + " " + doing
}
