package solid

import "github.com/quasistatic/quasistatic/casefile"

// NoFriction is the name that says of a contact that it is meant to have none.
const NoFriction = "none"

// Rubs reports whether a contact has friction. Where a case has laws, of which one has the name of
// nothing, the groups without are added to smooth.
func Rubs(c *Contact, laws int, smooth *[]string) bool {
	if c.Friction == nil && laws > 0 {
		*smooth = append(*smooth, c.Group)
	}
	return c.Friction != nil && *c.Friction != NoFriction
}

// NoteSmooth reports groups of the body at a path that no law is named for, where the case has
// laws.
func NoteSmooth(b *casefile.Builder, p casefile.Path, smooth []string) {
	if len(smooth) > 0 {
		b.Note("%s: %s without friction: no law is named (\"friction\": %q says that this is meant)", p.With("contact"),
			casefile.Listed(smooth), NoFriction)
	}
}
