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

	"github.com/quasistatic/quasistatic/casefile/template"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/memory"
)

// Case is a case file that follows the schema. Its document is decoded by the model.
type Case struct {
	Name        string // key name, or the file's name without ending
	Description string
	File        string // as given, for messages
	Raw         []byte // the file as read
	SHA256      string // of Raw, in hexadecimal
	Model       string // the key model

	// Memory is the most that a run may take [byte], whatever the key solver.memory
	// says; 0 means by that key, or what is free. Set it before building.
	Memory int64
	// Share is what a run may take that neither Memory nor its case bounds [byte]: the
	// budget of a study; 0: all that is free.
	Share int64
	// Accuracy is that of the verdict, whatever the key accuracy says; 0 means by that
	// key. Set it before building.
	Accuracy float64
	// Reserved: faults of the files that the case names are told by their place, and what stands
	// there is not quoted: the message goes to somebody who may not be allowed to read the file.
	Reserved bool
	// Observe are quantities to look at beside those of the key expect: names, or lines
	// without a value. Set it before building; their outcomes come last.
	Observe []json.RawMessage
	// ObservedBy names what they come from, for messages: "--of".
	ObservedBy string

	document []byte   // the text with what it says by rule written out; nil: as it is
	written  *written // of document
	included []string // files, relative to the case
}

// largest is the size of a file that is read [bytes]: a million particles with
// bonds are a tenth of it.
const largest = 1 << 30

// treeBytes bounds what a byte of a case file takes while it is read [bytes]: the text, the
// tree that is checked against the schema (a number of three digits and a comma are an
// interface and a float64, every list has its head), and the document. Measured 15 to 25
// for tables of pairs.
const treeBytes = 30

// Load reads and decodes a case file. An error is about the file system, a
// [*memory.ExceededError] where reading would take more than what is free, or an [*Error]
// with all that is wrong with the contents.
func (g *Grammar) Load(file string) (*Case, error) { return g.LoadWithin(file, 0) }

// LoadWithin is Load with a limit on what reading may take [bytes]; 0: what is free.
func (g *Grammar) LoadWithin(file string, bytes int64) (*Case, error) {
	data, err := ReadFile(file, bytes)
	if err != nil {
		return nil, err
	}
	return g.Decode(file, data)
}

// ReadFile reads the text of a case or a study, if it is a file and to read it takes no more
// than a limit [bytes]; 0: what is free.
func ReadFile(file string, limit int64) ([]byte, error) {
	if err := readable(file, limit); err != nil {
		return nil, fmt.Errorf("casefile: %w", err)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("casefile: %w", err)
	}
	defer f.Close()                                       // read only: nothing can be lost
	data, err := io.ReadAll(io.LimitReader(f, largest+1)) // it may grow
	switch {
	case err != nil:
		return nil, fmt.Errorf("casefile: %w", err)
	case len(data) > largest:
		return nil, fmt.Errorf("casefile: %s is longer than %d bytes", file, largest)
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil // the mark that some editors begin UTF-8 with
}

// readable refuses what is no file, pipes and devices among it, which may have no end, and
// files that take more than the limit [bytes]; 0: what is free.
func readable(file string, bytes int64) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory, want a case file", file)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is a pipe or a device, want a file", file)
	case info.Size() > largest:
		return fmt.Errorf("%s is longer than %d bytes", file, largest)
	case info.Size() < certainlyRead:
		return nil
	}
	limit := memory.Limit{Bytes: bytes, Source: "the limit given"}
	if bytes == 0 {
		limit = memory.Free()
	}
	var need memory.Estimate
	need.Add("reading "+filepath.Base(file), memory.Product(info.Size(), treeBytes))
	return limit.Check(need, "a shorter table, or numbers in a file of their own")
}

// certainlyRead is the size of a file that any machine has the memory for [bytes].
const certainlyRead = 1 << 20

// Decode checks a case against the grammar. The file's name is for messages, for the
// directory in which matrices are looked up, and for the case's name if it has none.
func (g *Grammar) Decode(file string, data []byte) (*Case, error) {
	return g.decode(&Case{File: file}, data)
}

// DecodeReserved is Decode of a [Case.Reserved]: what stands in the files that it includes is not
// quoted either.
func (g *Grammar) DecodeReserved(file string, data []byte) (*Case, error) {
	return g.decode(&Case{File: file, Reserved: true}, data)
}

func (g *Grammar) decode(c *Case, data []byte) (*Case, error) {
	sum, file := sha256.Sum256(data), c.File
	c.Raw, c.SHA256 = data, hex.EncodeToString(sum[:])
	f := &Faults{file: file, data: c.text(), reserved: c.Reserved}
	tree := f.parse()
	if !f.Any() && (template.Used(tree) || includes(tree)) {
		tree = g.write(c, f, tree)
	}
	if !f.Any() {
		g.check(f, tree)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	root := tree.(map[string]any)
	c.Model = root["model"].(string)
	c.Name, _ = root["name"].(string)
	c.Description, _ = root["description"].(string)
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	return c, nil
}

// Document is the JSON text of the case with parameters, expressions, repetitions and other
// files written out: the document that a model decodes.
func (c *Case) Document() []byte {
	if c.document != nil {
		return c.document
	}
	return c.text()
}

// ByRule reports whether the text has parameters, expressions, repetitions or other files.
func (c *Case) ByRule() bool { return c.written != nil }

// text is the JSON text: some editors put a mark before it.
func (c *Case) text() []byte { return bytes.TrimPrefix(c.Raw, []byte("\uFEFF")) }

// Decode reads JSON that follows the schema; a fault is one of schema and code.
func (b *Builder) Decode(p Path, raw json.RawMessage, dst any) bool {
	if err := json.Unmarshal(raw, dst); err != nil {
		b.Add(p, "%v", err)
		return false
	}
	return true
}

// check finds out the model and checks the tree against the schema.
func (g *Grammar) check(f *Faults, tree any) {
	root, ok := tree.(map[string]any)
	if !ok {
		f.Add(nil, "found %s, want an object", show(tree))
		return
	}
	if len(root) == 0 {
		f.Add(nil, "the case is empty (quasistatic init writes one to start from)")
		return
	}
	if name, ok := root["model"].(string); ok {
		switch guess := nearest.Word(name, g.models); {
		case slices.Contains(g.models, name):
		case guess != "":
			f.Add(Path{"model"}, "unknown model %q, the nearest valid one is %q", Abbreviate(name), guess)
			return
		default:
			f.Add(Path{"model"}, "unknown model %q, want one of %s", Abbreviate(name), strings.Join(g.models, ", "))
			return
		}
	}
	g.validate(f, root)
}
