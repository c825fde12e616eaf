package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
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

// runner draws mutants and tries them.
type runner struct {
	seeds      []uint64
	count      int           // of each seed
	users      int           // packages above, whose tests judge what survived
	limit      time.Duration // processor time of a test without a mutant
	quick      time.Duration // and of one of a package above
	scratch    string        // folder
	only       []string      // nil: all sites
	files      []string      // nil: of all files
	equivalent []string
}

// mutate draws mutants of each package named and prints their fates.
func mutate(ctx context.Context, w io.Writer, args []string) (err error) {
	r := &runner{}
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	seeds := flags.String("seeds", "1", "seeds of the draws, with commas")
	flags.IntVar(&r.count, "count", 100, "mutants of a package and seed that compile")
	flags.IntVar(&r.users, "users", 3, "how many packages above, the nearest first, test what survives the package's own tests")
	flags.DurationVar(&r.limit, "limit", 2*time.Minute, "processor time for one test")
	flags.DurationVar(&r.quick, "quick", time.Second, "of those packages, tests that take more processor time are left out")
	again := flags.String("again", "", "`FILE` of an earlier run's output: only the mutants that survived there")
	files := flags.String("files", "", "base names with commas: only mutants of these files")
	equivalent := flags.String("equivalent", "", "`FILE` with mutants judged equivalent: they are not counted")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, word := range strings.Split(*seeds, ",") {
		seed, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return err
		}
		r.seeds = append(r.seeds, seed)
	}
	if *files != "" {
		r.files = strings.Split(*files, ",")
	}
	if r.only, err = namedSites(*again); err != nil {
		return err
	}
	if r.equivalent, err = namedSites(*equivalent); err != nil {
		return err
	}
	if r.scratch, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.scratch)) }()
	for _, dir := range flags.Args() {
		if err := r.score(ctx, w, dir); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}

// score prints the survivors and the scores of one package.
func (r *runner) score(ctx context.Context, w io.Writer, dir string) error {
	s, err := openSource(ctx, dir)
	if err != nil {
		return err
	}
	draws, stillborn := r.draw(s)
	var together, alone []*site
	for _, k := range slices.Sorted(maps.Keys(union(draws))) {
		x := &s.sites[k]
		if s.compiles(newSchemata(s, []*site{x}).files()) == nil {
			together = append(together, x)
		} else {
			alone = append(alone, x)
		}
	}
	alive, err := r.survivors(ctx, s, together)
	if err != nil {
		return err
	}
	for _, x := range alone {
		killed, err := r.killedAlone(ctx, s, x)
		if err != nil {
			return err
		}
		if !killed {
			alive = append(alive, x)
		}
	}
	for _, x := range alive {
		if !r.isEquivalent(x) {
			fmt.Fprintln(w, "survived", x)
		}
	}
	for i, draw := range draws {
		same, survived := 0, 0
		for _, k := range draw {
			switch x := &s.sites[k]; {
			case !slices.Contains(alive, x):
			case r.isEquivalent(x):
				same++
			default:
				survived++
			}
		}
		judged := len(draw) - same
		fmt.Fprintf(w, "%s: %d of %d killed (%.1f %%), seed %d, %d sites, %d equivalent, %d did not compile, %d by themselves\n",
			dir, judged-survived, judged, 100*float64(judged-survived)/float64(max(1, judged)), r.seeds[i],
			len(s.sites), same, stillborn[i], len(alone))
	}
	return ctx.Err()
}

// draw takes the sites of each seed, as numbers, and counts those that do not compile.
func (r *runner) draw(s *source) (draws [][]int, stillborn []int) {
	born := map[int]bool{}
	for _, seed := range r.seeds {
		var draw []int
		dead := 0
		for _, k := range rand.New(rand.NewPCG(seed, 0)).Perm(len(s.sites)) {
			if len(draw) == r.count {
				break
			}
			x := &s.sites[k]
			if r.only != nil && !slices.Contains(r.only, nameOf(x.String())) || r.files != nil &&
				!slices.Contains(r.files, filepath.Base(x.file)) {
				continue
			}
			if _, known := born[k]; !known {
				born[k] = s.compiles(map[string][]byte{x.file: x.apply(s.texts[x.file])}) == nil
			}
			if !born[k] {
				dead++
				continue
			}
			draw = append(draw, k)
		}
		draws, stillborn = append(draws, draw), append(stillborn, dead)
	}
	return draws, stillborn
}

func union(draws [][]int) map[int]bool {
	all := map[int]bool{}
	for _, draw := range draws {
		for _, k := range draw {
			all[k] = true
		}
	}
	return all
}

// survivors tries mutants that are in one program: by the tests of the package, and then by
// those of the nearest packages above.
func (r *runner) survivors(ctx context.Context, s *source, sites []*site) (alive []*site, err error) {
	texts := newSchemata(s, sites).files()
	above, err := users(ctx, s.path)
	if err != nil {
		return nil, err
	}
	alive = sites
	for _, path := range append([]string{s.path}, above[:min(r.users, len(above))]...) {
		if len(alive) == 0 {
			break
		}
		t, err := r.program(ctx, path, texts)
		if err != nil {
			return nil, err
		}
		if err := r.measure(ctx, t, len(sites)); err != nil {
			return nil, err
		}
		if path != s.path {
			t.tests = slices.DeleteFunc(t.tests, func(x test) bool { return x.cpu > r.quick })
		}
		var left []*site
		for _, x := range alive {
			if !r.kills(ctx, t, slices.Index(sites, x)) {
				left = append(left, x)
			}
		}
		fmt.Fprintf(os.Stderr, "mutants: %s: %d of %d left after the tests of %s\n", s.dir, len(left), len(alive), path)
		alive = left
	}
	return alive, ctx.Err()
}

// killedAlone tries a mutant that needs a program of its own, where a constant must be one:
// by the tests of the package.
func (r *runner) killedAlone(ctx context.Context, s *source, x *site) (bool, error) {
	t, err := r.program(ctx, s.path, map[string][]byte{x.file: x.apply(s.texts[x.file])})
	if err != nil {
		return false, err
	}
	passed, _ := r.run(ctx, t, []string{".*"}, r.limit)
	return !passed, ctx.Err()
}

// users lists the packages of the module that import one, directly or not, but for commands:
// those that rest on the least first.
func users(ctx context.Context, path string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", `{{.Name}} {{.ImportPath}} {{join .Deps ","}}`, "./...").Output()
	if err != nil {
		return nil, err
	}
	deps := map[string]int{}
	for row := range strings.Lines(string(out)) {
		fields := strings.Fields(row)
		if len(fields) == 3 && fields[0] != "main" && slices.Contains(strings.Split(fields[2], ","), path) {
			deps[fields[1]] = strings.Count(fields[2], ",")
		}
	}
	return slices.SortedFunc(maps.Keys(deps), func(a, b string) int {
		if d := deps[a] - deps[b]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	}), nil
}

func (r *runner) isEquivalent(x *site) bool { return slices.Contains(r.equivalent, nameOf(x.String())) }

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
		line, _, _ = strings.Cut(strings.TrimSpace(line), "\t")
		if line, ok := strings.CutPrefix(line, "survived "); ok {
			list = append(list, nameOf(line))
		}
	}
	return list, nil
}

// nameOf is a printed mutant without the number of its line, which changes with what stands
// above it.
func nameOf(printed string) string {
	file, rest, _ := strings.Cut(printed, ":")
	_, rest, _ = strings.Cut(rest, ":")
	return file + ":" + rest
}
