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
