package files

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/assembly"
)

// Read reads the assembly of a file, by what is in it, or of a folder of OBJ and STL files.
func Read(name string) (*assembly.Assembly, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		a, err := folder(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return a, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	a, err := Decode(text, filepath.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if a.Name == "" {
		a.Name = filepath.Base(name)
	}
	return a, nil
}

// Decode reads the text of a file; what it refers to is in folder.
func Decode(text []byte, folder string) (*assembly.Assembly, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, fmt.Errorf("no JSON object: %w", err)
	}
	switch {
	case top["dtype"] != nil:
		return compas(text)
	case top["blocks"] != nil || top["generate"] != nil:
		return native(text)
	case isBricks(top):
		return bricks(text, folder)
	}
	return nil, fmt.Errorf("neither COMPAS (dtype), nor bricks (brick_id), nor an assembly of this program (blocks or generate)")
}
