// Command halfspace runs problems of elastic half-spaces side by side with E. A. H. Vollebregt's
// CONTACT, whole processes in turns, one thread each, and prints the table of the README.
//
//	go run ./benchmarks/halfspace -contact DIR     DIR holds the program contact
//	go run ./benchmarks/halfspace -contact DIR -agree   the numbers of scenes of other kinds
//	go run ./benchmarks/halfspace -sizes           Cattaneo's problem on 41² to 1024²
//
// # Limits
//
// Processor times of a machine that others use too: the least of the repetitions counts.
package main

import (
	"cmp"
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
	sizes := flag.Bool("sizes", false, "Cattaneo's problem on grids of growing size")
	flag.Parse()
	if err := start(*contact, *repeat, *only, *one, *sizes, *numbers); err != nil {
		fmt.Fprintln(os.Stderr, "halfspace:", err)
		os.Exit(1)
	}
}

func start(contact string, repeat int, only, one string, sizes, numbers bool) error {
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
	fmt.Printf("%s, %s, %d processors\n\n| problem | CONTACT [s] | ours [s] | ratio | ours |\n|---|---|---|---|---|\n", time.Now().Format(time.DateOnly), runtime.Version(), runtime.NumCPU())
	for _, p := range problems {
		if !strings.HasPrefix(p.name, only) {
			continue
		}
		if err := p.compare(dir, program, self, repeat); err != nil {
			return err
		}
	}
	return nil
}

// enough is the time of a problem after which it is not repeated: what takes long varies less.
const enough = 20 * time.Second

// compare runs both programs in turns and prints the least times.
func (p *problem) compare(dir, program, self string, repeat int) error {
	if err := os.WriteFile(filepath.Join(dir, p.name+".inp"), []byte(p.input()), 0o666); err != nil {
		return err
	}
	var theirs, ours time.Duration
	text := ""
	for began := time.Now(); repeat > 0 && (theirs == 0 || time.Since(began) < enough); repeat-- {
		t, _, err := measure(dir, program, "2", p.name)
		if err != nil {
			return fmt.Errorf("CONTACT: %s: %w", p.name, err)
		}
		o, out, err := measure(dir, self, "-run", p.name)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		theirs, ours, text = least(theirs, t), least(ours, o), out
	}
	fmt.Printf("| %s | %.3f | %.3f | %.2f | %s |\n", p.name, theirs.Seconds(), ours.Seconds(), ours.Seconds()/max(1e-9, theirs.Seconds()), strings.TrimSpace(text))
	return nil
}

func least(a, b time.Duration) time.Duration { return min(cmp.Or(a, b), b) }

// measure runs a program with one thread and returns its processor time.
func measure(dir, name string, args ...string) (time.Duration, string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "GOMAXPROCS=1")
	out, err := c.Output()
	if err != nil {
		return 0, "", err
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), string(out), nil
}
