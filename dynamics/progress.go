package dynamics

import (
	"fmt"
	"math/bits"
	"time"
)

// Progress is where a run that chooses its steps is, or one of the pilot runs before it, by which
// they are chosen.
type Progress struct {
	Pilot   int     // steps of the pilot runs so far; 0: they are over
	Time, H float64 // where the last step has ended, and its length [s]
	Why     string  // what keeps steps from being longer; "": nothing did
}

// refusal is a pair that was too long.
type refusal struct {
	h      float64 // its length [s]
	part   int     // that was off by most, −1: the energy …
	excess float64 // … by so many times what is allowed
	err    error   // it could not be made
}

// tell says where the steps are.
func (a *Adaptive) tell(t, h float64) {
	if a.o.OnProgress == nil {
		return
	}
	s := &a.state.Stats
	pilot := s.Pilot
	if a.state.Profile == nil && a.state.Even == 0 {
		pilot += s.Accepted + s.Rejected
	} else {
		pilot = 0
	}
	now := time.Now()
	if often := pilot >= 64 && bits.OnesCount(uint(pilot)) == 1; !often && now.Sub(a.told) < time.Second/2 {
		return
	}
	a.told = now
	a.o.OnProgress(Progress{pilot, t, h, a.why()})
}

// why says what keeps steps from being longer.
func (a *Adaptive) why() string {
	switch x := &a.refused; {
	case x.h == 0:
		return ""
	case x.err != nil:
		return fmt.Sprintf("a step of %.2g s failed: %v", x.h, x.err)
	case x.part < 0:
		return fmt.Sprintf("the energy is off by %.2g times what may be in steps of %.2g s", x.excess, x.h)
	default:
		names := a.o.Names
		if v, ok := a.v.(Doubling); ok {
			names = v.PartNames()
		}
		return fmt.Sprintf("%s is off by %.2g times what may be in steps of %.2g s", partName(names, x.part), x.excess, x.h)
	}
}
