package answer

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/internal/crew"
)

// History is what its stages lead to, with joints whose compliance goes to zero, see assembly.Evolve.
type History struct {
	Stages    []HistoryStage `json:"stages"` // up to the one in which it ends
	Holds     bool           `json:"holds"`
	Falls     bool           `json:"falls"` // at the last of the stages no forces balance the loads, proven exactly
	Lost      bool           `json:"lost"`  // or none that its joints lead to: all that its corners may do is ruled out
	Certified bool           `json:"certified"`
	Missed    []string       `json:"missed,omitempty"` // what is not certified
}

// HistoryStage is the state at the end of a stage. Errors are in parts of the loads.
type HistoryStage struct {
	Name    string  `json:"name"`
	Ends    string  `json:"ends,omitempty"` // why the history ends in it
	Share   float64 `json:"share"`          // of its loads, up to which states were found
	Steps   int     `json:"steps"`
	Balance float64 `json:"balance"` // what steps leave of the loads
	Law     float64 `json:"law"`     // the largest force by which a corner misses Coulomb's law
	Drift   float64 `json:"drift"`   // of supports that move: the change of a force while they go twice as far
	// Halved is twice the largest difference of a force in steps half as large; Compliance the largest by how joints give. None
	// where those end elsewhere.
	Halved     *float64         `json:"halved,omitempty"`
	Compliance *float64         `json:"compliance,omitempty"`
	Forces     map[string]Force `json:"forces,omitempty"` // of --reaction [N]
}

