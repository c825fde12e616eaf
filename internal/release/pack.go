package release

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"time"
)

// Targets are the systems and processors that get an archive each.
func Targets() []string {
	return []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"}
}

// A Member is a file of an archive.
type Member struct {
	Name    string
	Content []byte
	Program bool // may be run
}

func (m Member) mode() int64 {
	if m.Program {
		return 0o755
	}
	return 0o644
}

// Tarball packs the members into the folder base. Owners are left out and all times are one, so that
// the bytes depend on the members alone.
func Tarball(w io.Writer, base string, members []Member, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, m := range members {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: base + "/" + m.Name, Size: int64(len(m.Content)),
			Mode: m.mode(), ModTime: at, Format: tar.FormatPAX}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(m.Content); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// Zipped does the same for Windows.
func Zipped(w io.Writer, base string, members []Member, at time.Time) error {
	z := zip.NewWriter(w)
	for _, m := range members {
		f, err := z.CreateHeader(&zip.FileHeader{Name: base + "/" + m.Name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		if _, err := f.Write(m.Content); err != nil {
			return err
		}
	}
	return z.Close()
}
