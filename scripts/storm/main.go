package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/internal/storm"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "storm:", err)
		os.Exit(1)
	}
}

// driver throws inputs at one program.
type driver struct {
	program, scratch, keep string
	seeds                  []seed
	texts                  [][]byte
	codes                  map[int]int
	ran                    map[string]map[int]int // by command and kind of file, exit codes
	now                    string                 // the present one
	broken                 int
}

func run(ctx context.Context, w io.Writer, args []string) error {
	flags := flag.NewFlagSet("storm", flag.ContinueOnError)
	d := &driver{codes: map[int]int{}, ran: map[string]map[int]int{}}
	flags.StringVar(&d.program, "program", "", "the program to try")
	flags.StringVar(&d.keep, "keep", filepath.Join(os.TempDir(), "storm"), "folder for what breaks it")
	number := flags.Uint64("seed", 1, "seed of the inputs")
	count := flags.Int("count", 1000, "inputs")
	from := flags.Int("from", 0, "the first input: slices of one storm")
	cases := flags.String("cases", "cases", "folder of the cases to begin with")
	agree := flags.Bool("oracle", false, "judge whether all commands agree, in process, in place of throwing all kinds of files at the program")
	jobs := flags.Int("jobs", 1, "processes at a time, of the oracle")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *agree {
		return oracle(ctx, w, *number, uint64(max(0, *from)), uint64(max(0, *from+*count)), *jobs, d.keep)
	}
	var err error
	if d.scratch, err = os.MkdirTemp("", "storm"); err != nil {
		return err
	}
	defer os.RemoveAll(d.scratch) // of ours only
	if d.seeds, err = corpus(ctx, d.program, *cases, d.scratch); err != nil {
		return err
	}
	for i := range d.seeds {
		d.texts = append(d.texts, d.seeds[i].text)
	}
	for i := *from; i < *from+*count; i++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := d.throw(ctx, w, rand.New(rand.NewPCG(*number, uint64(i))), i); err != nil {
			return err
		}
		if done := i + 1 - *from; done%1000 == 0 && done < *count {
			fmt.Fprintf(w, "%d inputs: %d with exit 0, %d with 1, %d with 2; %d broke it\n", done, d.codes[0],
				d.codes[1], d.codes[2], d.broken)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.ran)) {
		c := d.ran[name]
		fmt.Fprintf(w, "%6d  %-34s exit 0: %d, 1: %d, 2: %d\n", c[0]+c[1]+c[2], name, c[0], c[1], c[2])
	}
	fmt.Fprintf(w, "%d inputs from %d, seed %d: %d with exit 0, %d with 1, %d with 2; %d broke it\n", *count, *from,
		*number, d.codes[0], d.codes[1], d.codes[2], d.broken)
	if d.broken > 0 {
		return fmt.Errorf("%d inputs broke it, see %s", d.broken, d.keep)
	}
	return nil
}