// Force is one of a history, with its range by how joints give: of those that were followed so far, all where Compliance of the
// stage is known.
type Force struct {
	Value float64 `json:"value"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// ways are those in which joints may give. Of bodies that touch it is 1 to 1.5 times as much along a face as across it
// [Mindlin49], of a thin layer of mortar 2 (1 + ν), up to 3.
var ways = []struct {
	assembly.Compliance
	words string
}{
	{assembly.Compliance{}, ""},
	{assembly.Compliance{Along: 3}, "joints that give 3 times as much along as across"},
	{assembly.Compliance{Alike: true}, "corners that give alike whatever their area"},
}

// history follows the stages, in steps half as large, too, and with joints that give otherwise.
func (q *Question) history(ctx context.Context, a *assembly.Assembly, out *Answer) error {
	options := []*assembly.HistoryOptions{{Steps: 32, Blockwise: q.Built}}
	for _, way := range ways {
		options = append(options, &assembly.HistoryOptions{Compliance: way.Compliance, Blockwise: q.Built})
	}
	all := make([]*assembly.History, len(options))
	for k := range all {
		all[k] = &assembly.History{}
	}
	first := slices.Values([]int{1, 0, 2, 3}) // what is told begins first: it may be stopped
	err := crew.Each(ctx, runtime.GOMAXPROCS(0), first, func(ctx context.Context, k int) (h *assembly.History, err error) {
		if q.Limit > 0 {
			options[k].Until = time.Now().Add(q.Limit)
		}
		all[k], err = assembly.Evolve(ctx, a, options[k]) // with an error, too: stages that were done
		return nil, err
	}, func(int, *assembly.History) error { return nil })
	fine, main, others := all[0], all[1], all[2:]
	stopped := ctx.Err() != nil
	if err != nil && (!stopped || len(main.Stages) == 0) {
		return err
	}
	h := &History{Holds: main.Holds}
	miss := func(format string, values ...any) { h.Missed = append(h.Missed, fmt.Sprintf(format, values...)) }
	for k := range main.Stages {
		s := &main.Stages[k]
		o := HistoryStage{Name: s.Name, Ends: s.Ends, Share: s.Share, Steps: s.Steps, Balance: s.Balance, Law: s.Law, Drift: s.Drift,
			Halved: difference(s, k, 2, fine), Compliance: difference(s, k, 1, others...)}
		for _, wish := range q.Reactions {
			o.force(wish, s, k, others)
		}
		h.Stages = append(h.Stages, o)
		switch {
		case max(o.Balance, o.Law) > 1e-9: // what rounding leaves
			miss("stage %s: balance to %.2g, Coulomb's law to %.2g of the loads, want 1e-9", s.Name, o.Balance, o.Law)
		case s.Ends == "" && o.Halved != nil && *o.Halved > .01: // the accuracy of other models
			miss("stage %s: error of the steps %.2g of the loads, want .01", s.Name, *o.Halved)
		}
	}
	out.History = h
	last := &main.Stages[len(main.Stages)-1]
	if stopped {
		miss("stopped by a signal after stage %s", last.Name)
		return nil
	}
	if !h.Holds && last.Fall == nil {
		v, err := assembly.Judge(ctx, last.Assembly, &assembly.Options{Limit: q.Limit})
		if err != nil {
			return err
		}
		if v.Word == assembly.Depends {
			h.Stages[len(h.Stages)-1].Ends += "; a motion is possible under all of them: " +
				last.Assembly.Mechanism(v.Motion).Words(last.Assembly)
		}
	}
	h.Falls = last.Fall != nil && last.Fall.Exact
	h.Lost = !h.Holds && !slices.ContainsFunc(all, func(o *assembly.History) bool { return !o.Stages[len(o.Stages)-1].Lost })
	if !h.Holds && !h.Falls && !h.Lost {
		miss("stage %s: %s", last.Name, last.Ends)
	}
	if end := ending(fine); end != ending(main) {
		miss("in steps half as large %s", end)
	}
	for k, other := range others {
		if end := ending(other); end != ending(main) {
			miss("with %s %s", ways[k+1].words, end)
		}
	}
	if low, high := ends(all[1:]); high > low {
		h.Stages[len(h.Stages)-1].Ends += fmt.Sprintf("; from %.4g to %.4g %% by how joints give", 100*low, 100*high)
	}
	h.Certified = len(h.Missed) == 0
	if h.Holds {
		out.verdict.Reactions, out.Reactions = last.Reactions, nil
		out.reactions(a, out.verdict)
	}
	return nil
}

// ending is where a history ends, in words.
func ending(h *assembly.History) string {
	if h.Holds {
		return "it is held to its end"
	}
	last := &h.Stages[len(h.Stages)-1]
	if last.Fall != nil {
		return "it falls at stage " + last.Name
	}
	return "it ends at stage " + last.Name
}

// ends are the least and the largest share of the loads of one stage in which all histories end, to the digits that are told; none where
// they do not.
func ends(all []*assembly.History) (low, high float64) {
	low = math.Inf(1)
	for _, o := range all {
		last := &o.Stages[len(o.Stages)-1]
		if len(o.Stages) != len(all[0].Stages) || last.Ends == "" || last.Fall != nil {
			return 0, 0
		}
		share := math.Round(1e5*last.Share) / 1e5
		low, high = min(low, share), max(high, share)
	}
	return low, high
}

// difference is the largest to stage k of others; nil where one does not have it whole.
func difference(s *assembly.Settled, k int, times float64, others ...*assembly.History) *float64 {
	d := 0.
	for _, o := range others {
		if k >= len(o.Stages) || s.Ends != "" || o.Stages[k].Ends != "" {
			return nil
		}
		d = max(d, times*s.Difference(&o.Stages[k]))
	}
	return &d
}

func (o *HistoryStage) force(wish string, s *assembly.Settled, k int, others []*assembly.History) {
	block, axis, err := place(s.Assembly, wish)
	if err != nil || len(s.Reactions) == 0 {
		return // it is not there, or nothing holds it
	}
	v := s.Force(block, axis)
	f := Force{v, v, v}
	for _, other := range others {
		if k < len(other.Stages) && len(other.Stages[k].Reactions) == len(s.Reactions) {
			v := other.Stages[k].Force(block, axis)
			f.Least, f.Most = min(f.Least, v), max(f.Most, v)
		}
	}
	if o.Forces == nil {
		o.Forces = map[string]Force{}
	}
	o.Forces[wish] = f
}

func (h *History) code() int {
	switch {
	case h.Holds && h.Certified:
		return 0
	case h.Falls || h.Lost && h.Certified:
		return 1
	}
	return 4
}

// text has a line for each stage in which something is asked for, or ends.
func (h *History) text(wishes []string) string {
	if h == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("  history, with joints that give a little:\n")
	for k := range h.Stages {
		s := &h.Stages[k]
		if s.Ends == "" && len(s.Forces) == 0 && k < len(h.Stages)-1 {
			continue
		}
		words := "it rests"
		if s.Ends != "" {
			words = s.Ends
		}
		fmt.Fprintf(&b, "    %s: %s", s.Name, words)
		for _, wish := range wishes {
			if f, ok := s.Forces[wish]; ok {
				fmt.Fprintf(&b, "; %s %s N", wish, Bound(f.Value))
				if s.Compliance != nil {
					fmt.Fprintf(&b, " (%s to %s by how joints give)", Bound(f.Least), Bound(f.Most))
				}
			}
		}
		b.WriteString("\n")
	}
	balance, law := 0., 0.
	var halved, compliance *float64
	for _, s := range h.Stages {
		balance, law = max(balance, s.Balance), max(law, s.Law)
		halved, compliance = larger(halved, s.Halved), larger(compliance, s.Compliance)
	}
	fmt.Fprintf(&b, "    of the loads: balance to %.1g, Coulomb's law to %.1g", balance, law)
	if halved != nil {
		fmt.Fprintf(&b, ", steps to %.1g (twice the difference of half as large ones)", *halved)
	}
	if compliance != nil {
		fmt.Fprintf(&b, ", forces of corners differ by %.2g by how joints give", *compliance)
	}
	b.WriteString("\n")
	switch {
	case h.Certified && h.Holds:
		fmt.Fprintf(&b, "    certified: by this history it holds, through %d stages\n", len(h.Stages))
	case h.Certified:
		b.WriteString("    certified: by this history it is not held\n")
	default:
		fmt.Fprintf(&b, "    NOT certified: %s\n", strings.Join(h.Missed, "; "))
	}
	return b.String()
}

// larger is the larger of two numbers that may not be known.
func larger(x, y *float64) *float64 {
	if x == nil || y != nil && *y > *x {
		return y
	}
	return x
}
