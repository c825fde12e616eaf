package rigid

// Phases that steps beside the run make in pieces, see [dynamics.Phased].

// phasePieces are those of a phase. With f(t) linear in it, of length s, the place of a scheme of second order is off by
// s³ḟ/12m in one part, by φ³ + (1−φ)³ of that, a quarter at least, where a step of the run ends within it, and by 1/n²
// of it in n: of n = 4 the distance is 3/4 to 15/16 of what the run is off by, and of n = 2 it may be zero.
const phasePieces = 4

// beside is how a step beside the run is made.
type beside struct {
	on     bool
	after  bool    // the present part begins at an event …
	piece  bool    // … or is a piece
	left   int     // pieces of the present phase that are to be made …
	length float64 // … of this length [s]
}

// Beside implements [dynamics.Phased].
func (s *Stepper) Beside(on bool) { s.beside.on = on }

// begin begins a step.
func (x *beside) begin() { x.after, x.piece, x.left = false, false, 0 }

// event says that the next part begins at one.
func (x *beside) event() { x.after, x.piece, x.left = true, false, 0 }

// next is the length of the next part, that may be as long as most: of what is left of the step after an event it is a
// piece. The last piece may be longer: it ends where the event is found again.
func (x *beside) next(most float64) float64 {
	x.piece = x.left > 0 || x.after && x.divides(most)
	if x.after = false; x.piece {
		if x.left--; x.left > 0 {
			return min(x.length, most)
		}
	}
	return most
}

// divides reports whether a part that begins or ends at an event is to be made in pieces, the first of which is next.
func (x *beside) divides(part float64) bool {
	if !x.on || x.piece {
		return false
	}
	x.left, x.length = phasePieces, part/phasePieces
	return true
}
