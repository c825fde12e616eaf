//go:build hdf5

package problemfile

import "errors"

const hdf5Enabled = true

var errNoHDF5 = errors.New("not used")
