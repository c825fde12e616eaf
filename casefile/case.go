package casefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// Case is a case file that follows the schema.
type Case struct {
	Name        string // key name, or the file's name without ending
	Description string
	File        string // as given, for messages
	Raw         []byte // the file as read
	SHA256      string // of Raw, in hexadecimal

	Model string // energetic, compliant, theta, rigid or elastodynamic

	// Memory is the most that a run may take [byte], whatever the key solver.memory
	// says; 0 means by that key, or what is free. Set it before building.
	Memory int64

	document  energeticDocument
	motion    motionDocument
	multibody multibodyDocument
	elastic   elasticDocument
}

// largest is the size of a file that is read [bytes]: a million particles with
// bonds are a tenth of it.
const largest = 1 << 30

// Load reads and decodes a case file. An error is about the file system, or an
// [*Error] with all that is wrong with the contents.
func Load(file string) (*Case, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("casefile: %w", err)
	}
	defer f.Close() // read only: nothing can be lost
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("casefile: %s is a directory, want a case file", file)
	}
	// Not by the size it claims: a pipe has none, a device no end.
	data, err := io.ReadAll(io.LimitReader(f, largest+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("casefile: %w", err)
	case len(data) > largest:
		return nil, fmt.Errorf("casefile: %s is longer than %d bytes", file, largest)
	}
	return Decode(file, data)
}

// Decode decodes a case. The file's name is for messages, for the directory in
// which matrices are looked up, and for the case's name if it has none.
func Decode(file string, data []byte) (*Case, error) {
	sum := sha256.Sum256(data)
	c := &Case{File: file, Raw: data, SHA256: hex.EncodeToString(sum[:])}
	f := &faults{file: file, data: c.text()}
	tree := f.parse()
	if !f.any() {
		f.check(tree)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	switch c.Model = tree.(map[string]any)["model"].(string); c.Model {
	case "energetic":
		f.fill(c.text(), &c.document)
		c.Name, c.Description = c.document.Name, c.document.Description
	case "elastodynamic":
		f.fill(c.text(), &c.elastic)
		c.Name, c.Description = c.elastic.Name, c.elastic.Description
	case "rigid":
		f.fill(c.text(), &c.multibody)
		c.Name, c.Description = c.multibody.Name, c.multibody.Description
	default:
		f.fill(c.text(), &c.motion)
		c.Name, c.Description = c.motion.Name, c.motion.Description
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	return c, nil
}

// fill decodes a text that follows the schema.
func (f *faults) fill(text []byte, document any) {
	if err := json.Unmarshal(text, document); err != nil {
		f.add(nil, "%v", err)
	}
}

// text is the JSON text: some editors put a mark before it.
func (c *Case) text() []byte { return bytes.TrimPrefix(c.Raw, []byte("\uFEFF")) }

// models are the values of the key model.
var models = []string{"energetic", "compliant", "theta", "rigid", "elastodynamic"}

// check finds out the model and checks the tree against the schema.
func (f *faults) check(tree any) {
	root, ok := tree.(map[string]any)
	if !ok {
		f.add(nil, "found %s, want an object", show(tree))
		return
	}
	if len(root) == 0 {
		f.add(nil, "the case is empty (quasistatic init writes one to start from)")
		return
	}
	if name, ok := root["model"].(string); ok {
		switch guess := nearest.Word(name, models); {
		case slices.Contains(models, name):
		case guess != "":
			f.add(path{"model"}, "unknown model %q, the nearest valid one is %q", abbreviate(name), guess)
			return
		default:
			f.add(path{"model"}, "unknown model %q, want one of %s", abbreviate(name), strings.Join(models, ", "))
			return
		}
	}
	f.validate(tree)
}
