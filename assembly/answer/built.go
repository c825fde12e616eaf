package answer

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
)

// Stage is one of building, with its word.
type Stage struct {
	Name    string        `json:"name"`
	Place   []string      `json:"place,omitempty"`
	Remove  []string      `json:"remove,omitempty"`
	Blocks  int           `json:"blocks"` // that are there after it
	Verdict assembly.Word `json:"verdict"`
	Reason  string        `json:"reason"`
	Exact   bool          `json:"proof_exact,omitempty"` // falls: the motion is checked in exact arithmetic
	// Reactions are the ranges of --reaction [N], of blocks that are there.
	Reactions map[string][2]Bound `json:"reactions,omitempty"`
}

// stages judges each stage of building, all within the limit.
func (q *Question) stages(ctx context.Context, a *assembly.Assembly, out *Answer) error {
	built := a.Built()
	each := q.Limit / time.Duration(max(len(built), 1))
	for _, b := range built {
		v, err := assembly.Judge(ctx, b.Assembly, &assembly.Options{Limit: each})
		if err != nil {
			return err
		}
		s := Stage{Name: b.Name, Place: b.Placed, Remove: b.Removed, Blocks: len(b.Assembly.Blocks), Verdict: v.Word, Reason: v.Reason,
			Exact: v.Fall != nil && v.Fall.Exact}
		for _, wish := range q.Reactions {
			if v.Word == assembly.Falls {
				break
			}
			m, err := q.reaction(ctx, b.Assembly, wish)
			if err != nil {
				continue // the block is not there, or nothing bounds the program: the last stage says what
			}
			if s.Reactions == nil {
				s.Reactions = map[string][2]Bound{}
			}
			s.Reactions[wish] = [2]Bound{m.Lower, m.Upper}
		}
		out.Stages = append(out.Stages, s)
	}
	return nil
}

// stageCode is the worst of the exit codes of the stages.
func (o *Answer) stageCode() int {
	code := 0
	for k := range o.Stages {
		switch c := wordCode(o.Stages[k].Verdict); {
		case c == 1:
			return 1
		case c > 0:
			code = c
		}
	}
	return code
}

// stagesSay is what stages of building, and a history, add to the word of the whole.
func (o *Answer) stagesSay() string {
	switch h := o.History; {
	case h == nil:
	case h.Falls || h.Lost && h.Certified:
		return ", but by its history it is not held"
	case !h.Certified:
		return ", and by its history: not certified"
	default:
		return ", and by its history it is held"
	}
	switch o.stageCode() {
	case 1:
		for k := range o.Stages {
			if o.Stages[k].Verdict == assembly.Falls {
				return ", but it cannot be built so"
			}
		}
		return ", but some of its stages depend on their history"
	case 4:
		return ", but some of its stages are open"
	}
	return ""
}

// stageText has a line for each stage, those of one word in sequence in one line, and what they say together.
func (o *Answer) stageText() string {
	if len(o.Stages) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("  stages of building:\n")
	for from := 0; from < len(o.Stages); {
		to := from + 1
		first := &o.Stages[from]
		for to < len(o.Stages) && len(first.Reactions) == 0 && first.Verdict == assembly.Stands && o.Stages[to].Verdict == assembly.Stands {
			to++
		}
		switch {
		case to-from > 1: // by number: names of blocks do not follow each other as the stages do
			fmt.Fprintf(&b, "    stages %d to %d of %d, %s first and %s last: %s", from+1, to, len(o.Stages),
				first.Name, o.Stages[to-1].Name, first.Verdict)
		case first.Verdict == assembly.Stands:
			fmt.Fprintf(&b, "    %s: %s", first.Name, first.Verdict)
		default:
			fmt.Fprintf(&b, "    %s: %s: %s", first.Name, first.Verdict, first.Reason)
		}
		for _, wish := range o.wishes {
			if r, ok := first.Reactions[wish]; ok {
				fmt.Fprintf(&b, "; %s from %s to %s N", wish, r[0], r[1])
			}
		}
		b.WriteString("\n")
		from = to
	}
	count := map[assembly.Word]int{}
	for k := range o.Stages {
		count[o.Stages[k].Verdict]++
	}
	switch n := len(o.Stages); {
	case count[assembly.Stands] == n:
		fmt.Fprintf(&b, "    all %d stages stand by whatever forces: what is placed, and taken away, gently in this order rests after each\n",
			n)
	case count[assembly.Falls] > 0:
		fmt.Fprintf(&b, "    it cannot be built so: it falls at %d of %d stages\n", count[assembly.Falls], n)
	default:
		fmt.Fprintf(&b, "    %d of %d stages stand; that it rests after the others is not shown\n", count[assembly.Stands], n)
	}
	return b.String()
}
