package table

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// CheckpointFile is the name of the file from which a run goes on.
const CheckpointFile = "checkpoint"

// checkpointMagic is the first line of the file; that of any version begins alike.
const (
	checkpointSign  = "quasistatic checkpoint "
	checkpointMagic = checkpointSign + "4\n"
)

// ErrNoCheckpoint says that the folder has none.
var ErrNoCheckpoint = errors.New("no checkpoint")

// CheckpointHead says to which run a checkpoint belongs. It is the second line of
// the file, as JSON; the third part is the state in the format of package gob. (Its
// scalars do not keep the sign of a zero. None of them is a zero with a sign: sums
// that begin with +0 never become −0.)
type CheckpointHead struct {
	Version string  `json:"version"`
	Inputs  string  `json:"inputs_sha256"` // of the case and the files it names
	Step    int     `json:"step"`
	Time    float64 `json:"time"`
	Files   []Sum   `json:"files,omitempty"` // of the files of the run, up to there
	SHA256  string  `json:"sha256"`          // of this line, with "" in its place, and the state
	Bytes   int     `json:"state_bytes"`
}

// WriteCheckpoint replaces the checkpoint of a folder as a whole: a crash leaves
// the old or the new one.
func WriteCheckpoint(dir string, head CheckpointHead, state any) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(state); err != nil {
		return fmt.Errorf("table: checkpoint: %w", err)
	}
	head.Bytes = body.Len()
	var err error
	if head.SHA256, err = head.sum(body.Bytes()); err != nil {
		return fmt.Errorf("table: checkpoint: %w", err)
	}
	line, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("table: checkpoint: %w", err)
	}
	if err := syncFiles(dir, CaseFile, SummaryFile); err != nil { // which make it one
		return err
	}
	name := filepath.Join(dir, CheckpointFile)
	_, first := os.Lstat(name) // the name of the folder itself is durable since then
	err = WriteAtomic(name, func(w io.Writer) error {
		_, err := w.Write(append(append([]byte(checkpointMagic), line...), '\n'))
		if err == nil {
			_, err = w.Write(body.Bytes())
		}
		return err
	})
	if err != nil || first == nil {
		return err
	}
	return syncNames(dir)
}

// sum is the SHA-256 of a checkpoint with the head h.
func (h CheckpointHead) sum(body []byte) (string, error) {
	h.SHA256 = ""
	line, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write(line)
	sum.Write(body)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ReadCheckpoint reads the checkpoint of a folder, after a check that it is of the
// version and inputs wanted. It fails with ErrNoCheckpoint if there is none.
func ReadCheckpoint(dir string, want CheckpointHead, state any) (CheckpointHead, error) {
	name := filepath.Join(dir, CheckpointFile)
	text, err := regular.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return CheckpointHead{}, fmt.Errorf("table: %s: %w", dir, ErrNoCheckpoint)
	}
	if err != nil {
		return CheckpointHead{}, fmt.Errorf("table: %w", err)
	}
	head, body, err := splitCheckpoint(text)
	if err != nil {
		return head, fmt.Errorf("table: %s: %w", name, err)
	}
	switch {
	case head.Version != want.Version:
		return head, fmt.Errorf("table: %s is of version %s, this is version %s, which may compute other digits: run the case again",
			name, clip(head.Version), want.Version)
	case head.Inputs != want.Inputs:
		return head, fmt.Errorf("table: %s is of another case: SHA-256 of its inputs %.12s…, of this case %.12s…", name,
			head.Inputs, want.Inputs)
	}
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(state); err != nil {
		return head, fmt.Errorf("table: %s: %w", name, err)
	}
	return head, nil
}

// splitCheckpoint checks that a checkpoint is whole.
func splitCheckpoint(text []byte) (head CheckpointHead, body []byte, err error) {
	rest, ok := bytes.CutPrefix(text, []byte(checkpointMagic))
	if !ok {
		return head, nil, fmt.Errorf("the first line is %q, want %q",
			clip(string(bytes.SplitN(text, []byte("\n"), 2)[0])), checkpointMagic[:len(checkpointMagic)-1])
	}
	line, body, _ := bytes.Cut(rest, []byte("\n"))
	if err := json.Unmarshal(line, &head); err != nil {
		return head, nil, fmt.Errorf("the head is damaged: %w", err)
	}
	if len(body) != head.Bytes {
		return head, nil, fmt.Errorf("the state is damaged: found %d bytes of %d", len(body), head.Bytes)
	}
	if sum, err := head.sum(body); err != nil || sum != head.SHA256 {
		return head, nil, fmt.Errorf("it is damaged: its SHA-256 is %.12s…, not the %.12s… that it was written with",
			sum, clip(head.SHA256))
	}
	return head, body, nil
}
