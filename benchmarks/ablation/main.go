// Command ablation measures what a plan of contact's solver is worth: it solves a collection of
// problems and prints how many are solved, by which method, and in what time; with -times, of this
// build beside another one.
//
//	go run ./benchmarks/ablation [-sizes 12,60,200] [-seeds 2] [-small 2000] [-others DIR] [-scenes DIR] [-limit 4s] [-times FILE]
//
// The problems are those of internal/families, small random degenerate ones in the plane and in
// space, files of others, and those that rigid scenes give to the whole plan, which warm starts did
// not solve. A problem counts as solved if the certified verdict says so within the limit, of
// processor time.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/contact"
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
	store  = flag.String("store", "", "folder for the problems of scenes: read if there, else written")
	times  = flag.String("times", "", "file of times: written, or if it is there, of another build, compared with")
)

// problem is one of the collection, with what the solver makes of it.
type problem struct {
	name  string
	group string
	p     *contact.Local
	outcome
}

// outcome of one solve.
type outcome struct {
	Solved  bool
	Seconds float64 // of processor time
	Solver  string  // the method that ended it
}

func main() {
	flag.Parse()
	list := collect()
	for i := range list {
		list[i].outcome = solve(list[i].p)
	}
	groups(list)
	if *times != "" {
		against(list)
	}
}

// solve has a limit of processor time, since the machine may be busy. The first solve of a pattern
// orders it and lays out memory: that is part of the time, as for who solves a problem once.
func solve(p *contact.Local) outcome {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begin := processor.Time() // with what other goroutines take: the collector of garbage
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil && processor.Time()-begin < *limit {
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
		cancel()
	}()
	var res contact.Result
	err := contact.SolveLocal(ctx, p, &contact.Options{NoCertificate: true}, nil, &res)
	o := outcome{err == nil, max((processor.Time() - begin).Seconds(), 1e-6), res.Solver}
	cancel()
	<-done
	return o
}

// groups prints how many of each group are solved, by which method, and in what time.
func groups(list []problem) {
	type sum struct {
		n, solved int
		seconds   float64
		ended     map[string]int // method → problems that it solved
	}
	all := map[string]*sum{}
	for i := range list {
		x := &list[i]
		if all[x.group] == nil {
			all[x.group] = &sum{ended: map[string]int{}}
		}
		g := all[x.group]
		g.n++
		g.seconds += x.Seconds
		if x.Solved {
			g.solved++
			g.ended[x.Solver]++
		}
	}
	fmt.Println("| problems | number | solved | seconds | ended by |\n|---|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		g := all[name]
		fmt.Printf("| %s | %d | %d | %.2f | %v |\n", name, g.n, g.solved, g.seconds, g.ended)
	}
}

// against writes what each problem took, or compares that with what another build has written.
func against(list []problem) {
	before := map[string]outcome{}
	text, err := os.ReadFile(*times)
	if err != nil {
		for _, x := range list {
			before[x.name] = x.outcome
		}
		if text, err = json.Marshal(before); err == nil {
			err = os.WriteFile(*times, text, 0o644)
		}
	} else if err = json.Unmarshal(text, &before); err == nil {
		compare(list, before)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// compare prints, a group a line, the solved and the geometric mean of the ratios of times.
func compare(list []problem, before map[string]outcome) {
	type sum struct{ before, now, both, logs float64 }
	sums := map[string]*sum{}
	for _, x := range list {
		b, s := before[x.name], sums[x.group]
		if s == nil {
			s = new(sum)
			sums[x.group] = s
		}
		if b.Solved {
			s.before++
		}
		if x.Solved {
			s.now++
		}
		switch ratio := x.Seconds / b.Seconds; {
		case b.Solved != x.Solved:
			fmt.Printf("%s: solved %v, before %v\n", x.name, x.Solved, b.Solved)
		case x.Solved && max(x.Seconds, b.Seconds) > measurable:
			s.both, s.logs = s.both+1, s.logs+math.Log(ratio)
			if max(ratio, 1/ratio) > 1.5 {
				fmt.Printf("%s: %.4f s, before %.4f s\n", x.name, x.Seconds, b.Seconds)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		s := sums[name]
		fmt.Printf("| %s | solved %v, before %v | %v measured: geometric mean of times %.3f |\n", name, s.now, s.before,
			s.both, math.Exp(s.logs/max(s.both, 1)))
	}
}

// measurable is what a solve has to take to be compared [s].
const measurable = 1e-4
