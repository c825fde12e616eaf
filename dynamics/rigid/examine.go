package rigid

import (
	"context"
	"math"
)

// Examination says what the theorems ask for at the present state, before a step of length h.
type Examination struct {
	Rows, Rank  int      // of the joints
	Dependent   []string // joints with rows that say nothing new …
	Lasting     bool     // … and that say nothing new after a small motion either, or there are none
	JointSpeed  float64  // largest |νᵀv| [m/s, rad/s]
	Contacts    int      // closed
	Penetration float64  // largest −Φ [m]
	Deepest     string   // where
	Pointed     Pointedness
	ConeBound   float64 // of c_FC in (3.3); +Inf unless pointed
	// Painleve is the largest μ‖W_TN‖/W_NN of a contact: from 1 on a sliding direction exists in
	// which a push pulls [-].
	Painleve  float64
	Steepest  string  // where
	Stiffness float64 // bound of h√(k/m) of the forces [-]
	Definite  bool    // M̃ of a step of this length is positive definite
}

// Examine looks at the state of the stepper; the next step is not affected. The cone is unknown if
// the context is done.
func (s *Stepper) Examine(ctx context.Context, h float64) Examination {
	if !s.linear() {
		copy(s.wOld, s.w)
		defer copy(s.w, s.wOld)
		copy(s.w, s.v)
		s.step.H = h
		s.openShifts(h)
		s.guessImpulses(0)
		s.middle(h)
	}
	x := Examination{Definite: s.prepare(terms{h, s.o.Alpha, s.o.Gamma}) == nil,
		Stiffness: h * math.Sqrt(s.stiffest(h)), Dependent: s.step.Dependent}
	if s.prepare(terms{}) != nil {
		return x
	}
	for c := range s.inv {
		inv := &s.inv[c]
		x.Rows, x.Rank = x.Rows+inv.M, x.Rank+inv.M-len(inv.Gone)
		for r := range inv.M {
			x.JointSpeed = max(x.JointSpeed, math.Abs(inv.Bands[r].Rate(s.gather(c, s.v))))
		}
	}
	x.Lasting = x.Rank == x.Rows || s.lastingRank()
	for i := range s.touches {
		if t := &s.touches[i]; -t.Gap > x.Penetration {
			x.Penetration, x.Deepest = -t.Gap, s.model.TouchName(t)
		}
	}
	s.chooseActive()
	x.Contacts = len(s.p.list)
	if s.load(1) != nil {
		return x
	}
	s.steepest(&x)
	x.Pointed, x.ConeBound = s.Cone(ctx)
	return x
}

// steepest sets Painlevé's number.
func (s *assembly) steepest(x *Examination) {
	var row [9]float64
	for k, i := range s.p.list {
		s.blockOf(&row, k)
		if n := s.mu(i) * length(row[1:s.model.Dim]) / row[0]; n > x.Painleve {
			x.Painleve, x.Steepest = n, s.model.TouchName(&s.touches[i])
		}
	}
}

// stiffest bounds the eigenvalues of −M⁻¹k_q: for each component the sum of those of its forces.
func (s *mechanics) stiffest(h float64) float64 {
	most := 0.0
	for c := range s.model.Components {
		sum := 0.0
		for _, i := range s.model.Components[c].Forces {
			k := &s.tangents[i]
			n := len(k.at)
			q, v, e, a := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
			s.model.Setup.Forces[i].Jacobian(q, v, s.t+h, &s.snap)
			mass := make([]float64, 0, n)
			for _, b := range s.model.Setup.Forces[i].Bodies() {
				for d := 0; b >= 0 && d < s.model.Bodies[b].N; d++ {
					mass = append(mass, s.model.Inertia(&s.model.Bodies[b], d))
				}
			}
			for i := range n {
				for j := range n {
					a[i*n+j] = -0.5 * (q[i*n+j] + q[j*n+i]) / math.Sqrt(mass[i]*mass[j])
				}
			}
			jacobi(a, e, n)
			top := 0.0
			for i := range n {
				top = max(top, a[i*n+i])
			}
			sum += top
		}
		most = max(most, sum)
	}
	return most
}
