//go:build hdf5

package problemfile

/*
#cgo pkg-config: hdf5
#include <hdf5.h>
#include <stdlib.h>

// The macros of HDF5 (types, identifiers made at run time) are no constants
// that Go can name, so each call that needs one has a wrapper.

static void qs_quiet(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

// qs_open opens a file image in memory.
static hid_t qs_open(void *data, size_t size) {
	hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
	hid_t file = H5I_INVALID_HID;
	if (fapl >= 0 && H5Pset_fapl_core(fapl, 65536, 0) >= 0 &&
	    H5Pset_file_image(fapl, data, size) >= 0)
		file = H5Fopen("image", H5F_ACC_RDONLY, fapl);
	if (fapl >= 0) H5Pclose(fapl);
	return file;
}

static int qs_exists(hid_t at, const char *name) { return H5Lexists(at, name, H5P_DEFAULT) > 0; }

static hid_t qs_dataset(hid_t at, const char *name) { return H5Dopen2(at, name, H5P_DEFAULT); }

static long long qs_points(hid_t set) {
	hid_t space = H5Dget_space(set);
	if (space < 0) return -1;
	long long n = H5Sget_simple_extent_npoints(space);
	H5Sclose(space);
	return n;
}

// qs_class takes the integers and floats of processors alone: libhdf5 converts any others, those of
// a damaged file by bits that it counts in billions.
static int qs_class(hid_t set) {
	hid_t type = H5Dget_type(set);
	if (type < 0) return -1;
	int c = H5Tget_class(type), kind = 0;
	size_t size = H5Tget_size(type);
	if (c == H5T_INTEGER && size <= 8 && H5Tget_precision(type) == 8 * size && H5Tget_offset(type) == 0)
		kind = 1;
	if (c == H5T_FLOAT && (H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0 ||
	                       H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0))
		kind = 2;
	if (c == H5T_STRING) kind = 3;
	H5Tclose(type);
	return kind;
}

// qs_whole tells whether what a data set of n numbers promises can be stored: as such, or
// compressed by at most a thousand, or, never written, as nothing, for which a file has a few.
static int qs_whole(hid_t set, long long n, long long file) {
	hid_t plist = H5Dget_create_plist(set), type = H5Dget_type(set);
	int whole = plist >= 0 && type >= 0;
	if (whole) {
		hsize_t stored = H5Dget_storage_size(set), bytes = n * (hsize_t)H5Tget_size(type);
		whole = stored == 0 ? n <= file : bytes <= (H5Pget_layout(plist) == H5D_CHUNKED ? 1032 * stored : stored);
	}
	if (type >= 0) H5Tclose(type);
	if (plist >= 0) H5Pclose(plist);
	return whole;
}

static int qs_doubles(hid_t set, double *x) { return H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x); }
static int qs_longs(hid_t set, long long *x) { return H5Dread(set, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, x); }

// qs_string reads a string of fixed length; its size if buf is NULL.
static long long qs_string(hid_t set, char *buf) {
	hid_t type = H5Dget_type(set);
	if (type < 0) return -1;
	long long n = H5Tis_variable_str(type) > 0 ? -1 : (long long)H5Tget_size(type);
	if (n > 0 && buf && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buf) < 0) n = -1;
	H5Tclose(type);
	return n;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/quasistatic/quasistatic/contact"
)

// hdf5Mutex serialises: libhdf5 as distributions build it is not re-entrant.
var hdf5Mutex sync.Mutex

// hdf5Ratio bounds the size of a data set by that of the file: compression
// gains no more on numbers.
const hdf5Ratio = 1024

// hdf5File is an open file image. The first error sticks.
type hdf5File struct {
	id   C.hid_t
	size int
	err  error
}

func readHDF5(data []byte) (*Problem, error) {
	hdf5Mutex.Lock()
	defer hdf5Mutex.Unlock()
	C.qs_quiet()
	var pin runtime.Pinner
	pin.Pin(&data[0])
	defer pin.Unpin()
	f := &hdf5File{id: C.qs_open(unsafe.Pointer(&data[0]), C.size_t(len(data))), size: len(data)}
	if f.id < 0 {
		return nil, errors.New("libhdf5 cannot open the file: it is damaged or of a newer version")
	}
	defer C.H5Fclose(f.id)
	var p *Problem
	switch {
	case f.exists("fclib_local"):
		p = f.local("fclib_local")
	case f.exists("fclib_local_rolling"): // FCLIB has none: named like the others
		p = f.local("fclib_local_rolling")
	case f.exists("fclib_global"):
		p = f.global("fclib_global")
	case f.exists("fclib_global_rolling"): // the struct of Siconos' fclib_interface.c, with mu_r beside mu
		p = f.global("fclib_global_rolling")
	default:
		return nil, errors.New("HDF5 file without a group fclib_local, fclib_global, fclib_local_rolling or fclib_global_rolling")
	}
	if f.err != nil {
		return nil, f.err
	}
	return p, nil
}

func (f *hdf5File) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// exists checks every group on the way, as H5Lexists requires.
func (f *hdf5File) exists(path string) bool {
	parts := strings.Split(path, "/")
	for k := range parts {
		name := C.CString(strings.Join(parts[:k+1], "/"))
		found := C.qs_exists(f.id, name) != 0
		C.free(unsafe.Pointer(name))
		if !found {
			return false
		}
	}
	return true
}

// dataset opens a data set of the class of numbers and returns its length.
func (f *hdf5File) dataset(path string, class func(int) bool) (C.hid_t, int) {
	if f.err != nil {
		return -1, 0
	}
	if !f.exists(path) {
		f.fail("HDF5: %s is missing", path)
		return -1, 0
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	set := C.qs_dataset(f.id, name)
	if set < 0 {
		f.fail("HDF5: %s is no data set", path)
		return -1, 0
	}
	n := int(C.qs_points(set))
	if !class(int(C.qs_class(set))) || n < 0 || n > hdf5Ratio*f.size || C.qs_whole(set, C.longlong(n), C.longlong(f.size)) == 0 {
		C.H5Dclose(set)
		f.fail("HDF5: %s is not a data set of numbers of a credible size", path)
		return -1, 0
	}
	return set, n
}

// floats reads n numbers, any number of them if n < 0.
func (f *hdf5File) floats(path string, n int) []float64 {
	set, have := f.dataset(path, func(c int) bool { return c == 1 || c == 2 })
	if set < 0 {
		return nil
	}
	defer C.H5Dclose(set)
	if n >= 0 && have != n {
		f.fail("HDF5: %s has %d entries, want %d", path, have, n)
		return nil
	}
	x := make([]float64, have)
	if have > 0 && C.qs_doubles(set, (*C.double)(unsafe.Pointer(&x[0]))) < 0 {
		f.fail("HDF5: %s cannot be read", path)
	}
	if !finiteAll(x) {
		f.fail("HDF5: %s has numbers that are not finite", path)
	}
	return x
}

func (f *hdf5File) ints(path string) []int {
	set, have := f.dataset(path, func(c int) bool { return c == 1 })
	if set < 0 {
		return nil
	}
	defer C.H5Dclose(set)
	x := make([]int, have)
	if have > 0 && C.qs_longs(set, (*C.longlong)(unsafe.Pointer(&x[0]))) < 0 {
		f.fail("HDF5: %s cannot be read", path)
	}
	return x
}

// integer reads one integer in [lo, hi].
func (f *hdf5File) integer(path string, lo, hi int) int {
	x := f.ints(path)
	if f.err == nil && (len(x) != 1 || x[0] < lo || x[0] > hi) {
		f.fail("HDF5: %s is %v, want one integer from %d to %d", path, x[:min(len(x), 4)], lo, hi)
	}
	if f.err != nil {
		return 0
	}
	return x[0]
}

// text reads a string; it is a description and may be missing.
func (f *hdf5File) text(path string) string {
	if !f.exists(path) {
		return ""
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	set := C.qs_dataset(f.id, name)
	if set < 0 {
		return ""
	}
	defer C.H5Dclose(set)
	n := int(C.qs_string(set, nil))
	if C.qs_class(set) != 3 || C.qs_points(set) != 1 || n <= 0 || n > f.size {
		return ""
	}
	buf := make([]byte, n)
	if C.qs_string(set, (*C.char)(unsafe.Pointer(&buf[0]))) < 0 {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimRight(string(buf), "\x00"), "?")
}

// matrix reads triplets (nz ≥ 0: p columns, i rows), compressed columns
// (nz = −1) or compressed rows (nz = −2).
func (f *hdf5File) matrix(path string) *Matrix {
	limit := min(hdf5Ratio*f.size, maxTripletOrder)
	m := &Matrix{Rows: f.integer(path+"/m", 0, limit), Cols: f.integer(path+"/n", 0, limit)}
	nz := f.integer(path+"/nz", -2, limit)
	p, i, x := f.ints(path+"/p"), f.ints(path+"/i"), f.floats(path+"/x", -1)
	if f.err != nil {
		return nil
	}
	switch {
	case nz >= 0:
		if len(p) < nz || len(i) < nz || len(x) < nz {
			f.fail("HDF5: %s has %d, %d, %d entries p, i, x, want %d triplets", path, len(p), len(i), len(x), nz)
			return nil
		}
		m.I, m.J, m.X = i[:nz], p[:nz], x[:nz]
	case nz == -1:
		m.J, m.I, m.X = f.expand(path, p, i, x, m.Cols)
	default:
		m.I, m.J, m.X = f.expand(path, p, i, x, m.Rows)
	}
	for k := range m.X {
		if m.I[k] < 0 || m.I[k] >= m.Rows || m.J[k] < 0 || m.J[k] >= m.Cols {
			f.fail("HDF5: %s entry %d is at (%d, %d), outside %d×%d", path, k, m.I[k], m.J[k], m.Rows, m.Cols)
			return nil
		}
	}
	return m
}

// expand turns compressed indices into a pair for every entry.
func (f *hdf5File) expand(path string, ptr, minor []int, x []float64, n int) (major, other []int, val []float64) {
	if len(ptr) != n+1 || ptr[0] != 0 || ptr[n] > len(minor) || ptr[n] > len(x) {
		f.fail("HDF5: %s has pointers that do not fit its %d columns or rows", path, n)
		return nil, nil, nil
	}
	major = make([]int, 0, len(x))
	for j := range n {
		if ptr[j+1] < ptr[j] || ptr[j+1] > len(x) {
			f.fail("HDF5: %s has pointers that fall at %d", path, j)
			return nil, nil, nil
		}
		for range ptr[j+1] - ptr[j] {
			major = append(major, j)
		}
	}
	return major, minor[:len(major)], x[:len(major)]
}

// local reads a group of the local form; five components have rolling moments.
func (f *hdf5File) local(group string) *Problem {
	dim := f.components(group)
	for _, name := range []string{"R", "V"} {
		if f.exists(group + "/" + name) {
			f.fail("HDF5: %s/%s: local problems with equality constraints are not supported", group, name)
		}
	}
	mu := f.floats(group+"/vectors/mu", -1)
	q := f.floats(group+"/vectors/q", dim*len(mu))
	w := f.matrix(group + "/W")
	laws := f.laws(group, dim, mu)
	if f.err == nil && dim == 4 {
		f.fail("HDF5: %s/spacedim is 4, want 2, 3 or 5", group)
	}
	if f.err == nil && (w.Rows != len(q) || w.Cols != len(q)) {
		f.fail("HDF5: W is %d×%d, want %d×%d", w.Rows, w.Cols, len(q), len(q))
	}
	if f.err != nil {
		return nil
	}
	p := &Problem{Kind: LocalKind, Local: &contact.Local{W: w.operator(dim), Q: q, Laws: laws}}
	f.common(group, p)
	return p
}

// components reads those of a contact. In a rolling form they are five whether the file
// tells the dimension of space or that of a contact.
func (f *hdf5File) components(group string) int {
	dim := f.integer(group+"/spacedim", 2, rollingDim)
	if dim == 3 && strings.HasSuffix(group, "_rolling") {
		return rollingDim
	}
	return dim
}

// laws reads what a law takes beside μ.
func (f *hdf5File) laws(group string, dim int, mu []float64) (laws []contact.Law) {
	var err error
	if dim == rollingDim {
		if resistance := f.floats(group+"/vectors/mu_r", len(mu)); f.err == nil {
			laws, err = rollingLaws(mu, resistance)
		}
	} else {
		laws, err = coulombLaws(mu)
	}
	if err != nil {
		f.fail("HDF5: %w", err)
	}
	return laws
}

// global reads a group of the global form; five components have rolling moments.
func (f *hdf5File) global(group string) *Problem {
	g := &Global{Dim: f.components(group)}
	if f.err == nil && g.Dim == 4 {
		f.fail("HDF5: %s/spacedim is 4, want 2, 3 or 5", group)
	}
	mu := f.floats(group+"/vectors/mu", -1)
	g.W = f.floats(group+"/vectors/w", g.Dim*len(mu))
	g.F = f.floats(group+"/vectors/f", -1)
	g.M, g.H = f.matrix(group+"/M"), f.matrix(group+"/H")
	if f.exists(group + "/G") {
		g.G = f.matrix(group + "/G")
		g.B = f.floats(group+"/vectors/b", -1)
	}
	g.Laws = f.laws(group, g.Dim, mu)
	if f.err == nil && (g.M.Rows != len(g.F) || g.M.Cols != len(g.F) || g.H.Rows != len(g.F) || g.H.Cols != len(g.W)) {
		f.fail("HDF5: M is %d×%d, H %d×%d, f has %d entries, w %d", g.M.Rows, g.M.Cols, g.H.Rows, g.H.Cols, len(g.F), len(g.W))
	}
	if f.err == nil && g.G != nil && (g.G.Rows != len(g.F) || g.G.Cols != len(g.B)) {
		f.fail("HDF5: G is %d×%d, f has %d entries, b %d", g.G.Rows, g.G.Cols, len(g.F), len(g.B))
	}
	if f.err != nil {
		return nil
	}
	p := &Problem{Kind: GlobalKind, Global: g}
	f.common(group, p)
	return p
}

// common reads the description and the reference solution, both optional. The
// solution is a group of the root.
func (f *hdf5File) common(group string, p *Problem) {
	p.Title, p.Description = f.text(group+"/info/title"), f.text(group+"/info/description")
	if !f.exists("solution/r") {
		return
	}
	ref := &Reference{R: f.floats("solution/r", -1)}
	if f.exists("solution/u") {
		ref.U = f.floats("solution/u", -1)
	}
	if f.exists("solution/v") && p.Kind == GlobalKind {
		ref.V = f.floats("solution/v", -1)
	}
	p.Reference = ref
	if err := p.validateReference(); err != nil && f.err == nil {
		f.err = fmt.Errorf("HDF5: %w", err)
	}
}
