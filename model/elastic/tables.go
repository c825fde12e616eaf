package elastic

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// certificate is a row of certificates.csv.
type certificate struct {
	Identity    float64 `column:"identity"`    // largest violation of the identity (51) in a step so far [J]
	Residual    float64 `column:"residual"`    // of the contact problem
	Penetration float64 `column:"penetration"` // largest so far [m]
	Iterations  float64 `column:"iterations"`  // of the step
	Contraction float64 `column:"contraction"` // measured; 0: it was not
}

// energies is a row of energies.csv: the state's, and works since the start [J].
type energies struct {
	Kinetic     float64 `column:"kinetic"`
	Elastic     float64 `column:"elastic"`
	External    float64 `column:"external"`
	Contact     float64 `column:"contact"`
	Friction    float64 `column:"friction"`
	Dissipation float64 `column:"dissipation"`
	Drift       float64 `column:"drift"`
}

// layout lists the tables of a run: displacements and forces of the contact nodes, with the states of
// friction behind all forces, energies, certificates, changes of state, and now and then all nodes.
func layout(m *elastic.Model) *table.Layout {
	dim := m.Mesh.Dim
	var positions, forces, moves, speeds []string
	for _, i := range m.Followed() {
		for _, axis := range []string{"x", "y", "z"}[:dim] {
			positions = append(positions, fmt.Sprintf("%s.u%s", m.NodeName(i), axis))
		}
	}
	for _, c := range m.Contacts {
		for _, axis := range []string{"n", "t", "o"}[:max(dim, 2)] {
			forces = append(forces, fmt.Sprintf("%s.%s", m.NodeName(c.Node), axis))
		}
	}
	units := map[string]string{}
	for k, c := range m.Contacts {
		if l, is := m.Stateful(k); is {
			forces = append(forces, fmt.Sprintf("%s.state", m.NodeName(c.Node)))
			if _, way := l.(friction.Weakening); way {
				units[forces[len(forces)-1]] = "m"
			}
		}
	}
	for i := range m.Mesh.NumNodes() {
		for _, axis := range []string{"x", "y", "z"}[:dim] {
			name := m.NodeName(i)
			moves, speeds = append(moves, fmt.Sprintf("%s.u%s", name, axis)), append(speeds, fmt.Sprintf("%s.v%s", name, axis))
		}
	}
	return &table.Layout{Picture: meshview.NewPicture(m), Sheets: []table.Sheet{
		{File: table.TrajectoryFile, Columns: positions, Of: "node"}, {File: table.ForcesFile, Columns: forces, Of: "node", Units: units},
		{File: table.EnergiesFile, Columns: table.ColumnsOf[energies](), Stays: true},
		{File: table.CertificatesFile, Columns: table.ColumnsOf[certificate](), Stays: true},
		{File: table.DisplacementsFile, Columns: moves, Of: "node", Times: table.ShotTimes},
		{File: table.VelocitiesFile, Columns: speeds, Of: "node", Times: table.ShotTimes},
		{File: table.EventsFile, Words: []string{"node", "from", "to"}, Columns: []string{"within"}, Times: table.SomeRows, Stays: true}}}
}

const (
	// mostShots is the number of times at which all nodes are written, fewer for large
	// meshes: shotValues bounds the numbers in a file. They come in pairs, two steps that
	// follow each other, from which the equations of motion can be checked.
	mostShots  = 240
	shotValues = 2_000_000
)

// shots says when all nodes are written.
type shots struct {
	Next   float64 // time of the next one [s]
	Paired bool    // the last step was the first one of a pair
}

// due reports whether the nodes at a time are written.
func (s *shots) due(t, pause float64, last bool) bool {
	due, second := t >= s.Next, s.Paired
	s.Paired = due
	if !due && !last && !second {
		return false
	}
	for s.Next <= t { // times of steps are exact multiples; nothing drifts
		s.Next += pause
	}
	return true
}

// Row writes row k and takes it into the totals.
func (r *Run) Row(k int, out *run.Output) error {
	s, m := r.stepper, r.c.Model
	r.count(k)
	t, h, dim := s.State().T, out.StepLength(), m.Mesh.Dim
	for i, to := range r.states {
		name := m.NodeName(m.Contacts[i].Node)
		if k == 0 {
			out.State(run.Event{T: t, Name: name, To: to.String(), Smooth: m.Friction[i] == 0})
		}
		if from := r.before[i]; k > 0 && to != from {
			if err := out.Event(run.Event{T: t - h, Within: h, Name: name,
				From: from.String(), To: to.String(), Smooth: m.Friction[i] == 0}); err != nil {
				return err
			}
		}
	}
	r.nodes = s.Displacement(r.nodes)
	r.strains.Observe(m.Mesh, m.Material.Kinematics, r.nodes, t)
	if r.overlap.shapes != nil {
		r.overlap.observe(r.c, t, r.nodes)
	}
	pause := 2 * r.c.plan.Until / float64(max(8, min(mostShots, shotValues/len(m.Mesh.X))))
	last := t >= r.c.plan.Until || k == r.c.plan.Steps && !r.c.plan.Adaptive
	if row := k%max(1, r.c.plan.Every) == 0 || last; row && r.shots.due(t, pause, last) { // where the other tables have rows
		r.speeds = s.Velocity(r.speeds)
		if err := out.Write(table.DisplacementsFile, t, nil, r.nodes...); err != nil {
			return err
		}
		if err := out.Write(table.VelocitiesFile, t, nil, r.speeds...); err != nil {
			return err
		}
	}
	at := r.row[:0]
	for _, i := range r.followed {
		at = append(at, r.nodes[dim*i:dim*i+dim]...)
	}
	r.row = at
	r.forces = append(r.forces[:0], s.State().R...)
	for i, state := range s.State().Friction {
		if _, is := m.Stateful(i); is {
			r.forces = append(r.forces, state)
		}
	}
	e, b, st := s.Energies(), s.Balance(), s.Stats()
	works := energies{e.Kinetic, e.Elastic, b.External, b.Contact, b.Friction, b.Dissipation, b.Drift}
	return out.Row(k, t, at, r.forces, table.ValuesOf(&works),
		table.ValuesOf(&certificate{b.Identity, st.Residual, b.Penetration, float64(st.Iterations), st.Contraction}))
}
