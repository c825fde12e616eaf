// Command families measures the solvers of package contact on the problems of
// internal/families: one line a problem, or the files of the peer.
//
//	go run ./benchmarks/families [-names a,b] [-sizes 10,60,300,600] [-seeds 3] [-limit 6s] [-cpu] [-alone] [-json FILE] [-write DIR]
//	go run ./benchmarks/families -files a.dat,b.dat [-limit 6s] [-json FILE]
//	go run ./benchmarks/families -compare ours.json,peer.json [-picture profile.svg]
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
	"github.com/quasistatic/quasistatic/internal/processor"
)

var (
	names = flag.String("names", "", "families, all by default")
	sizes = flag.String("sizes", "10,60,300,600", "contacts asked for")
	seeds = flag.Int("seeds", 3, "members of a family and size")
	first = flag.Int("seed", 0, "the first of them")
	limit = flag.Duration("limit", 6*time.Second, "time of a solve")
	mu    = flag.Float64("mu", 0, "coefficient of friction, by the seed if 0")
	write = flag.String("write", "", "write the local problems as text files into this folder, solve nothing")
	out   = flag.String("json", "", "write the results to this file")
	form  = flag.String("form", "local", "local (W is made beforehand) or global (from M and H)")
	files = flag.String("compare", "", "print the performance profile of the results in these files, solve nothing")
	image = flag.String("picture", "", "draw the profile to this file")
	ticks = flag.Bool("cpu", false, "the limit is of processor time, all threads together: for a busy machine")
	stage = flag.Bool("stages", false, "print the stages of a solve")
	texts = flag.String("files", "", "solve these problem files, each nine times in new memory, and print the least time; make none")
	alone = flag.Bool("alone", false, "W without the M and H that it was made of, as a file gives it")
	rest  = flag.Bool("rest", false, "from rest, whatever the seed says")
)

func main() {
	flag.Parse()
	if *files != "" {
		if err := compareFiles(os.Stdout, strings.Split(*files, ","), *image); err != nil {
			fatal(err)
		}
		return
	}
	var results []result
	if *texts != "" {
		for _, path := range strings.Split(*texts, ",") {
			r, err := timeFile(os.Stdout, path)
			if err != nil {
				fatal(err)
			}
			results = append(results, r)
		}
		if err := save(results); err != nil {
			fatal(err)
		}
		return
	}
	for _, f := range families.All() {
		if *names != "" && !contains(strings.Split(*names, ","), f.Name) {
			continue
		}
		for _, s := range strings.Split(*sizes, ",") {
			size, err := strconv.Atoi(s)
			if err != nil {
				fatal(err)
			}
			for seed := *first; seed < *first+*seeds; seed++ {
				results = append(results, measure(f, size, seed)...)
			}
		}
	}
	if err := save(results); err != nil {
		fatal(err)
	}
	solved := 0
	for _, r := range results {
		if r.Solved {
			solved++
		}
	}
	fmt.Printf("solved %d of %d\n", solved, len(results))
}

// save writes the results to the file of -json, if there is one.
func save(results []result) error {
	if *out == "" {
		return nil
	}
	data, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(*out, data, 0o666)
}

// result is a line of the output.
type result struct {
	Problem  string
	Contacts int
	Solver   string
	Solved   bool
	Merit    float64
	Seconds  float64
	CPU      float64 // of all threads [s]
}

// limited is the context of a solve.
func limited() (context.Context, context.CancelFunc) {
	if !*ticks {
		return context.WithTimeout(context.Background(), *limit)
	}
	ctx, cancel := context.WithCancel(context.Background())
	end := processor.Time() + *limit
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for processor.Time() < end && ctx.Err() == nil {
			<-tick.C
		}
		cancel()
	}()
	return ctx, cancel
}

func measure(f families.Family, size, seed int) []result {
	g := f.Problem(size, families.Parameters{Seed: uint64(seed), Mu: *mu, Rest: *rest})
	name := fmt.Sprintf("%s-%d-%d", f.Name, size, seed)
	if *write != "" {
		d, err := contact.NewDelassus(g) // without joints, which the peer's format has not
		if err == nil {
			err = writeText(filepath.Join(*write, name+".dat"), d.Local)
		}
		if err != nil {
			fatal(fmt.Errorf("%s: %w", name, err))
		}
		return nil
	}
	ctx, cancel := limited()
	defer cancel()
	var res contact.Result
	var local *contact.Local
	begin, used := time.Now(), processor.Time()
	var err error
	if *form == "local" {
		if local, err = families.Local(g); err != nil {
			fatal(fmt.Errorf("%s: %w", name, err))
		}
		if *alone {
			local = &contact.Local{W: local.W, Q: local.Q, Laws: local.Laws}
		}
		begin, used = time.Now(), processor.Time()
		err = contact.SolveLocal(ctx, local, nil, nil, &res)
	} else {
		err = contact.SolveGlobal(ctx, g, nil, nil, &res)
	}
	took, used := time.Since(begin), processor.Time()-used
	r := result{name, len(g.Laws), "auto", err == nil, max(res.Merit, res.UnitFree), took.Seconds(), used.Seconds()}
	if err != nil {
		fmt.Println("   ", err)
	}
	fmt.Printf("%-20s %6d contacts  %-16s merit %8.1e  %9.2f ms  cpu %9.2f ms  mu=%g %s\n", name, r.Contacts,
		res.Status, r.Merit, 1e3*r.Seconds, 1e3*r.CPU, muOf(g), res.Solver)
	if *stage {
		for _, s := range res.Stages {
			fmt.Printf("    %-16s %-16s %6d iterations, merit %.1e\n", s.Solver, s.Status, s.Iterations, s.Merit)
		}
	}
	return []result{r}
}

func muOf(g *contact.Global) float64 { return g.Laws[0].(contact.Coulomb).Mu }

// writeText writes a problem as the peer reads it, W in sparse blocks.
func writeText(path string, p *contact.Local) error {
	w, ok := p.W.(*contact.Blocks)
	if !ok {
		return fmt.Errorf("families: %s: W is not stored by blocks", path)
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	o := bufio.NewWriter(file)
	n := w.Contacts()
	fmt.Fprintf(o, "%d\n%d\n1\n%d\n%d\n%d\n%d\n%d\n", w.D, n, w.D*n, w.D*n, len(w.Col), n, n)
	for range 2 {
		for i := range n {
			fmt.Fprintf(o, "%d ", (i+1)*w.D)
		}
		fmt.Fprintln(o)
	}
	fmt.Fprintf(o, "%d %d\n", n+1, len(w.Col))
	for _, v := range w.Ptr {
		fmt.Fprintf(o, "%d ", v)
	}
	fmt.Fprintln(o)
	for _, v := range w.Col {
		fmt.Fprintf(o, "%d ", v)
	}
	fmt.Fprintln(o)
	for k := range w.Col {
		fmt.Fprintf(o, "%d\n", k)
		b := w.Val[w.D*w.D*k : w.D*w.D*(k+1)]
		for c := range w.D {
			for r := range w.D {
				fmt.Fprintf(o, "%.17g ", b[w.D*r+c])
			}
		}
		fmt.Fprintln(o)
	}
	for _, v := range p.Q {
		fmt.Fprintf(o, "%.17g ", v)
	}
	fmt.Fprintln(o)
	for _, l := range p.Laws {
		fmt.Fprintf(o, "%.17g ", l.(contact.Coulomb).Mu)
	}
	fmt.Fprintln(o)
	if err := o.Flush(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
