package rigid_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestResumedScenes goes on from a checkpoint after every step, in a new stepper:
// random scenes with joints, impacts and piles give the same bits.
func TestResumedScenes(t *testing.T) {
	compared, contacts := 0, 0
	for seed := range uint64(10) {
		make := func() *rigid.Stepper {
			s, err := scene(rand.New(rand.NewPCG(seed, 1)))
			if err != nil {
				return nil
			}
			return s
		}
		whole, parts := make(), make()
		for k := 0; whole != nil && k < 12; k++ {
			a, b := whole.Step(context.Background(), 0.005), parts.Step(context.Background(), 0.005)
			if (a == nil) != (b == nil) {
				t.Fatalf("seed %d, step %d: %v and resumed %v", seed, k+1, a, b)
			}
			if a != nil {
				break
			}
			if x, y := fmt.Sprintf("%+v", whole.Last()), fmt.Sprintf("%+v", parts.Last()); x != y { // digits that tell all bits
				t.Fatalf("seed %d, step %d:\n%s\nresumed:\n%s", seed, k+1, x, y)
			}
			compared++
			contacts += whole.Last().Stick + whole.Last().Slip
			parts = resume(t, parts, make())
		}
	}
	if compared < 50 || contacts < 30 {
		t.Errorf("only %d steps with %d contacts were compared", compared, contacts)
	}
}

// resume takes a stepper through the bytes of a checkpoint.
func resume(t *testing.T, from, to *rigid.Stepper) *rigid.Stepper {
	t.Helper()
	var c, d rigid.Checkpoint
	from.Save(&c)
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(&c); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&file).Decode(&d); err != nil {
		t.Fatal(err)
	}
	if err := to.Load(&d); err != nil {
		t.Fatal(err)
	}
	d.Q = d.Q[1:]
	if to.Load(&d) == nil {
		t.Fatal("a checkpoint of another model was loaded")
	}
	return to
}

// TestResumedChain: a chain that lies on a floor, whose contacts are solved with those of its
// joints, goes on to the same bits.
func TestResumedChain(t *testing.T) {
	whole, parts := lyingChain(t, 30, 0, rigid.Options{Alpha: .5}), lyingChain(t, 30, 0, rigid.Options{Alpha: .5})
	for k := range 4 {
		run(t, whole, 2e-3, 1)
		run(t, parts, 2e-3, 1)
		if x, y := fmt.Sprintf("%+v", whole.Last()), fmt.Sprintf("%+v", parts.Last()); x != y {
			t.Fatalf("step %d:\n%s\nresumed:\n%s", k+1, x, y)
		}
		parts = resume(t, parts, lyingChain(t, 30, 0, rigid.Options{Alpha: .5}))
	}
}

// TestCheckpointsWhole: a checkpoint is refused if one of its lists is a number short or long, or
// if a touch is another one; and it is a copy.
func TestCheckpointsWhole(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, rigid.Options{})
		run(t, s, 1e-3, 3)
		var whole rigid.Checkpoint
		s.Save(&whole)
		if err := s.Load(&whole); err != nil || len(whole.Memory) < 3 {
			t.Fatal(err, len(whole.Memory))
		}
		names := []string{"Q", "V", "W", "Joint", "Pull", "Travel", "Memory", "Worth.Made.Root", "Worth.Portions",
			"Worth.Faces", "Worth.Shares.Elastic"}
		shares := reflect.TypeFor[rigid.Shares]()
		for i := range shares.NumField() {
			names = append(names, "Worth.Shares."+shares.Field(i).Name)
		}
		for _, name := range names {
			for _, more := range []bool{false, true} {
				var c rigid.Checkpoint
				s.Save(&c)
				v := reflect.ValueOf(&c).Elem()
				for _, part := range strings.Split(name, ".") {
					v = v.FieldByName(part)
				}
				if more {
					v.Set(reflect.Append(v, v.Index(0)))
				} else {
					v.Set(v.Slice(0, v.Len()-1))
				}
				if s.Load(&c) == nil {
					t.Errorf("%s of another length is accepted, longer %t", name, more)
				}
			}
		}
		c := whole
		c.Memory = slices.Clone(whole.Memory)
		c.Memory[len(c.Memory)-1].Key++
		if s.Load(&c) == nil {
			t.Error("another touch is accepted")
		}
		// All of what is known of the run comes back, and is a copy.
		var again rigid.Checkpoint
		if err := s.Load(&whole); err != nil {
			t.Fatal(err)
		}
		if s.Save(&again); !reflect.DeepEqual(again, whole) {
			t.Errorf("%+v, want %+v", again, whole)
		}
		run(t, s, 1e-3, 2)
		if !reflect.DeepEqual(again, whole) {
			t.Error("a step has changed a checkpoint")
		}
	}
}
