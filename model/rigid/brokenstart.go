package rigid

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// brokenStart objects to velocities at the start that joints do not admit where the first step, which
// takes what breaks them however short it is, destroys more of the energy than the accuracy allows:
// no run of the case could be accurate. It notes smaller ones.
func (b *builder) brokenStart(s *rigid.Stepper) {
	text, joint, share := s.StartBreaks()
	switch {
	case text == "":
	case share > b.Accuracy(&b.doc.Document.Document):
		b.Add(casefile.Path{"joints", joint}, "%s, a \"velocity\" of the centre that goes with the \"spin\", ω × r beside a joint that stands still",
			text)
	default:
		b.Note("%s", text)
	}
}
