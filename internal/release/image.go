package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Image packs a container image, an OCI layout, into a tar: from scratch, the program for each
// architecture of Linux, licences, and the folders that a run needs. Who runs it is no root, and works
// in /work. All times are one, so that the bytes depend on the programs alone.
func Image(w io.Writer, programs map[string][]byte, licences []byte, version string, at time.Time) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range []string{"amd64", "arm64"} {
		if programs[arch] == nil {
			continue
		}
		image, err := imageOf(arch, programs[arch], licences, version, at)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: "linux", Architecture: arch},
			Annotations: map[string]string{"org.opencontainers.image.ref.name": version}}})
	}
	dir, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	if _, err = layout.Write(dir, index); err == nil {
		err = packFolder(w, dir, at)
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// packFolder packs what a folder holds.
func packFolder(w io.Writer, dir string, at time.Time) error {
	t := tar.NewWriter(w)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o644,
			ModTime: at, Format: tar.FormatPAX}); err != nil {
			return err
		}
		_, err = t.Write(content)
		return err
	})
	return errors.Join(err, t.Close())
}

// imageOf is the image of one architecture.
func imageOf(arch string, program, licences []byte, version string, at time.Time) (v1.Image, error) {
	root, err := rootOf(program, licences, at)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(root)),
			nil
	}, tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.ConfigFile(image, &v1.ConfigFile{Architecture: arch, OS: "linux", Created: v1.Time{Time: at},
		RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{Entrypoint: []string{"/quasistatic"}, Cmd: []string{"help"}, WorkingDir: "/work", User: "1000:1000",
			Labels: map[string]string{"org.opencontainers.image.title": "quasistatic",
				"org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "BSD-3-Clause"}}})
	if err != nil {
		return nil, err
	}
	return mutate.Append(image, mutate.Addendum{Layer: layer,
		History: v1.History{Created: v1.Time{Time: at}, CreatedBy: "scripts/release"}})
}

// rootOf is the file system of an image, as a tar.
func rootOf(program, licences []byte, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, x := range []struct {
		tar.Header
		content []byte
	}{
		{tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777}, nil},
		{tar.Header{Typeflag: tar.TypeDir, Name: "work/", Mode: 0o755, Uid: 1000, Gid: 1000}, nil},
		{tar.Header{Typeflag: tar.TypeReg, Name: "LICENSES.txt", Mode: 0o644}, licences},
		{tar.Header{Typeflag: tar.TypeReg, Name: "quasistatic", Mode: 0o755}, program},
	} {
		x.Size, x.ModTime, x.Format = int64(len(x.content)), at, tar.FormatPAX
		if err := w.WriteHeader(&x.Header); err != nil {
			return nil, err
		}
		if _, err := w.Write(x.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
