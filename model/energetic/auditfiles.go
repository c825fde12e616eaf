package energetic

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// companions are the files that a run wrote beside its trajectory; each may be missing.
type companions struct {
	of                           *dissipation.Coulomb
	forces, certificates, events *table.Cursor
	contacts                     *table.Cursor              // forces of particles with several obstacles
	ids                          []string                   // of particles
	names                        []string                   // of contacts
	cornered                     []particleview.Contact     // of the columns of contacts
	thinned                      bool                       // not every node is in the files
	told                         []incremental.ContactState // by the events so far
	ahead                        bool                       // the row of events is not taken yet
	leapt                        bool                       // a row of events is a jump
	since                        int                        // steps since the last event
	start                        float64                    // energy
	lost                         float64                    // dissipation at the row before
	k                            int                        // row
	walked                       bool                       // the run walked from event to event
}

// openCompanions opens the files of a run folder.
func openCompanions(f *table.Folder, of *Case, thinned bool) (*companions, error) {
	c := &companions{of: of.Psi, ids: of.IDs, names: of.ContactIDs, cornered: of.Scene.Contacts, thinned: thinned, walked: of.Walks()}
	for _, x := range []struct {
		file string
		to   **table.Cursor
	}{{table.ForcesFile, &c.forces}, {table.ContactsFile, &c.contacts}, {table.CertificatesFile, &c.certificates},
		{table.EventsFile, &c.events}} {
		if x.file == table.ContactsFile && len(c.cornered) == 0 {
			continue
		}
		var err error
		if *x.to, err = f.CursorIfAny(x.file); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

func (f *companions) close() {
	for _, c := range []*table.Cursor{f.forces, f.contacts, f.certificates, f.events} {
		if c != nil {
			_ = c.Close() // read only
		}
	}
}

// compare compares the next rows with the node that was certified; last is that node with
// the energies that the run told, walk what was walked to it, nil if the run made steps.
func (f *companions) compare(c *energetic.Certifier, last *energetic.Node, walk *eventWalk) error {
	defer func() { f.k++ }()
	for j, id := range f.ids {
		if err := f.compareForce(c, last, f.forces, table.ForcesFile, j == 0, 3*j, id, j); err != nil {
			return err
		}
	}
	for i, x := range f.cornered {
		if err := f.compareForce(c, last, f.contacts, table.ContactsFile, i == 0, 3*i, x.ID, x.Number); err != nil {
			return err
		}
	}
	var err error
	if walk != nil {
		err = f.compareWalk(walk)
	} else {
		err = f.compareEvents(c)
	}
	if err != nil {
		return err
	}
	return f.compareCertificate(c, last, walk != nil)
}

// rowsError says that files have other rows than they should.
type rowsError struct{ text string }

func (e *rowsError) Error() string { return e.text }

func rowsFault(format string, args ...any) error {
	return &rowsError{fmt.Sprintf(format, args...)}
}

// row reads the next row of a table, at time t.
func row(c *table.Cursor, file string, t float64) error {
	switch err := c.Next(); {
	case errors.Is(err, io.EOF):
		return rowsFault("%s ends before t=%g", file, t)
	case err != nil:
		return err
	case c.Row.T != t:
		return rowsFault("%s has another row at t=%g than the trajectory: t=%g", file, t, c.Row.T)
	}
	return nil
}

// compareForce compares the force of a contact at a node, in three columns of a table from one on;
// first reads its next row.
func (f *companions) compareForce(c *energetic.Certifier, n *energetic.Node, in *table.Cursor, file string, first bool,
	column int, id string, number int) error {
	if in == nil {
		return nil
	}
	if first {
		if err := row(in, file, n.T); err != nil {
			return err
		}
	}
	if f.thinned && f.of.System.Cornered(f.of.System.ContactParticle(number)) {
		return nil // how the obstacles share the force depends on the way to here
	}
	want, allowed := particleview.Reaction(n, number), c.ForceTolerance(number)
	for k, x := range in.Row.Values[column : column+3] {
		if !(math.Abs(x-want[k]) <= allowed) {
			return fmt.Errorf("t=%g: %s has the force %g N in column %s.%s, the positions make it %g N", n.T, file, x,
				id, [3]string{"n", "tx", "ty"}[k], want[k])
		}
	}
	return nil
}

// compareWalk compares events.csv with the changes of contact that a walk found on its way.
func (f *companions) compareWalk(w *eventWalk) error {
	if f.events == nil {
		return nil
	}
	for _, want := range w.changed {
		rounding := 1e-12 * w.c.plan.Until
		j, from, to, more, err := f.event(want.t + rounding)
		if err != nil {
			return err
		}
		if !more || f.events.Row.T < want.t-rounding || f.names[j] != f.names[want.contact] || from != want.from || to != want.to {
			return fmt.Errorf("%s does not tell that particle %s changes from %s to %s at t=%g", table.EventsFile,
				f.names[want.contact], want.from, want.to, want.t)
		}
		f.ahead = false
	}
	return nil
}

// sharp is the relative rounding of numbers that were computed twice from positions.
const sharp = 1e-6

// compareCertificate compares certificates.csv. Where nodes are left out, of what adds up
// over them only that it balances is known.
func (f *companions) compareCertificate(c *energetic.Certifier, n *energetic.Node, walked bool) error {
	if f.certificates == nil {
		return nil
	}
	r := f.certificates
	if err := row(r, table.CertificatesFile, n.T); err != nil {
		return err
	}
	// Of nodes at one time rounding may decide at which of them a state changes.
	since := float64(f.since)
	if r.Number("steps_since_event") == float64(n.SinceEvent) {
		since = float64(n.SinceEvent)
	}
	energy := c.EnergyTolerance()
	balance := n.Balance
	columns := []struct {
		name          string
		want, allowed float64
		known         bool
	}{
		{"energy", n.Energy, energy, true},
		{"dissipation", n.Dissipation, energy, !f.thinned},
		{"work", n.Work, energy, !f.thinned},
		{"stability_gap", n.Gap.Upper, energy, true},
		{"force_residual", n.Force, f.forceTolerance(c), !f.thinned || f.k == 0},
		{"steps_since_event", since, 0, !f.thinned && !walked},
	}
	if f.of.System.Remembers() {
		columns = append(columns, columns[1])
		columns[len(columns)-1].name, columns[len(columns)-1].want = "plastic_dissipation", n.Plastic
	}
	if f.k == 0 {
		f.start = n.Energy
	}
	if f.thinned {
		lost, work := r.Number("dissipation"), r.Number("work")
		energy += sharp * (math.Abs(lost) + math.Abs(work)) // the scales are those of the rows only
		balance = n.Energy + lost - f.start - work
		if !(lost >= f.lost-energy) {
			return fmt.Errorf("t=%g: %s has the dissipation %g J, less than at the row before, %g J", n.T,
				table.CertificatesFile, lost, f.lost)
		}
		f.lost = lost
	}
	columns = append(columns, columns[0])
	columns[len(columns)-1].name, columns[len(columns)-1].want, columns[len(columns)-1].allowed = "balance_residual", balance, energy
	for _, x := range columns {
		if got := r.Number(x.name); x.known && !(math.Abs(got-x.want) <= x.allowed+sharp*math.Abs(x.want)) {
			return fmt.Errorf("t=%g: %s has %g in column %s, the trajectory makes it %g", n.T, table.CertificatesFile, got, x.name, x.want)
		}
	}
	return nil
}

// forceTolerance is that of the residual of (DI).
func (f *companions) forceTolerance(c *energetic.Certifier) float64 {
	allowed := 0.0
	for j := range f.names {
		allowed = max(allowed, c.FrictionTolerance(j))
	}
	return allowed
}

// compareEvents follows events.csv to the time of the node: what it tells must be what the
// positions say there, but where rounding decides.
func (f *companions) compareEvents(c *energetic.Certifier) error {
	n := c.Node()
	if f.k == 0 {
		f.told, f.since = slices.Clone(n.States), 0
		return nil
	}
	f.since++
	if f.events == nil {
		f.since = n.SinceEvent
		return nil
	}
	for {
		j, from, to, more, err := f.event(n.T)
		if err != nil {
			return err
		}
		if !more || !f.thinned && !c.Possible(j, to) {
			break
		}
		if from != f.told[j] {
			return fmt.Errorf("t=%g: %s has %s change from %s, it was told to be %s", n.T, table.EventsFile, f.names[j], from, f.told[j])
		}
		f.told[j], f.since, f.ahead = to, 0, false
	}
	for j, s := range n.States {
		if !c.Possible(j, f.told[j]) && !(f.thinned && pressed(s) && pressed(f.told[j])) {
			return fmt.Errorf("t=%g: by %s %s is in the state %s, the positions say %s", n.T, table.EventsFile, f.names[j], f.told[j], s)
		}
	}
	return nil
}

func pressed(s incremental.ContactState) bool {
	return s == incremental.Stick || s == incremental.Slip
}

// event returns the next event up to the time t; false: there is none. It stays the next
// one until f.ahead is false. Jumps are no changes of state.
func (f *companions) event(t float64) (j int, from, to incremental.ContactState, more bool, err error) {
	for !f.ahead {
		err := f.events.Next()
		if errors.Is(err, io.EOF) {
			return 0, 0, 0, false, nil
		}
		if err != nil {
			return 0, 0, 0, false, err
		}
		f.ahead = !particleview.NoState(f.events.Row.Words[1])
		f.leapt = f.leapt || f.events.Row.Words[1] == particleview.JumpWord
	}
	e := &f.events.Row
	switch {
	case e.T > t:
		return 0, 0, 0, false, nil
	case e.T < t && !f.thinned && !f.walked:
		return 0, 0, 0, false, fmt.Errorf("%s has an event at t=%g, where no node is that changes so", table.EventsFile, e.T)
	}
	if j = slices.Index(f.names, e.Words[0]); j < 0 {
		return 0, 0, 0, false, f.events.Fault("the particle is %q, which the case does not have", e.Words[0])
	}
	if from, err = incremental.ParseContactState(e.Words[1]); err == nil {
		to, err = incremental.ParseContactState(e.Words[2])
	}
	if err != nil {
		return 0, 0, 0, false, f.events.Fault("%v", err)
	}
	return j, from, to, true, nil
}

// end checks that the files end with the trajectory.
func (f *companions) end(t float64) error {
	for _, x := range []struct {
		file string
		c    *table.Cursor
	}{{table.ForcesFile, f.forces}, {table.ContactsFile, f.contacts}, {table.CertificatesFile, f.certificates},
		{table.EventsFile, f.events}} {
		if x.c == nil {
			continue
		}
		if x.file == table.EventsFile && f.ahead {
			return fmt.Errorf("%s has an event at t=%g, where no node is that changes so; the trajectory ends at t=%g",
				table.EventsFile, f.events.Row.T, t)
		}
		err := x.c.Next()
		if errors.Is(err, io.EOF) || err == nil && x.file == table.EventsFile && particleview.NoState(x.c.Row.Words[1]) {
			continue
		}
		return errors.Join(err, rowsFault("%s ends at t=%g, %s goes on: rows from t=%g on are missing",
			table.TrajectoryFile, t, x.file, x.c.Row.T))
	}
	return nil
}

// nodesPlanned follows the nodes that a case plans through those of a run, which may have others
// between them, where it jumps: every n-th is written, of all.
type nodesPlanned struct {
	time         func(k int) float64
	steps, every int
	next         int
}

// observe takes a node that was written; it fails if as many planned ones were passed over since
// the last one as are written one of.
func (p *nodesPlanned) observe(t, until float64) error {
	rounding := 1e-12 * until
	for passed := 1; p.next <= p.steps && p.time(p.next) <= t+rounding; p.next, passed = p.next+1, passed+1 {
		if p.time(p.next) < t-rounding && passed == p.every {
			return rowsFault("the node at t=%g, which the case plans, is missing", p.time(p.next))
		}
	}
	return nil
}
