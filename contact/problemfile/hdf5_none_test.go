//go:build !hdf5

package problemfile

const hdf5Enabled = false

var errNoHDF5 = ErrNoHDF5
