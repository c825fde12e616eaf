// Command ablation measures what each line of contact's plan ("auto") is worth: it solves a
// collection of problems by the whole plan, then leaves out one line at a time where that line was
// reached, and last takes lines away for good, the cheapest first, as long as enough problems stay
// solved in little more time.
//
//	go run ./benchmarks/ablation [-sizes 12,60,200] [-seeds 2] [-small 2000] [-others DIR] [-scenes DIR] [-limit 4s] [-solved .99] [-time 1.15]
//
// The problems are those of internal/families, small random degenerate ones in the plane and in
// space, files of others, and those that rigid scenes give to the whole plan, which warm starts did
// not solve. A problem counts as solved if the certified verdict says so within the limit, of
// processor time. Times are ratios of processor time to that of the whole plan in the same run, of
// the problems that the sweeps before the plan do not end.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/ablation"
	"github.com/quasistatic/quasistatic/internal/processor"
)

var (
	sizes  = flag.String("sizes", "12,60,200", "contacts asked for of the members of families")
	seeds  = flag.Int("seeds", 2, "members of a family and size")
	small  = flag.Int("small", 2000, "small random problems")
	others = flag.String("others", "../shared/problems", "folder of the problems of others")
	scenes = flag.String("scenes", "cases", "folders of cases, whose rigid ones are run, with commas between")
	steps  = flag.Int("steps", 300, "steps of a scene at most")
	limit  = flag.Duration("limit", 4*time.Second, "processor time of a solve")
	keep   = flag.Float64("solved", .99, "share of the solved that must stay so")
	slower = flag.Float64("time", 1.15, "geometric mean of the times at most")
	store  = flag.String("store", "", "folder for the problems of scenes: read if there, else written")
	times  = flag.String("times", "", "file of times: written, or if it is there, of another build, compared with")
	plans  = flag.String("plans", "", "lines of plans to compare with the whole one, with commas between and semicolons between plans; leaves out the table of lines")
)

// problem is one of the collection, with what the whole plan makes of it.
type problem struct {
	name  string
	group string
	p     *contact.Local
	base  outcome
}

// outcome of one solve.
type outcome struct {
	solved  bool
	seconds float64 // of processor time
	reached []int   // lines of the plan
	last    int     // the line that ended it; -1: the sweeps before the plan
}

func main() {
	flag.Parse()
	list := collect()
	for i := range list {
		list[i].base = solve(list[i].p, nil)
	}
	groups(list)
	if *times != "" {
		against(list)
		return
	}
	if *plans != "" {
		for _, text := range strings.Split(*plans, ";") {
			compare(list, text)
		}
		return
	}
	lines := worth(list)
	reduce(list, lines)
}

