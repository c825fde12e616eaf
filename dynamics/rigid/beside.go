package rigid

// Phases that steps beside the run make in pieces, see [dynamics.Phased].

// beside is how a step beside the run is made.
type beside struct {
	pieces int     // of a phase; 0: it is a step of the run
	after  bool    // the present part begins at an event …
	piece  bool    // … or is a piece
	left   int     // pieces of the present phase that are to be made …
	length float64 // … of this length [s]
}

// Beside implements [dynamics.Phased].
func (s *Stepper) Beside(pieces int) { s.beside.pieces = pieces }

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
	if x.pieces == 0 || x.piece {
		return false
	}
	x.left, x.length = x.pieces, part/float64(x.pieces)
	return true
}
