//go:build hdf5

package problemfile

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
)

// TestHDF5Damage: a type of numbers that no processor has, which libhdf5 would convert by bits that
// it counts in billions, and a data set longer than what is stored are refused by name.
func TestHDF5Damage(t *testing.T) {
	whole, err := os.ReadFile("testdata/global-rolling-5.hdf5")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(whole); err != nil {
		t.Fatal(err)
	}
	damage := func(what string, old, new []byte) {
		if n := bytes.Count(whole, old); n == 0 {
			t.Fatalf("%s: not found", what)
		}
		if _, err := Read(bytes.ReplaceAll(whole, old, new)); err == nil || !strings.Contains(err.Error(), "credible size") {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Size 8, offset 0, precision 64, exponent at 52 of 11 bits, mantissa at 0 of 52 bits: of 51
	// bits here.
	double := []byte{8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52}
	damage("a mantissa of 51 bits", double, []byte{8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 51})
	integer := []byte{4, 0, 0, 0, 0, 0, 32, 0}
	damage("integers of 31 bits", integer, []byte{4, 0, 0, 0, 0, 0, 31, 0})
	damage("integers at bit 1", integer, []byte{4, 0, 0, 0, 1, 0, 32, 0})
	// The head of a data space of rank 1, its size, the entries of f: a thousand times as many.
	p, err := Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	size := func(n int) []byte {
		for flags := range byte(2) {
			if x := binary.LittleEndian.AppendUint64([]byte{1, 1, flags, 0, 0, 0, 0, 0},
				uint64(len(p.Global.F))); bytes.Contains(whole, x) {
				return binary.LittleEndian.AppendUint64(x[:8], uint64(n))
			}
		}
		return nil
	}
	damage("a long vector", size(len(p.Global.F)), size(1000*len(p.Global.F)))
}
