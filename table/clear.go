package table

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/regular"
)

// ReportFile is the page of a run.
const ReportFile = "report.html"

// pictures are those that a run draws, as far as they have one name.
var pictures = []string{"overview", "microslip", "surface"}

// ForeignError is a folder that is neither empty nor that of a run.
type ForeignError struct {
	Dir   string
	Files []string // that would be removed or overwritten; none: the folder just has other files
	Other string   // a file that no run leaves
}

func (e *ForeignError) Error() string {
	text := fmt.Sprintf("%s is not empty, and not the folder of a run: it has %s", e.Dir, strconv.QuoteToGraphic(clip(e.Other)))
	if len(e.Files) > 0 {
		text += fmt.Sprintf(", and %s, which would be lost", strings.Join(e.Files, ", "))
	}
	return text + "; want another folder, or --force"
}

// Clear makes the folder of a run, if it is not there, and takes away what an earlier run
// left that could be taken for this one's; claim, called before anything else goes, puts
// the sign of the new run in place, its summary. A folder that is neither empty nor that
// of a run is a [ForeignError], unless it is forced; Clear returns the files that it
// removed there.
func Clear(dir string, force bool, claim func() error) (removed []string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	own, err := isRun(dir)
	if err != nil {
		return nil, err
	}
	earlier := leftBy(dir)
	var gone []string
	other := ""
	for _, e := range entries {
		name := e.Name()
		switch {
		case isPart(name):
		case name == SummaryFile || name == CaseFile: // replaced as a whole
			other = cmp.Or(other, name)
			if !own {
				removed = append(removed, name)
			}
		default:
			other = cmp.Or(other, name)
			if earlier(e) {
				gone = append(gone, name)
			}
		}
	}
	if !own {
		removed = append(removed, gone...)
		if other != "" && !force {
			return nil, &ForeignError{Dir: dir, Files: removed, Other: other}
		}
	}
	if err := claim(); err != nil {
		return nil, err
	}
	for _, name := range gone {
		if err := disk.RemoveAll(filepath.Join(dir, name)); err != nil {
			return removed, fmt.Errorf("table: %w", err)
		}
	}
	return removed, ClearParts(dir)
}

// isRun reports whether a folder is that of a run: its summary or its checkpoint says so.
func isRun(dir string) (bool, error) {
	for _, sign := range []struct {
		file string
		of   func(text []byte) bool
	}{{SummaryFile, isSummary}, {CheckpointFile, func(text []byte) bool { return bytes.HasPrefix(text, []byte(checkpointSign)) }}} {
		f, err := regular.Open(filepath.Join(dir, sign.file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, fmt.Errorf("table: %w", err)
		}
		const longest = 64 << 20 // of a summary [bytes]
		text, err := io.ReadAll(io.LimitReader(f, longest))
		_ = f.Close() // read only
		if err == nil && sign.of(text) {
			return true, nil
		}
	}
	return false, nil
}

// isSummary reports whether a text is the summary of a run.
func isSummary(text []byte) bool {
	var s struct {
		Version string `json:"version"`
		Case    string `json:"case_sha256"`
		Status  Status `json:"status"`
	}
	return json.Unmarshal(text, &s) == nil && s.Version != "" && len(s.Case) == 2*sha256.Size && s.Status != ""
}

// resultNames returns the names of the files that runs leave.
func resultNames() []string {
	names := []string{CheckpointFile, CertificatesFile, EventsFile, ForcesFile, VelocitiesFile, EnergiesFile,
		ContactsFile, ImpulsesFile, CollisionsFile, SensorsFile,
		DisplacementsFile, ElementsFile, StressFile, BetterFile, ReportFile}
	for _, p := range pictures {
		names = append(names, p+".svg", p+".png")
	}
	for _, f := range formats {
		names = append(names, f.File())
	}
	return names
}

// IsResult reports whether a run writes a file of this name into its folder.
func IsResult(name string) bool {
	return name == CaseFile || name == SummaryFile || slices.Contains(resultNames(), name)
}

// leftBy returns what knows the files that an earlier run left in a folder: those that its
// summary names, and the names that runs use.
func leftBy(dir string) func(fs.DirEntry) bool {
	names := resultNames()
	var h head
	if _, err := summaryText(dir, &h); err == nil { // else it left no list
		for i := range h.Files {
			names = append(names, h.Files[i].File)
		}
	}
	nodes := filepath.Base(vtuFolder(VTU.File()))
	return func(e fs.DirEntry) bool {
		if e.IsDir() {
			return e.Name() == nodes
		}
		return slices.Contains(names, e.Name()) || isFinal(e.Name()) || isArchive(e.Name())
	}
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
