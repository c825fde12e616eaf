package rigid

import (
	"errors"
	"testing"
)

// TestGives: a step with bends that makes energy, by whatever part of the ledger, is an error where
// it may be cut; rounding, losses and other steps are none.
func TestGives(t *testing.T) {
	s := garden(t, 2, Options{})
	for i := range s.v {
		s.v[i] = 1
	}
	k := s.kinetic(s.v)
	for _, c := range []struct {
		curved, may bool
		made        float64 // of k
		want        bool
	}{{true, true, 1e-6, true}, {true, true, .5 * gainNoise, false}, {true, true, -1, false}, {false, true, 1, false}, {true, false, 1, false}} {
		for part := range 5 {
			s.ledger = Energy{Friction: .25, Normal: -.5, Impact: 1, Joints: .125, Scheme: 2}
			before := s.ledger.lost()
			for i, x := range []*float64{&s.ledger.Friction, &s.ledger.Normal, &s.ledger.Impact, &s.ledger.Joints, &s.ledger.Scheme} {
				if i == part {
					*x -= c.made * k
				}
			}
			s.curved, s.maySink = c.curved, c.may
			err := s.gives(before)
			if _, sinks := errors.AsType[*sinkError](err); sinks != c.want || (err != nil) != c.want {
				t.Errorf("%+v, part %d: %v", c, part, err)
			}
		}
	}
}
