package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Files are those that a case names, by name.
type Files map[string][]byte

// Sums are the SHA-256 of the files, in hexadecimal, by name.
func (f Files) Sums() map[string]string {
	sums := map[string]string{}
	for name, data := range f {
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	return sums
}

// Write writes the files below a folder.
func (f Files) Write(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	defer root.Close() // nothing can be lost
	for name, data := range f {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("study: the case names the file %q, want one beside it", name)
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return fmt.Errorf("study: %w", err)
		}
		if err := root.WriteFile(name, data, 0o600); err != nil {
			return fmt.Errorf("study: %w", err)
		}
	}
	return nil
}

// SetSums says what the files hold that cases name: a run that names one is another run when
// the file is another.
func (p *Plan) SetSums(sums map[string]string) { p.sums = sums }

// Words are runs that between them have every value of an axis or of a choice that is no
// number: names of files, among others.
func (p *Plan) Words() []int {
	list := []int{0}
	stride := p.size
	for i := range p.Spec.Axes {
		a := &p.Spec.Axes[i]
		stride /= a.Len()
		for k := 1; k < a.Len(); k++ {
			if slices.ContainsFunc(a.Point(k), isWord) {
				list = append(list, k*stride)
			}
		}
	}
	if p.Spec.Sample == nil {
		return list
	}
	seen := map[string]bool{}
	for i := range p.Spec.Sample.Len() {
		news := false
		for j, v := range p.sampled(i) {
			if value := fmt.Sprint(j, string(v)); isWord(v) && !seen[value] {
				seen[value], news = true, true
			}
		}
		if news && i > 0 {
			list = append(list, i)
		}
	}
	return list
}

// isWord reports whether a value is no number.
func isWord(v json.RawMessage) bool { return v[0] != '-' && (v[0] < '0' || v[0] > '9') }

// sumsNamed returns the sums of the files whose names occur in a case; nil: none does.
func (p *Plan) sumsNamed(text []byte) []byte {
	if len(p.sums) == 0 {
		return nil
	}
	named := map[string]string{}
	eachWord(text, func(word string) {
		if sum, ok := p.sums[word]; ok {
			named[word] = sum
		}
	})
	if len(named) == 0 {
		return nil
	}
	sums, _ := json.Marshal(named) // strings always can be; keys are sorted
	return sums
}

// FilesBeside lists the words of a case that are names of files in a folder, or below it.
func FilesBeside(dir string, text []byte) []string {
	var list []string
	eachWord(text, func(word string) {
		if !filepath.IsLocal(word) || slices.Contains(list, word) {
			return
		}
		if info, err := os.Stat(filepath.Join(dir, word)); err == nil && info.Mode().IsRegular() {
			list = append(list, word)
		}
	})
	slices.Sort(list)
	return list
}

// eachWord visits the strings of a text in JSON, but the keys.
func eachWord(text []byte, visit func(word string)) {
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			visit(v)
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(tree)
}
