package particleview

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// certificates are the columns of certificates.csv after t.
var certificateColumns = []string{"energy", "dissipation", "work", "balance_residual", "stability_gap",
	"force_residual", "steps_since_event"}

// certificates lists the columns of a case: where bodies yield, what that has dissipated is the last.
func (s *Scene) certificates() []string {
	if s.System != nil && s.System.Remembers() {
		return append(slices.Clone(certificateColumns), "plastic_dissipation")
	}
	return certificateColumns
}

// Layout lists the tables of a run of particles: positions, global coordinates; forces of
// the obstacle in the particle's own frame; certificates; changes of contact.
func (s *Scene) Layout() *table.Layout {
	columns := func(suffixes ...string) (list []string) {
		for _, id := range s.IDs {
			for _, x := range suffixes {
				list = append(list, id+"."+x)
			}
		}
		return list
	}
	l := &table.Layout{Picture: &picture{scene: s},
		States: &table.States{Name: "status", Of: "particle", Open: s.openStates}, Sheets: []table.Sheet{
			{File: table.TrajectoryFile, Columns: columns("x", "y", "z"), Of: "particle"},
			{File: table.ForcesFile, Columns: columns("n", "tx", "ty"), Of: "particle"},
			{File: table.CertificatesFile, Columns: s.certificates(), Stays: true},
			{File: table.EventsFile, Words: []string{"particle", "from", "to"}, Columns: []string{"within"},
				Times: table.SomeRows, Stays: true}}}
	if s.Indicator != nil {
		l.Picture = &followingPicture{picture{scene: s}}
	}
	if s.Contacts != nil {
		sheet := table.Sheet{File: table.ContactsFile, Of: "contact"}
		for _, c := range s.Contacts {
			sheet.Columns = append(sheet.Columns, c.ID+".n", c.ID+".tx", c.ID+".ty")
		}
		l.Sheets = slices.Insert(l.Sheets, 3, sheet)
	}
	if len(s.Sensors) > 0 {
		l.Sheets = append(l.Sheets, table.Sheet{File: table.SensorsFile, Columns: s.Sensors, Units: s.SensorUnits})
	}
	for state := incremental.Free; state <= incremental.Slip; state++ {
		l.States.Words = append(l.States.Words, state.String())
	}
	return l
}

// snapped is the height, relative to the size of the coordinates, that is
// roundoff of the change of coordinates: a few 1e-16. (A height of 1e-16 would
// have no friction.)
const snapped = 1e-14

// snappedChart is that of obstacles that are curved or move: a length from the centre, less
// a radius, after a few turns.
const snappedChart = 1e-13

// ToLocal turns global positions at time t into the local ones of a system. Heights within roundoff
// of an obstacle become 0. It reports whether one of them is more than [ToLocalClose] allows.
func ToLocal(t float64, z []float64, sys *particles.System, x []float64) (lowered bool) {
	return toLocal(t, z, sys, x, false)
}

// ToLocalClose is ToLocal with heights that are no more than the rounding of a handful of
// operations: of coordinates that are the global ones, which go through none, with none.
func ToLocalClose(t float64, z []float64, sys *particles.System, x []float64) {
	toLocal(t, z, sys, x, true)
}

// Stay puts particles that touch, and are where they were to the rounding of the change of
// coordinates, to where they were: friction of 4e11 makes an energy of the last digit.
func Stay(z, before []float64, sys *particles.System, x []float64) {
	for j := range sys.N() {
		if f := sys.Frame(j); z[3*j+2] != 0 || before[3*j+2] != 0 || !sys.Constrained(j) || f.Exact() {
			continue
		}
		scale := math.Abs(z[3*j]) + math.Abs(z[3*j+1])
		for _, c := range x[3*j : 3*j+3] {
			scale = max(scale, math.Abs(c))
		}
		if math.Hypot(z[3*j]-before[3*j], z[3*j+1]-before[3*j+1]) <= closeness*scale {
			copy(z[3*j:3*j+2], before[3*j:3*j+2])
		}
	}
}

// closeness is that rounding, in parts of the coordinates.
const closeness = 0x1p-48

func toLocal(t float64, z []float64, sys *particles.System, x []float64, near bool) (lowered bool) {
	sys.ToLocalAt(t, z, x)
	for j := range sys.N() {
		f := sys.Frame(j)
		scale := sys.Scale(j, x)
		snap, close := snapped, closeness
		if sys.Charted(j) {
			snap = snappedChart
		}
		if f.Exact() {
			close = 0
		}
		if near {
			snap = close
		}
		if h := math.Abs(z[3*j+2]); sys.Constrained(j) && h <= snap*scale {
			lowered = lowered || h > close*scale
			z[3*j+2] = 0
		}
	}
	return lowered
}
