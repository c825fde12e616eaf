package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutate draws mutants of each package named and prints their fates.
func mutate(ctx context.Context, w io.Writer, args []string) error {
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "seed of the draw")
	count := flags.Int("count", 100, "mutants of each package that compile")
	alone := flags.Bool("alone", false, "run the tests of the package alone, not of those that import it")
	commands := flags.Bool("commands", false, "run the tests of commands too")
	limit := flags.Duration("limit", 2*time.Minute, "time for the tests of one package")
	known := flags.String("cache", "", "`FILE` that remembers which mutants died")
	again := flags.String("again", "", "`FILE` of an earlier run's output: only the mutants that survived there")
	equivalent := flags.String("equivalent", "", "`FILE` with mutants judged equivalent: they are not counted")
	if err := flags.Parse(args); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) // of ours only
	d := draw{seed: *seed, count: *count}
	if d.only, err = namedSites(*again); err != nil {
		return err
	}
	if d.equivalent, err = namedSites(*equivalent); err != nil {
		return err
	}
	dead, err := openCache(*known)
	if err != nil {
		return err
	}
	for _, dir := range flags.Args() {
		r := &runner{limit: *limit, scratch: scratch, dir: dir, cache: dead}
		if r.packages, err = dependents(ctx, dir, *commands); err != nil {
			return err
		}
		if *alone {
			r.packages = r.packages[:1]
		}
		if err := r.score(ctx, w, dir, &d); err != nil {
			return err
		}
	}
	return nil
}

// draw says which mutants are taken.
type draw struct {
	seed       uint64
	count      int
	only       []string // nil: all
	equivalent []string
}

// score draws mutants of one package until enough have compiled, or all were tried.
func (r *runner) score(ctx context.Context, w io.Writer, dir string, d *draw) error {
	sites, err := findSites(dir)
	if err != nil {
		return err
	}
	if err := r.measure(ctx); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	fates := map[fate]int{}
	for _, i := range rand.New(rand.NewPCG(d.seed, 0)).Perm(len(sites)) {
		s := &sites[i]
		if fates[killed]+fates[survived]+fates[equivalent] == d.count {
			break
		}
		if d.only != nil && !slices.Contains(d.only, s.String()) {
			continue
		}
		f, err := r.try(ctx, s)
		if err != nil {
			return err
		}
		if f == survived && slices.Contains(d.equivalent, s.String()) {
			f = equivalent
		}
		fates[f]++
		if f == survived {
			fmt.Fprintln(w, "survived", s)
		}
	}
	judged := fates[killed] + fates[survived]
	_, err = fmt.Fprintf(w, "%s: %d of %d killed (%.1f %%), seed %d, %d sites, %d equivalent, %d did not compile\n",
		dir, fates[killed], judged, 100*float64(fates[killed])/float64(max(1, judged)), d.seed, len(sites), fates[equivalent], fates[stillborn])
	return err
}

// namedSites lists the mutants that a text names, as they are printed, one a line; nil
// without a file. What follows a tab is a remark.
func namedSites(file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	list := []string{}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimLeft(strings.TrimSpace(line), "-`| "), "\t")
		list = append(list, strings.TrimPrefix(strings.TrimRight(line, "` "), "survived "))
	}
	return list, nil
}
