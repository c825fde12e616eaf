package study

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// Fold packs the files of a folder, for [Outcome.Files] and for checkpoints. The names
// given go first: a checkpoint is older than the files that grow on beyond it.
func Fold(dir string, first ...string) ([]byte, error) {
	var buffer bytes.Buffer
	w := tar.NewWriter(&buffer)
	packed := map[string]bool{}
	for _, name := range first {
		if err := packFile(w, dir, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("study: %w", err)
		}
		packed[name] = true
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err = filepath.Rel(dir, name)
		if err != nil || packed[name] {
			return err
		}
		return packFile(w, dir, name)
	})
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	return buffer.Bytes(), nil
}

// packFile packs one file as it is now: it may grow meanwhile.
func packFile(w *tar.Writer, dir, name string) error {
	data, err := regular.ReadFile(filepath.Join(dir, name))
	if err == nil {
		err = w.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(data))})
	}
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// Unfold writes files packed by [Fold] into a folder; all of them, or none that it cannot write.
func Unfold(dir string, data []byte) error {
	if err := checkPacked(data); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	root, err := os.OpenRoot(dir) // whatever links lie in it
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	defer root.Close() // nothing can be lost
	return eachPacked(data, func(name string, in io.Reader) error { return write(root, filepath.FromSlash(name), in) })
}

// longestName is that of a packed file [bytes]: what file systems take as one element of a path.
const longestName = 255

// checkPacked refuses files that [Fold] has not packed and no folder can have: somebody else may
// have left names that lead out of it, names of folders, or a file and others below it.
func checkPacked(data []byte) error {
	names := map[string]bool{}
	err := eachPacked(data, func(name string, in io.Reader) error {
		if !fs.ValidPath(name) || name == "." || len(name) > longestName || strings.ContainsRune(name, 0) {
			return fmt.Errorf("packed file %q: not within a folder", short([]byte(name)))
		}
		names[name] = true
		_, err := io.Copy(io.Discard, in)
		return err
	})
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for dir := path.Dir(name); dir != "." && err == nil; dir = path.Dir(dir) {
			if names[dir] {
				err = fmt.Errorf("study: packed file %q: below another file", name)
			}
		}
	}
	return err
}

// unpacked returns the files packed by [Fold], by their names; false: it was no folder.
func unpacked(data []byte) (files map[string][]byte, isFolder bool) {
	files = map[string][]byte{}
	err := eachPacked(data, func(name string, in io.Reader) (err error) {
		files[name], err = io.ReadAll(in)
		return err
	})
	return files, err == nil && len(files) > 0
}

// eachPacked visits the files packed by [Fold], which lie in the data whole: somebody else may have
// left a format of tar that stands for more than it has, holes of sparse files among others.
func eachPacked(data []byte, visit func(name string, in io.Reader) error) error {
	r, room := tar.NewReader(bytes.NewReader(data)), int64(len(data))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("study: packed files: %w", err)
		}
		if room -= h.Size; h.Typeflag != tar.TypeReg || room < 0 {
			return fmt.Errorf("study: packed file %q: want files, of at most the %d bytes that all are packed in", h.Name, len(data))
		}
		if err := visit(h.Name, r); err != nil {
			return fmt.Errorf("study: %w", err)
		}
	}
}

// write writes a file below a folder, and nowhere else.
func write(root *os.Root, name string, r io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