// throw makes one input and judges what comes of it.
func (d *driver) throw(ctx context.Context, w io.Writer, r *rand.Rand, i int) error {
	among := len(d.seeds)
	if r.IntN(4) == 0 { // of the files that no case is there are few
		among = len(smallFiles())
	}
	s := &d.seeds[r.IntN(among)]
	dir, out := filepath.Join(d.scratch, "in"), filepath.Join(d.scratch, "out")
	for _, name := range []string{dir, out} {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	bare := r.IntN(4) == 0 // as a program that was killed leaves it: without what has the sums
	for name, text := range s.beside {
		if bare && name == "summary.json" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	text := storm.Damage(r, s.text, d.texts)
	if err := os.WriteFile(filepath.Join(dir, s.name), text, 0o666); err != nil {
		return err
	}
	arguments := d.arguments(r, s, text, dir, out)
	fault := d.try(ctx, arguments, out)
	if fault == "" || ctx.Err() != nil || strings.HasPrefix(fault, tooLong) && manySteps(text) {
		return nil
	}
	d.broken++
	kept := filepath.Join(d.keep, fmt.Sprintf("%d", i))
	fmt.Fprintf(w, "%s: %s: %s\n", kept, strings.Join(arguments, " "), fault)
	if err := os.RemoveAll(kept); err != nil {
		return err
	}
	return os.CopyFS(kept, os.DirFS(dir))
}

// arguments fills in a command of a seed.
func (d *driver) arguments(r *rand.Rand, s *seed, text []byte, dir, out string) []string {
	command := s.commands[r.IntN(len(s.commands))]
	d.now = strings.Fields(command)[0] + " with " + s.name
	if command == "ARGUMENTS" {
		words := strings.Fields(strings.ReplaceAll(string(text), "\x00", ""))
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		command = strings.Join(words[:min(len(words), 1+r.IntN(6))], " ")
		if slices.Contains(strings.Fields(command), "worker") {
			command = "help" // it waits for a server until it is stopped
		}
	}
	var list []string
	for _, word := range strings.Fields(command) {
		list = append(list, strings.NewReplacer("FILE", filepath.Join(dir, s.name), "DIR", dir, "OUT", out).Replace(word))
	}
	return list
}

// What one input may take.
const (
	mostTime   = 5 * time.Second // of processors
	mostMemory = 2 << 30         // [byte]
	mostWait   = 10 * time.Minute
)

// try runs the program and says what is wrong with its end; "": nothing.
func (d *driver) try(ctx context.Context, arguments []string, out string) string {
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	c := exec.CommandContext(ctx, d.program, arguments...)
	var errors bytes.Buffer
	c.Stderr = &errors
	c.Dir = d.scratch
	err := start(c, arguments)
	if c.ProcessState == nil {
		return err.Error()
	}
	code := c.ProcessState.ExitCode()
	d.codes[code]++
	if d.ran[d.now] == nil {
		d.ran[d.now] = map[int]int{}
	}
	d.ran[d.now][code]++
	took := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("%s: not ended after %v", tooLong, mostWait)
	case code < 0 || code > 2 && (code != 4 || arguments[0] != "stands"): // of which 4 says that it is not decided
		return fmt.Sprintf("exit code %d: %.300s", code, errors.String())
	case bytes.Contains(errors.Bytes(), []byte("goroutine ")) || bytes.Contains(errors.Bytes(), []byte("runtime error")):
		return "a panic: " + errors.String()
	case bytes.ContainsAny(errors.Bytes(), "\x00\x07\x1b\u202e"):
		return "control characters on the terminal"
	case code != 0 && errors.Len() == 0 && !slices.Contains(arguments, "--json") && arguments[0] != "stands": // whose answer is no error
		return fmt.Sprintf("exit code %d without a word", code)
	case took > mostTime && !(took < 8*mostTime && makesSeveral(arguments)):
		return fmt.Sprintf("%s: %v", tooLong, took)
	case peak(c.ProcessState) > mostMemory:
		return fmt.Sprintf("took %d MB", peak(c.ProcessState)>>20)
	case code == 0:
		return notFinite(out)
	}
	return ""
}

// makesSeveral reports whether a command makes a case several times, or in shorter steps.
func makesSeveral(arguments []string) bool {
	return slices.Contains([]string{"converge", "sweep", "sensitivity"}, arguments[0]) || slices.Contains(arguments, "--verify")
}

// start runs a program to its end; one that serves is asked for its page, then stopped.
func start(c *exec.Cmd, arguments []string) error {
	if len(arguments) == 0 || arguments[0] != "view" {
		return c.Run()
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return err
	}
	line, _ := bufio.NewReader(out).ReadString('\n') // none: it was refused
	if address, _, ok := strings.Cut(line, " "); ok && strings.HasPrefix(address, "http") {
		for _, path := range []string{"/", "/live.json", "/live.json?since=x"} {
			if answer, err := http.Get(address + path); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body) // a fault shows in how the program ends
				_ = answer.Body.Close()
			}
		}
		_ = c.Process.Signal(os.Interrupt) // it may have ended
	}
	return c.Wait()
}

const tooLong = "took long"

var (
	stepsPattern = regexp.MustCompile(`"steps":\s*\[?\s*([-+.0-9eE]+)`)
	runsPattern  = regexp.MustCompile(`"(?:linspace|logspace|count)":\s*(?:\[[^,]*,[^,]*,)?\s*([-+.0-9eE]+)`)
)

// manySteps reports whether a case or study asks for so many steps or runs that it may take
// long.
func manySteps(text []byte) bool {
	for _, m := range runsPattern.FindAllSubmatch(text, -1) {
		if n, err := strconv.ParseFloat(string(m[1]), 64); err == nil && n > 300 {
			return true
		}
	}
	for _, m := range stepsPattern.FindAllSubmatch(text, -1) {
		if n, err := strconv.ParseFloat(string(m[1]), 64); err == nil && n > 1e5 {
			return true
		}
	}
	return false
}

// notFinite names a table of a folder that has what is no number.
func notFinite(dir string) string {
	names, _ := filepath.Glob(filepath.Join(dir, "*.csv")) // the pattern is right
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err.Error()
		}
		_, rows, _ := bytes.Cut(text, []byte("\n"))
		if bytes.Contains(rows, []byte("NaN")) || bytes.Contains(rows, []byte("Inf")) {
			return filepath.Base(name) + " has what is no number"
		}
	}
	return ""
}

// sortSeeds puts seeds in the order of their names: maps have none.
func sortSeeds(list []seed) {
	slices.SortFunc(list, func(a, b seed) int { return strings.Compare(a.name, b.name) })
}
