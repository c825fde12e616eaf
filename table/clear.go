package table

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReportFile is the page of a run.
const ReportFile = "report.html"

// pictures are those that a run draws, as far as they have one name.
var pictures = []string{"overview", "microslip", "surface"}

// Clear makes the folder of a run, if it is not there, and takes away what an
// earlier run left that could be taken for this one's.
func Clear(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	names := []string{CheckpointFile, SummaryFile, CertificatesFile, EventsFile, ForcesFile, VelocitiesFile, EnergiesFile, ContactsFile, ImpulsesFile, CollisionsFile, DisplacementsFile}
	if _, err := os.Stat(filepath.Join(dir, SummaryFile)); err == nil { // else they are not of a run
		names = append([]string{BetterFile, ReportFile}, names...)
		for _, p := range pictures {
			names = append([]string{p + ".svg", p + ".png"}, names...)
		}
	}
	for _, name := range []string{ForcesFile, ContactsFile, ImpulsesFile, DisplacementsFile} { // of Parquet, beside the trajectory
		names = append(names, strings.TrimSuffix(name, ".csv")+"."+string(Parquet))
	}
	for _, f := range Formats {
		names = append(names, f.File())
	}
	for _, name := range names {
		if err := remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := clearBodies(dir); err != nil {
		return err
	}
	if err := os.RemoveAll(vtuFolder(filepath.Join(dir, VTU.File()))); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return ClearParts(dir)
}

// ClearParts takes away the temporary files of a program that was killed.
func ClearParts(dir string) error {
	parts, err := filepath.Glob(filepath.Join(dir, ".*.part-*"))
	if err != nil {
		return nil // the folder's name is not a pattern: its parts stay
	}
	for _, p := range parts {
		if err := os.RemoveAll(p); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	return nil
}

// ClearFrames takes away trajectory.csv and forces.csv, once they were written in
// another format.
func ClearFrames(dir string) error {
	for _, name := range csvNames {
		if err := remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// ClearCheckpoint takes away the checkpoint of a run that is complete.
func ClearCheckpoint(dir string) error {
	return remove(filepath.Join(dir, CheckpointFile))
}

// remove takes a file away, if it is there.
func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}
