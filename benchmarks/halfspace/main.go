// Command halfspace runs problems of elastic half-spaces side by side with E. A. H. Vollebregt's
// CONTACT, whole processes in turns, one thread each, and prints the table of the README.
//
//	go run ./benchmarks/halfspace -contact DIR     DIR holds the program contact
//	go run ./benchmarks/halfspace -contact DIR -agree   the numbers of scenes of other kinds
//	go run ./benchmarks/halfspace -contact DIR -all     both, the command beside CONTACT, and -sizes
//	go run ./benchmarks/halfspace -sizes           Cattaneo's problem on 41² to 1024²
//
// # Limits
//
// Processor times of a machine that others use too: the least of the repetitions counts.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	contact := flag.String("contact", "", "folder of CONTACT's program")
	repeat := flag.Int("repeat", 3, "repetitions")
	only := flag.String("only", "", "problems whose names begin so")
	one := flag.String("run", "", "compute one problem and end")
	numbers := flag.Bool("agree", false, "compare the numbers of other scenes, not the times")
	all := flag.Bool("all", false, "all tables: problems but the longest, the command, the numbers of other scenes, sizes")
	sizes := flag.Bool("sizes", false, "Cattaneo's problem on grids of growing size")
	flag.Parse()
	if err := start(*contact, *repeat, *only, *one, *sizes, *numbers, *all); err != nil {
		fmt.Fprintln(os.Stderr, "halfspace:", err)
		os.Exit(1)
	}
}

func start(contact string, repeat int, only, one string, sizes, numbers, all bool) error {
	ctx := context.Background()
	switch {
	case sizes:
		return grow(ctx)
	case one != "":
		for _, p := range problems {
			if p.name == one {
				result, err := p.solve(ctx)
				fmt.Println(result)
				return err
			}
		}
		return fmt.Errorf("no problem %q", one)
	case contact == "":
		return fmt.Errorf("want -contact, the folder of the peer")
	}
	dir, err := os.MkdirTemp("", "halfspace")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := filepath.Abs(filepath.Join(contact, "contact"))
	if err != nil {
		return err
	}
	if numbers {
		return agree(ctx, dir, program)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s, %d processors\n\n| problem | elements | steps | CONTACT | ours | ratio | ratio of clocks |\n|---|---|---|---|---|---|---|\n",
		time.Now().Format("2006-01-02, 15:04"), runtime.Version(), runtime.NumCPU())
	before := ""
	for _, p := range problems {
		if !strings.HasPrefix(p.name, only) || all && p.name == longest {
			continue
		}
		title := p.title
		if title == before {
			title = "" // the same, finer
		}
		before = p.title
		if err := p.compare(title, dir, program, repeat, self, "-run", p.name); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	if err := compareCommands(ctx, dir, program, max(repeat, 9)); err != nil {
		return err
	}
	fmt.Println()
	if err := agree(ctx, dir, program); err != nil {
		return err
	}
	fmt.Println()
	return grow(ctx)
}

// longest is the problem that takes CONTACT five minutes, and is left out of all of them: a tenth
// of its steps is in.
const longest = "onset181"

// enough is the time of a problem after which it is not repeated: what takes long varies less.
const enough = 20 * time.Second

// compare runs CONTACT and another program in turns and prints the least times; what the other one
// prints goes to standard error.
func (p *problem) compare(title, dir, program string, repeat int, name string, args ...string) error {
	if err := os.WriteFile(filepath.Join(dir, p.name+".inp"), []byte(p.input()), 0o666); err != nil {
		return err
	}
	var theirs, ours took
	text := ""
	for began := time.Now(); repeat > 0 && (theirs.cpu == 0 || time.Since(began) < enough); repeat-- {
		t, _, err := measure(dir, program, "2", p.name)
		if err != nil {
			return fmt.Errorf("CONTACT: %s: %w", p.name, err)
		}
		o, out, err := measure(dir, name, args...)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		theirs, ours, text = theirs.least(t), ours.least(o), out
	}
	ratio := func(a, b time.Duration) float64 { return a.Seconds() / max(1e-9, b.Seconds()) }
	fmt.Printf("| %s | %s | %s | %s | %s | %.2f | %.2f |\n", title, p.elements, p.steps, seconds(theirs.cpu),
		seconds(ours.cpu), ratio(ours.cpu, theirs.cpu), ratio(ours.wall, theirs.wall))
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintf(os.Stderr, "%s: %s\n", p.name, text)
	}
	return nil
}

// seconds prints a time: to a millisecond, and four digits.
func seconds(d time.Duration) string {
	if d > 10*time.Second {
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return fmt.Sprintf("%.3f s", d.Seconds())
}

// took is the time of a process: of the processor, user and system, and of the clock.
type took struct{ cpu, wall time.Duration }

func (a took) least(b took) took {
	if a.cpu == 0 {
		return b
	}
	return took{min(a.cpu, b.cpu), min(a.wall, b.wall)}
}

// measure runs a program with one thread and returns its times.
func measure(dir, name string, args ...string) (took, string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "GOMAXPROCS=1")
	began := time.Now()
	out, err := c.Output()
	if err != nil {
		return took{}, "", err
	}
	return took{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), time.Since(began)}, string(out), nil
}
