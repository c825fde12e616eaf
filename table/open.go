package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// Format is one of the formats of trajectory and forces.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	NPZ     Format = "npz"
	Parquet Format = "parquet"
	VTU     Format = "vtu"
)

// formats lists them, the one that a run writes as it goes first.
var formats = []Format{CSV, NPZ, Parquet, VTU}

// File returns the name of the file in a run folder that has the trajectory.
func (f Format) File() string {
	if f == VTU {
		return "trajectory.pvd"
	}
	return "trajectory." + string(f)
}

// ParseFormat checks a name.
func ParseFormat(name string) (Format, error) {
	var all []string
	for _, f := range formats {
		if string(f) == name {
			return f, nil
		}
		all = append(all, string(f))
	}
	return "", fmt.Errorf("unknown format %q, want one of %s", clip(name), strings.Join(all, ", "))
}

// formatOf returns the format of a run folder; CSV goes first if there are
// several, for it is what a run writes.
func formatOf(dir string) (Format, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("table: %s: no such folder", dir)
	case err != nil:
		return "", fmt.Errorf("table: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("table: %s is not a folder, want the folder of a run, for instance out/grazing", dir)
	}
	for _, f := range formats {
		if _, err := os.Stat(filepath.Join(dir, f.File())); err == nil {
			return f, nil
		}
	}
	return "", fmt.Errorf("table: %s has no %s, nor one of another format: is it the folder of a run?", dir, TrajectoryFile)
}

// ReadSummary reads the summary of a run folder. One that is not what the run wrote, by its
// seal, is a [DamageError].
func ReadSummary(dir string) (*Summary, error) {
	var s Summary
	if err := readSummary(dir, &s); err != nil {
		return nil, err
	}
	return &s, nil
}

// readSummary reads parts of the summary.
func readSummary(dir string, dst any) error {
	text, err := summaryText(dir, dst)
	if err != nil {
		return err
	}
	return checkSeal(filepath.Join(dir, SummaryFile), text)
}

// summaryText reads parts of a summary of any version, and its text.
func summaryText(dir string, dst any) ([]byte, error) {
	name := filepath.Join(dir, SummaryFile)
	text, err := regular.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("table: %s is missing: is it the folder of a run? %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if err := json.Unmarshal(text, dst); err != nil {
		return nil, fmt.Errorf("table: %s: %w", name, err)
	}
	return text, nil
}
