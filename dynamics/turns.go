package dynamics

import "fmt"

var _ Described = (*Stepper)(nil)

// turns says which velocities of a [Turned] system are those of turns, and where
// [Stepper.Distances] has these.
type turns struct {
	of       Turned
	arms     []float64 // of each velocity; 0: a translation
	at       []int     // where the turn of each part is among the distances; 0: it has none
	size     []float64 // the arm of each part that turns
	count    int       // of these
	directed []int     // parts with a direction …
	arm      []float64 // … and their arms
}

// open looks at a system; of says to which of count parts each velocity belongs.
func (t *turns) open(sys System, of []int, count int) error {
	var ok bool
	if t.of, ok = sys.(Turned); !ok {
		return nil
	}
	if t.arms = t.of.Arms(); len(t.arms) != len(of) {
		return fmt.Errorf("dynamics: System.Arms has %d entries, want one for each of %d velocities", len(t.arms), len(of))
	}
	t.at, t.size = make([]int, count), make([]float64, count)
	for i, arm := range t.arms {
		part := of[i]
		if !(arm > 0) || t.at[part] > 0 {
			continue
		}
		t.at[part], t.size[part] = count+t.count, arm
		t.count++
		if t.of.Directed(part) {
			t.directed, t.arm = append(t.directed, part), append(t.arm, arm)
		}
	}
	return nil
}

// Describe implements [Described].
func (s *Stepper) Describe() []Part {
	t, of := &s.turns, s.partition.of
	list := make([]Part, s.partition.count+t.count)
	for i, arm := range t.arms {
		if !(arm > 0) {
			continue
		}
		x := &list[t.at[of[i]]]
		if x.Arm, x.Centre, x.Body = arm, -1, of[i]; t.of.Ball(of[i]) {
			x.Centre = of[i]
		}
	}
	for k, arm := range t.arm {
		list = append(list, Part{Arm: arm, Centre: -1, Turn: t.at[t.directed[k]], Body: t.directed[k]})
	}
	return s.pairs.Parts(list)
}

// PartNames implements [Doubling], by the names that [Stepper.NameParts] gave.
func (s *Stepper) PartNames() []string {
	if len(s.names) < s.partition.count {
		return s.names
	}
	names := append([]string(nil), s.names[:s.partition.count]...)
	for part, at := range s.turns.at {
		if at > 0 {
			names = append(names, "turn of "+s.names[part])
		}
	}
	for _, part := range s.turns.directed {
		names = append(names, "direction of "+s.names[part])
	}
	return s.pairs.Names(names, s.obstacleName)
}