// solve tries the plan without the lines that are out. The first solve of a pattern orders it and
// lays out memory: that is part of the time, as for who solves a problem once.
func solve(p *contact.Local, out map[int]bool) (o outcome) {
	o.last = -1
	ablation.Line = func(k int) bool {
		if out[k] {
			return false
		}
		o.reached, o.last = append(o.reached, k), k
		return true
	}
	defer func() { ablation.Line = nil }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begin := processor.Time() // with what other goroutines take: the collector of garbage
	done := make(chan struct{})
	go func() { // the limit is of processor time: the machine may be busy
		defer close(done)
		for ctx.Err() == nil && processor.Time()-begin < *limit {
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
		cancel()
	}()
	err := contact.SolveLocal(ctx, p, &contact.Options{NoCertificate: true}, nil, nil)
	o.seconds = max((processor.Time() - begin).Seconds(), 1e-6)
	cancel()
	<-done
	o.solved = err == nil
	return o
}

// groups prints how many of each group the whole plan solves, and in what time.
func groups(list []problem) {
	type sum struct {
		n, solved int
		seconds   float64
		ended     map[int]int // line → problems that it solved
	}
	all := map[string]*sum{}
	var names []string
	for i := range list {
		x := &list[i]
		if all[x.group] == nil {
			all[x.group], names = &sum{ended: map[int]int{}}, append(names, x.group)
		}
		g := all[x.group]
		g.n++
		g.seconds += x.base.seconds
		if x.base.solved {
			g.solved++
			g.ended[x.base.last]++
		}
	}
	fmt.Println("| problems | number | solved | seconds | ended by line (-1: before the plan) |\n|---|---|---|---|---|")
	for _, name := range names {
		g := all[name]
		fmt.Printf("| %s | %d | %d | %.2f | %v |\n", name, g.n, g.solved, g.seconds, g.ended)
	}
}

// compare prints, a group a line, what a plan of some lines solves and takes.
func compare(list []problem, text string) {
	in := map[int]bool{}
	for _, word := range strings.Split(text, ",") {
		k, err := strconv.Atoi(word)
		if err != nil {
			log.Fatalf("-plans: %v", err)
		}
		in[k] = true
	}
	out := map[int]bool{}
	for k := range 100 {
		out[k] = !in[k]
	}
	type sum struct {
		n, before, now, both int
		logs, least, most    float64
		lost                 []string
	}
	all := map[string]*sum{}
	var names []string
	for i := range list {
		x := &list[i]
		if len(x.base.reached) == 0 {
			continue
		}
		for _, name := range []string{x.group, "all"} {
			if all[name] == nil {
				all[name], names = new(sum), append(names, name)
			}
		}
		o := solve(x.p, out)
		for _, name := range []string{x.group, "all"} {
			if name == "all" && x.group == "small" {
				continue
			}
			g := all[name]
			g.n++
			if x.base.solved {
				g.before++
			}
			switch {
			case o.solved:
				g.now++
			case x.base.solved:
				g.lost = append(g.lost, x.name)
			}
			if o.solved && x.base.solved {
				g.logs, g.both = g.logs+math.Log(o.seconds/x.base.seconds), g.both+1
				g.least, g.most = g.least+x.base.seconds, g.most+o.seconds
			}
		}
	}
	fmt.Printf("\nplan of lines %s\n\n| problems | in the plan | solved | before | geometric mean of times | sum of times, s | before | lost |\n|---|---|---|---|---|---|---|---|\n", text)
	for _, name := range names {
		g := all[name]
		fmt.Printf("| %s | %d | %d | %d | %.3f | %.2f | %.2f | %v |\n", name, g.n, g.now, g.before, math.Exp(g.logs/float64(max(g.both, 1))), g.most, g.least, g.lost)
	}
}

// line is a line of the plan and what is known of it.
type line struct {
	k                    int
	reached, ended, lost int
	ratio                float64 // geometric mean of times without it to those with it, where it was reached
}

// worth leaves out one line at a time.
func worth(list []problem) []line {
	most := -1
	for i := range list {
		for _, k := range list[i].base.reached {
			most = max(most, k)
		}
	}
	lines := make([]line, most+1)
	fmt.Println("\n| line | reached | ended there | lost without | time without |\n|---|---|---|---|---|")
	for k := range lines {
		l := &lines[k]
		l.k = k
		logs, n := 0., 0
		for i := range list {
			x := &list[i]
			if !slices.Contains(x.base.reached, k) {
				continue
			}
			l.reached++
			if x.base.solved && x.base.last == k {
				l.ended++
			}
			if !x.base.solved {
				continue
			}
			o := solve(x.p, map[int]bool{k: true})
			if !o.solved {
				l.lost++
				continue
			}
			logs, n = logs+math.Log(o.seconds/x.base.seconds), n+1
		}
		l.ratio = math.Exp(logs / float64(max(n, 1)))
		fmt.Printf("| %d | %d | %d | %d | %.2f |\n", k, l.reached, l.ended, l.lost, l.ratio)
	}
	return lines
}

// reduce takes lines away for good, those first that lose least, and keeps what the limits justify.
func reduce(list []problem, lines []line) {
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.lost, b.lost), cmp.Compare(a.ratio, b.ratio))
	})
	now := make([]outcome, len(list))
	solved := 0
	for i := range list {
		if now[i] = list[i].base; now[i].solved {
			solved++
		}
	}
	out := map[int]bool{}
	fmt.Println("\n| without also line | solved | times |\n|---|---|---|")
	for _, l := range lines {
		out[l.k] = true
		trial := slices.Clone(now)
		for i := range trial {
			if slices.Contains(trial[i].reached, l.k) {
				trial[i] = solve(list[i].p, out)
			}
		}
		n, logs, both := 0, 0., 0
		for i := range trial {
			if trial[i].solved {
				n++
			}
			if trial[i].solved && list[i].base.solved && len(list[i].base.reached) > 0 {
				logs, both = logs+math.Log(trial[i].seconds/list[i].base.seconds), both+1
			}
		}
		ratio := math.Exp(logs / float64(max(both, 1)))
		word := ""
		if float64(n) >= *keep*float64(solved) && ratio <= *slower {
			now = trial
		} else {
			delete(out, l.k)
			word = " kept"
		}
		fmt.Printf("| %d%s | %d of %d | %.3f |\n", l.k, word, n, solved, ratio)
	}
	var left []int
	for k := range len(lines) {
		if !out[k] {
			left = append(left, k)
		}
	}
	fmt.Printf("\nleft: %d lines of %d: %v\n", len(left), len(lines), left)
	if len(left) == 0 {
		log.Print("no problem reached the plan")
	}
}

// against writes what each problem took, or compares that with what another build has written.
func against(list []problem) {
	type record struct {
		Solved  bool
		Seconds float64
	}
	before := map[string]record{}
	text, err := os.ReadFile(*times)
	if err != nil {
		for _, x := range list {
			before[x.name] = record{x.base.solved, x.base.seconds}
		}
		if text, err = json.Marshal(before); err == nil {
			err = os.WriteFile(*times, text, 0o644)
		}
	} else if err = json.Unmarshal(text, &before); err == nil {
		sums := map[string]*[4]float64{} // both solved, Σ log of ratios, solved before, now
		for _, x := range list {
			b, s := before[x.name], sums[x.group]
			if s == nil {
				s = new([4]float64)
				sums[x.group] = s
			}
			if b.Solved {
				s[2]++
			}
			if x.base.solved {
				s[3]++
			}
			if ratio := x.base.seconds / b.Seconds; b.Solved && x.base.solved && max(x.base.seconds, b.Seconds) > measurable {
				s[0], s[1] = s[0]+1, s[1]+math.Log(ratio)
				if max(ratio, 1/ratio) > 1.5 {
					fmt.Printf("%s: %.4f s, before %.4f s\n", x.name, x.base.seconds, b.Seconds)
				}
			} else if b.Solved != x.base.solved {
				fmt.Printf("%s: solved %v, before %v\n", x.name, x.base.solved, b.Solved)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			s := sums[name]
			fmt.Printf("| %s | solved %v, before %v | %v measured: geometric mean of times %.3f |\n", name, s[3], s[2], s[0], math.Exp(s[1]/max(s[0], 1)))
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}

// measurable is what a solve has to take to be compared [s].
const measurable = 1e-4
