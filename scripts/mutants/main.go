package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
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
	if err := flags.Parse(args); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) // of ours only
	for _, dir := range flags.Args() {
		r := &runner{limit: *limit, scratch: scratch}
		if r.packages, err = dependents(ctx, dir, *commands); err != nil {
			return err
		}
		if *alone {
			r.packages = r.packages[:1]
		}
		if err := r.score(ctx, w, dir, *seed, *count); err != nil {
			return err
		}
	}
	return nil
}

// score draws mutants of one package until enough have compiled, or all were tried.
func (r *runner) score(ctx context.Context, w io.Writer, dir string, seed uint64, count int) error {
	sites, err := findSites(dir)
	if err != nil {
		return err
	}
	overlay, err := r.unchanged()
	if err != nil {
		return err
	}
	if !r.passes(ctx, overlay, r.packages[0]) {
		return fmt.Errorf("%s: the tests fail, or take longer than %v, without a mutant", dir, r.limit)
	}
	fates := [3]int{}
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(sites)) {
		if fates[killed]+fates[survived] == count {
			break
		}
		f, err := r.try(ctx, &sites[i])
		if err != nil {
			return err
		}
		fates[f]++
		if f == survived {
			fmt.Fprintln(w, "survived", &sites[i])
		}
	}
	judged := fates[killed] + fates[survived]
	_, err = fmt.Fprintf(w, "%s: %d of %d killed (%.1f %%), seed %d, %d sites, %d did not compile\n",
		dir, fates[killed], judged, 100*float64(fates[killed])/float64(max(1, judged)), seed, len(sites), fates[stillborn])
	return err
}
