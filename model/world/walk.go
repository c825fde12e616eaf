package world

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Walk is an audit of the tables of bodies, row by row; C is a row of certificates.csv.
type Walk[C any] struct {
	*run.Audit
	Q, V, Force *run.Sheet // of trajectory.csv, velocities.csv and forces.csv
	Energy      run.Rows[bodyview.Energies]
	Certificate run.Rows[C]
	Contacts    *ContactRows
	Clock       *run.Clocks
	H           float64 // length of the step that ends at the present row [s]; 0: no step of the run does
	Before      float64 // time of the row before [s]
}

// Open opens the tables; ids are the names of the bodies, obstacles of the half-spaces.
func (w *Walk[C]) Open(ids, obstacles []string) (err error) {
	w.Q, w.V, w.Force = w.Sheet(table.TrajectoryFile), w.Sheet(table.VelocitiesFile), w.Sheet(table.ForcesFile)
	w.Energy.Sheet, w.Certificate.Sheet = w.Sheet(table.EnergiesFile), w.Sheet(table.CertificatesFile)
	w.Clock = w.Clocks(w.Q, w.V, w.Force, w.Energy.Sheet, w.Certificate.Sheet)
	w.Contacts, err = newContactRows(w.Audit, ids, obstacles, w.Clock.Check)
	return err
}

// Each visits the rows, each with the contacts of its time.
func (w *Walk[C]) Each(ctx context.Context, visit func() error) error {
	stretches := w.Plan.Stretches()
	err := w.Clock.Each(ctx, func() error {
		w.H = w.Plan.StepTo(w.Q.T)
		if w.Plan.Adaptive {
			w.H, _ = dynamics.DyadicStep(stretches, w.Before, w.Q.T)
		}
		if err := w.Contacts.Read(w.Q.T); err != nil {
			return err
		}
		err := visit()
		w.Before = w.Q.T
		return err
	})
	if err == nil {
		w.Contacts.End()
	}
	return err
}

// Weights is the size of the terms of the potential energy at the present row [J], which may
// cancel, and of those of an inner origin.
func (w *Walk[C]) Weights(world *bodies.World, origin [3]float64) (size float64) {
	g := world.Gravity()
	for b := range world.Bodies() {
		mass, _ := world.Inertia(b)
		at, _ := world.Coordinates(b)
		for c := range world.Dim() {
			size += math.Abs(mass*g[c]*w.Q.Now[at+c]) + math.Abs(mass*g[c]*origin[c])
		}
		size += math.Abs(mass) * vec3.Norm(g) * vec3.Norm(world.OnAxes(b, [3]float64{})) // from its place to its centre of mass
	}
	return size
}
