package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// trade is a command with what it leaves: a file or the files of a folder OUT, or what it prints.
type trade struct {
	name string
	args []string // RUN is the folder of a finished run, OUT a new file or folder, STUDY and CASE files
	kept []string // files of OUT that say the same each time; "": OUT itself; nil: what is printed
}

var trades = []trade{
	{"run", []string{"run", "CASE", "--out", "OUT", "--quiet", "--report"}, []string{"trajectory.csv", "energies.csv", "overview.svg"}},
	{"run conveyor", []string{"run", "conveyor", "--out", "OUT", "--quiet", "--no-picture"}, []string{"trajectory.csv", "contacts.csv"}},
	{"run peeled-bar", []string{"run", "peeled-bar", "--set", "steps=10", "--out", "OUT", "--quiet", "--no-picture"},
		[]string{"trajectory.csv"}},
	{"run carter", []string{"run", "carter", "--out", "OUT", "--quiet", "--no-picture"}, []string{"trajectory.csv"}},
	{"run block-impact", []string{"run", "block-impact", "--out", "OUT", "--quiet", "--no-picture"}, []string{"trajectory.csv"}},
	{"run half-pipe", []string{"run", "half-pipe", "--out", "OUT", "--quiet", "--no-picture"}, []string{"trajectory.csv"}},
	{"sweep", []string{"sweep", "STUDY", "--out", "OUT", "--quiet"}, []string{"study.csv"}},
	{"converge", []string{"converge", "play", "--out", "OUT", "--quiet", "--levels", "3"}, []string{"convergence.csv"}},
	{"film", []string{"film", "RUN", "--out", "OUT.svg", "--quiet"}, []string{""}},
	{"film gif", []string{"film", "RUN", "--out", "OUT.gif", "--quiet", "--frames", "8"}, []string{""}},
	{"strip", []string{"film", "RUN", "--strip", "--out", "OUT.png", "--quiet", "--frames", "4"}, []string{""}},
	{"export npz", []string{"export", "RUN", "--format", "npz", "--out", "OUT", "--quiet"}, []string{"trajectory.npz"}},
	{"export parquet", []string{"export", "RUN", "--format", "parquet", "--out", "OUT", "--quiet"}, []string{"trajectory.parquet"}},
	{"export vtu", []string{"export", "RUN", "--format", "vtu", "--out", "OUT", "--quiet"}, []string{"trajectory.pvd"}},
	{"report", []string{"report", "RUN", "--out", "OUT.html", "--quiet"}, []string{""}},
	{"compare", []string{"compare", "RUN", "RUN", "--column", "p.x", "--out", "OUT.svg", "--quiet"}, []string{""}},
	{"sensitivity", []string{"sensitivity", "play", "--of", "dissipation", "--by", "friction.dry.mu", "--json"}, nil},
	{"diagnose", []string{"diagnose", "RUN", "--json"}, nil},
	{"check", []string{"check", "CASE", "--json"}, nil},
}

const adverseStudy = `{"case": "play", "expect": false, "vary": {"friction.dry.mu": {"linspace": [0.1, 0.5, 40]}, "steps": [400]}, "observe": ["dissipation"], "keep": "nothing"}`

