package table

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// Names of the files in a run folder.
const (
	CaseFile          = "case.json"
	TrajectoryFile    = "trajectory.csv"
	VelocitiesFile    = "velocities.csv"
	ForcesFile        = "forces.csv"
	EnergiesFile      = "energies.csv"
	CertificatesFile  = "certificates.csv"
	ContactsFile      = "contacts.csv"
	ImpulsesFile      = "impulses.csv"
	CollisionsFile    = "collisions.csv"
	SensorsFile       = "sensors.csv" // quantities that a case asks for
	DisplacementsFile = "displacements.csv"
	EventsFile        = "events.csv"
	SummaryFile       = "summary.json"
	FinalFile         = "final.vtu"   // the last state of a body with a mesh; of further ones final.1.vtu, …
	BetterFile        = "better.json" // states that a search found to be better, if any
)

// Options say what is written. The zero value works.
type Options struct {
	// Every thins out the tables with a row at every time to every n-th; the first and the
	// last one are always written. 0 means 1. Events are complete.
	Every int
}

// CopyFile copies a file beside a case into the run folder, under the same
// relative name.
func CopyFile(dir, name, from string) error {
	dst := filepath.Join(dir, name)
	if same(dst, from) {
		return nil
	}
	src, err := regular.Open(from)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	defer src.Close() // read only: nothing can be lost
	if err := os.MkdirAll(filepath.Dir(dst), 0o777); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return WriteAtomic(dst, func(w io.Writer) error {
		_, err := io.Copy(w, src)
		return err
	})
}

// same reports whether two names are of one file, which must not be overwritten
// by itself.
func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// TouchWord is what contacts without friction do in [EventsFile] that bear a force.
const TouchWord = "touch"
