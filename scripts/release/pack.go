package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"time"
)

// A member is a file of an archive.
type member struct {
	name    string
	content []byte
	program bool // may be run
}

func (m member) mode() int64 {
	if m.program {
		return 0o755
	}
	return 0o644
}

// tarball packs the members into the folder base. Owners are left out and all times are one, so that
// the bytes depend on the members alone.
func tarball(w io.Writer, base string, members []member, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, m := range members {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: base + "/" + m.name, Size: int64(len(m.content)), Mode: m.mode(), ModTime: at, Format: tar.FormatPAX}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(m.content); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// zipped does the same for Windows.
func zipped(w io.Writer, base string, members []member, at time.Time) error {
	z := zip.NewWriter(w)
	for _, m := range members {
		f, err := z.CreateHeader(&zip.FileHeader{Name: base + "/" + m.name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		if _, err := f.Write(m.content); err != nil {
			return err
		}
	}
	return z.Close()
}
