package energetic

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/run"
	"os"
	"runtime/pprof"
	"syscall"
	"testing"
	"time"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano())
}
func TestZZ(t *testing.T) {
	name := os.Getenv("CASE")
	text, _ := os.ReadFile("../../cases/" + name + ".json")
	var doc map[string]any
	json.Unmarshal(text, &doc)
	delete(doc, "expect")
	text, _ = json.Marshal(doc)
	f, _ := os.Create("/tmp/cpu.prof")
	pprof.StartCPUProfile(f)
	c0 := cpu()
	k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", text)
	if err != nil {
		t.Fatal(err)
	}
	built, err := build(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	m := built.(*Case)
	c1 := cpu()
	e, err := energetic.Start(context.Background(), m.Psi, m.Z0, m.Options)
	if err != nil {
		t.Fatal(err)
	}
	c2 := cpu()
	for s := 1; s <= m.plan.Steps; s++ {
		if _, err := e.StepProbing(context.Background(), m.Time(s), func(*energetic.Node) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if s == 1 {
			fmt.Println("first step", cpu()-c2)
		}
	}
	c3 := cpu()
	pprof.StopCPUProfile()
	v := e.Summary()
	fmt.Println(v.Certified, v.Solves, v.Inner, v.First)
	for _, m := range e.Measures() {
		fmt.Println("  ", m.String())
	}
	fmt.Println("build", c1-c0, "start", c2-c1, "steps", c3-c2, m.plan.Steps)
}
