package table

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ExportOptions say what is exported. The zero value works.
type ExportOptions struct {
	Every int    // every n-th node, and the last one; 0 means 1
	To    string // folder; empty: that of the run
}

// Export writes the frames of a run folder in another format and returns how many
// there were. Memory does not grow with the number of nodes.
func Export(ctx context.Context, dir string, scene *Scene, format Format, o ExportOptions) (frames int, err error) {
	if o.To == "" {
		o.To = dir
	}
	if err := os.MkdirAll(o.To, 0o777); err != nil {
		return 0, fmt.Errorf("table: %w", err)
	}
	if from, err := FormatOf(dir); err == nil && from == format && same(dir, o.To) && o.Every <= 1 {
		return 0, fmt.Errorf("table: %s is in the format %s already", dir, format)
	}
	src, err := Open(dir, scene)
	if err != nil {
		return 0, err
	}
	defer src.Close() // read only
	sink, err := newSink(filepath.Join(o.To, format.File()), scene, format)
	if err != nil {
		return 0, fmt.Errorf("table: %w", err)
	}
	every := max(1, o.Every)
	frames, err = copyFrames(ctx, sink, src, len(scene.IDs), every)
	if s, ok := sink.(*npzSink); ok && err == nil {
		err = copyCertificates(s, filepath.Join(dir, CertificatesFile), every)
	}
	if err := sink.Close(err); err != nil {
		return 0, err
	}
	return frames, nil
}

func newSink(name string, scene *Scene, format Format) (Sink, error) {
	switch format {
	case NPZ:
		return newNPZ(name, scene.IDs)
	case Parquet:
		return newParquet(name, scene.IDs)
	case VTU:
		return newVTU(name, scene)
	}
	return newCSV(filepath.Dir(name), scene.IDs)
}

// copyFrames copies every n-th frame and the last one.
func copyFrames(ctx context.Context, sink Sink, src Source, n, every int) (int, error) {
	f := NewFrame(n)
	written := 0
	for k := 0; ; k++ {
		err := src.Next(f)
		if err == io.EOF {
			if k > 0 && (k-1)%every != 0 { // f still holds the last one
				written++
				err = sink.Put(f)
			} else {
				err = nil
			}
			if k == 0 {
				err = fmt.Errorf("table: the run has no nodes")
			}
			return written, err
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && k%every == 0 {
			written++
			err = sink.Put(f)
		}
		if err != nil {
			return written, err
		}
	}
}

// copyCertificates adds the certificates of the same nodes; a folder without them
// has none to add.
func copyCertificates(sink *npzSink, name string, every int) error {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close() // read only
	r, err := NewCertificateReader(&wholeLines{in: file}, name)
	if err != nil {
		return err
	}
	var last []float64
	for k := 0; ; k++ {
		row, err := r.Next()
		if err == io.EOF {
			if k > 0 && (k-1)%every != 0 {
				return sink.PutCertificate(r.Columns, last)
			}
			return nil
		}
		if err != nil {
			return err
		}
		last = row
		if k%every == 0 {
			if err := sink.PutCertificate(r.Columns, row); err != nil {
				return err
			}
		}
	}
}
