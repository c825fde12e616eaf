package local

import "github.com/quasistatic/quasistatic/contact/form"

// swept is Newton's method from the solution of the step before with sweeps after each step. What
// holds up Newton's method in a pile sits in few places: contacts that a step opens and the next
// one closes, or that turn about at the edge of their cones. The line search, which sees all
// contacts at once, then takes small parts of steps that are right everywhere else, or the steps go
// in a circle. A sweep solves each contact with the others as they are, so that the next step finds
// states that agree with each other; what goes through the whole pile, of which sweeps move little,
// is left to the steps. As sweeps mend what a step makes worse in few places, the line search
// allows some of it.
//
// Of 172 problems of 14 to 482 contacts of a pile of 200 spheres that comes to rest, to merits
// of 1e-6 to 3e-4 from the solution of the step before, [form.MethodWarm] solves 143 in 30 steps;
// with 1, 3, 6, 10, 20, 30 sweeps Newton's method as it is there solves 142, 159, 163, 166,
// 169, 168 in 60, in 12, 13, 12, 10, 8, 7 steps, and 20 sweeps cost half as much as the
// factorisation. Of 33 that take most of another such pile, in 60 steps, 14; where the step may
// be worse by 1.5, 2, 4: 16, 22, 17; and with a patience of 12, 20 and 30 (90 steps) 22, 28 and
// 29.
func (s *localRun) swept(limit int) form.Status {
	return s.newtonAs(limit, true, &newtonSwept)
}