// TestAdversity: every command that works for a while or writes, as a process of its own: stopped
// by SIGSTOP and continued, killed and begun again, with 16 descriptors, in a folder that cannot be
// written, on a full disk, and twice at the same time. It leaves what it leaves in peace, or says
// why not with exit code 1 or 2; what has a final name is whole.
func TestAdversity(t *testing.T) {
	thorough.Only(t, "hundreds of processes")
	dir := t.TempDir()
	words := map[string]string{"RUN": filepath.Join(dir, "run"), "STUDY": write(t, adverseStudy, dir, "study.json"),
		"CASE": write(t, strings.Replace(unexpecting(read(t, small("play"))), `"steps": `, `"steps": 3`, 1), dir, "case.json")}
	mustRun(t, "run", "grazing", "--out", words["RUN"], "--quiet", "--no-picture")
	for _, c := range trades {
		t.Run(c.name, func(t *testing.T) {
			w := t.TempDir()
			want, length := c.result(t, c.start(t, words, filepath.Join(w, "peace"), nil))
			if want.code != exitDone {
				t.Fatalf("in peace: %v", want)
			}
			random := rand.New(rand.NewPCG(1, 0))
			t.Run("stopped", func(t *testing.T) {
				for i := range 3 {
					j := c.start(t, words, filepath.Join(w, fmt.Sprint("stopped", i)), nil)
					time.Sleep(time.Duration(random.Float64() * float64(length)))
					for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
						if err := j.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
							t.Fatal(err)
						}
						time.Sleep(20 * time.Millisecond)
					}
					c.same(t, j, want)
				}
			})
			t.Run("killed", func(t *testing.T) {
				for i := range 6 {
					out := filepath.Join(w, fmt.Sprint("killed", i))
					j := c.start(t, words, out, nil)
					time.Sleep(time.Duration(random.Float64() * float64(length)))
					_ = j.cmd.Process.Kill() // it may have ended
					if killed, _ := c.result(t, j); killed.code == exitDone {
						c.equal(t, killed, want)
					}
					if c.name[:3] == "run" { // a run that was stopped is gone on with by name
						if err := os.RemoveAll(out); err != nil {
							t.Fatal(err)
						}
					}
					c.same(t, c.start(t, words, out, nil), want)
					left, err := filepath.Glob(filepath.Join(w, ".*"))
					if inside, e := filepath.Glob(filepath.Join(out, ".*part*")); err != nil || e != nil || len(left)+len(inside) > 0 {
						t.Errorf("left behind: %v %v", left, inside)
					}
				}
			})
			refusal := func(t *testing.T, got outcome, cause string) {
				t.Helper()
				switch {
				case got.code == exitDone:
					c.equal(t, got, want)
				case got.code > exitInput || got.code < 0 || !strings.Contains(got.stderr, cause) ||
					len(got.files) > 0 && c.kept != nil && slices.Equal(c.kept, []string{""}):
					t.Errorf("exit %d, %d files, want %q:\n%s", got.code, len(got.files), cause, got.stderr)
				}
			}
			t.Run("16 descriptors", func(t *testing.T) {
				got, _ := c.result(t, c.start(t, words, filepath.Join(w, "few"), func(cmd *exec.Cmd) {
					cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -n 16; exec "$0" "$@"`}, cmd.Args...)
				}))
				refusal(t, got, "too many open files")
			})
			if c.kept != nil {
				t.Run("read-only", func(t *testing.T) {
					disk := tiny(t, "64k")
					if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
						t.Skip(err)
					}
					got, _ := c.result(t, c.start(t, words, filepath.Join(disk, "out"), nil))
					if got.code == exitDone {
						t.Error("wrote where nothing can be written")
					}
					refusal(t, got, "read-only file system")
				})
				t.Run("full disk", func(t *testing.T) {
					disk := tiny(t, "8k")
					got, _ := c.result(t, c.start(t, words, filepath.Join(disk, "out"), nil))
					if got.code == exitDone && len(c.kept[0]) == 0 {
						t.Error("wrote where there is no room")
					}
					refusal(t, got, "no space left")
				})
				t.Run("two writers", func(t *testing.T) {
					out := filepath.Join(w, "two")
					a, b := c.start(t, words, out, nil), c.start(t, words, out, nil)
					one, _ := c.result(t, a)
					two, _ := c.result(t, b)
					if one.code != exitDone && two.code != exitDone {
						t.Errorf("both failed:\n%s\n%s", one.stderr, two.stderr)
					}
					for _, got := range []outcome{one, two} {
						if got.code != exitDone && (got.code > exitInput || got.code < 0 || got.stderr == "") {
							t.Errorf("exit %d: %s", got.code, got.stderr)
						}
					}
					last, _ := c.result(t, a) // what is there now that both have ended
					last.code = exitDone
					c.equal(t, last, want)
				})
			}
		})
	}
}

// job is a process at work for an output.
type job struct {
	cmd         *exec.Cmd
	out, errors bytes.Buffer
	target      string
	began       time.Time
	ended       bool
}

// outcome is what a process has left.
type outcome struct {
	code   int
	stderr string
	files  map[string]string
}

// start starts the command for an output; change may change how.
func (c *trade) start(t *testing.T, words map[string]string, out string, change func(*exec.Cmd)) *job {
	t.Helper()
	j := &job{target: out, began: time.Now()}
	var args []string
	for _, a := range c.args {
		if name, ending, ok := strings.Cut(a, "OUT"); ok && name == "" {
			a, j.target = out+ending, out+ending
		} else if word := words[a]; word != "" {
			a = word
		}
		args = append(args, a)
	}
	j.cmd = program(args...)
	j.cmd.Stdout, j.cmd.Stderr = &j.out, &j.errors
	if change != nil {
		change(j.cmd)
	}
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return j
}

// result waits for the end and reads what is left.
func (c *trade) result(t *testing.T, j *job) (outcome, time.Duration) {
	t.Helper()
	if !j.ended {
		_ = j.cmd.Wait() // the exit code says it
		j.ended = true
	}
	length := time.Since(j.began)
	o := outcome{code: j.cmd.ProcessState.ExitCode(), stderr: j.errors.String(), files: map[string]string{}}
	if c.kept == nil {
		o.files["printed"] = j.out.String()
	}
	for _, name := range c.kept {
		text, err := os.ReadFile(filepath.Join(j.target, name))
		if err == nil {
			o.files[name] = string(text)
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return o, length
}

// same waits for a process that should leave what one in peace leaves.
func (c *trade) same(t *testing.T, j *job, want outcome) {
	t.Helper()
	got, _ := c.result(t, j)
	c.equal(t, got, want)
}

func (c *trade) equal(t *testing.T, got, want outcome) {
	t.Helper()
	if got.code != want.code {
		t.Errorf("exit %d, want %d: %s", got.code, want.code, got.stderr)
	}
	for name, text := range want.files {
		if other := got.files[name]; cost.ReplaceAllString(other, "") != cost.ReplaceAllString(text, "") {
			t.Errorf("%q has %d other bytes, want %d", name, len(other), len(text))
		}
	}
}
