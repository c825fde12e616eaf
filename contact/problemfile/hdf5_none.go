//go:build !hdf5

package problemfile

import "errors"

// ErrNoHDF5 is what [Read] returns for an HDF5 file in a build without it.
var ErrNoHDF5 = errors.New("built without HDF5: install libhdf5-dev and rebuild with -tags hdf5")

func readHDF5([]byte) (*Problem, error) { return nil, ErrNoHDF5 }
