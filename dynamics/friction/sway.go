package friction

// What the schemes hold of a contact that sticks is a mean of two velocities,
//
//	θv + (1−θ)v' = s₀,  θ = 1 − α of the schemes of Gavrea, Anitescu and Potra,
//
// in a step of h, s₀ the mean velocity of what it sticks to, which goes at w at the start and at w' at the end.
// So its lag e = v − w obeys θe + (1−θ)e' = d, and the velocity changes by
//
//	v' − v = w' − w − (e − d)/(1 − θ),  d = s₀ − θw − (1−θ)w' = (θ − ½)hẇ + O(h²).
//
// With e = d the force of friction is that of the motion, and in steps of one length the lag stays d. What e
// is off by, the sway e − d, is an error of the scheme, which the step takes with a force of m/((1−θ)h) times
// it: in one that is much shorter than the one before that may be more than friction at rest holds.

// Sway returns e − d along one direction [m/s], of the slip e of what sticks to what it sticks to at the start of a step of
// weight theta, before a jump if there is one: a jump of w is no error of the scheme, and friction has to take it. s₀ is
// mean, w first, after a jump, and w' last. Between bodies all three are zero.
func Sway(slip, mean, first, last, theta float64) float64 {
	return slip - (mean - theta*first - (1-theta)*last)
}

// IsSway reports whether the slip of what stuck, with friction at rest on its bound, is no more than what is left
// of a sway: without that the slip would be slip − sway, driven by friction itself, so that friction holds.
func IsSway(slip, sway [2]float64) bool {
	return slip[0]*slip[0]+slip[1]*slip[1] <= slip[0]*sway[0]+slip[1]*sway[1]
}

// Lift is the sway of a contact along its normal, which its normal force takes as friction takes that along the surface.
type Lift struct {
	Sway float64    // off what it touches [m/s]
	W    [9]float64 // its own block, row by row
	Dim  int
}

// Slips returns by how much more it slips along a unit vector for that, in a step with friction μN against it: the normal
// force is lower by N' = e/(W_NN − μW_NT), e the sway, and the slip larger by (μW_TT − W_TN)N'. None without a sway, and where
// friction would drive the contact into what it touches.
func (x *Lift) Slips(mu float64, along [2]float64) float64 {
	if x.Sway == 0 {
		return 0
	}
	push := [3]float64{1, -mu * along[0], -mu * along[1]}
	normal, slip := 0.0, 0.0
	for d := range x.Dim {
		normal += x.W[d] * push[d]
		for k := 1; k < x.Dim; k++ {
			slip -= along[k-1] * x.W[k*x.Dim+d] * push[d]
		}
	}
	if !(normal > 0) {
		return 0
	}
	return x.Sway * slip / normal
}
