package table

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Sum says what a file of a run holds, up to a length: its SHA-256, and sums of its
// beginnings, which find the place of a change.
type Sum struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	// Checks are the CRC-32C of the first Every, 2·Every, … bytes, 8 digits each.
	Every  int64  `json:"check_bytes,omitzero"`
	Checks string `json:"checks,omitzero"`
	// RowEvery: an archive that was exported has every so many rows only; 0: all.
	RowEvery int `json:"row_every,omitzero"`
}

const (
	// finestCheck is the distance of the sums of beginnings in a short file [bytes]: about
	// a line.
	finestCheck = 64
	// mostChecks bounds their number: then every other one goes. The place of a change is
	// known to a 128th of a long file.
	mostChecks = 256
	crcDigits  = 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// digest is the running [Sum] of a file that grows.
type digest struct {
	sha    hash.Hash
	crc    uint32
	size   int64
	every  int64
	checks []uint32
}

func newDigest() *digest { return &digest{sha: sha256.New(), every: finestCheck} }

// Write takes in what the file got. It does not fail.
func (d *digest) Write(p []byte) (int, error) {
	d.sha.Write(p)
	for rest := p; len(rest) > 0; {
		n := min(int64(len(rest)), d.every-d.size%d.every)
		d.crc = crc32.Update(d.crc, castagnoli, rest[:n])
		d.size += n
		rest = rest[n:]
		if d.size%d.every == 0 {
			d.check()
		}
	}
	return len(p), nil
}

// check notes the sum of a beginning.
func (d *digest) check() {
	d.checks = append(d.checks, d.crc)
	if len(d.checks) < mostChecks {
		return
	}
	for i := range mostChecks / 2 {
		d.checks[i] = d.checks[2*i+1]
	}
	d.checks, d.every = d.checks[:mostChecks/2], 2*d.every
}

// sum returns the sum of the file so far.
func (d *digest) sum(file string) Sum {
	checks := make([]byte, 0, crcDigits/2*len(d.checks))
	for _, c := range d.checks {
		checks = binary.BigEndian.AppendUint32(checks, c)
	}
	return Sum{File: file, Bytes: d.size, SHA256: hex.EncodeToString(d.sha.Sum(nil)), Every: d.every, Checks: hex.EncodeToString(checks)}
}

// DamageError is a file of a run that is not what the run wrote.
type DamageError struct {
	File     string
	From, To int64  // bytes: the change begins between them
	Line     [2]int // the lines there
	Text     string // what is wrong
}

func (e *DamageError) Error() string {
	at := fmt.Sprintf("lines %d to %d", e.Line[0], e.Line[1])
	if e.Line[0] == e.Line[1] {
		at = fmt.Sprintf("line %d", e.Line[0])
	}
	return fmt.Sprintf("%s: from byte %d on, %s: %s", e.File, e.From, at, e.Text)
}

// verify compares the first bytes of a file with the sum, of all of it if whole, and
// returns its digest behind them. The name is for messages.
func (s *Sum) verify(in io.Reader, name string, whole bool) (*digest, error) {
	w := &witness{digest: newDigest(), want: s, lines: 1}
	b := bufio.NewReaderSize(in, chunk)
	n, err := io.CopyN(w, b, s.Bytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("table: %s: %w", name, err)
	}
	damage := func(text string) error {
		w.end()
		return &DamageError{File: name, From: w.from, To: w.to, Line: w.at, Text: text}
	}
	_, after := b.Peek(1)
	same := n == s.Bytes && hex.EncodeToString(w.sha.Sum(nil)) == s.SHA256
	switch {
	case same && (!whole || after == io.EOF):
		if found := w.sum(s.File); found.Every != s.Every || found.Checks != s.Checks {
			return nil, damage("the file is whole, but the sums of its beginnings are not those that the run left")
		}
		return w.digest, nil
	case same:
		w.from, w.to = s.Bytes, s.Bytes
		return nil, damage(fmt.Sprintf("the file goes on, the run ended it after %d bytes", s.Bytes))
	case !w.bad && n < s.Bytes:
		return nil, damage(fmt.Sprintf("the file ends after %d bytes, the run wrote %d: it was cut off, or changed near its end",
			n, s.Bytes))
	case n < s.Bytes:
		return nil, damage(fmt.Sprintf("not what the run wrote: the file is changed there and at least %d bytes shorter, or that of another run",
			s.Bytes-n))
	}
	return nil, damage("not what the run wrote: changed, a line too many or too few, or the file of another run")
}

// witness takes in a file and finds the first of its beginnings that differs.
type witness struct {
	*digest
	want     *Sum
	known    int // sums of beginnings that were the same
	bad      bool
	from, to int64
	at       [2]int // lines there
	lines    int    // of which the last one is not ended
	begun    int    // line at from
}

func (w *witness) Write(p []byte) (int, error) {
	total := len(p)
	for len(p) > 0 {
		n := len(p)
		if !w.bad && w.want.Every > 0 {
			n = int(min(int64(n), w.want.Every-w.size%w.want.Every))
		}
		_, _ = w.digest.Write(p[:n]) // cannot fail
		for _, c := range p[:n] {
			if c == '\n' && !w.bad {
				w.lines++
			}
		}
		p = p[n:]
		if !w.bad && w.want.Every > 0 && w.size%w.want.Every == 0 {
			w.compare()
		}
	}
	return total, nil
}

// compare looks at a beginning that has a sum.
func (w *witness) compare() {
	if k := crcDigits * w.known; k+crcDigits <= len(w.want.Checks) && w.want.Checks[k:k+crcDigits] != fmt.Sprintf("%08x", w.crc) {
		w.bad, w.to = true, w.size
		w.at = [2]int{max(1, w.begun), w.lines}
		return
	}
	w.known++
	w.from, w.begun = w.size, w.lines
}

// end places a change behind the last beginning that has a sum.
func (w *witness) end() {
	if !w.bad {
		w.to, w.at = max(w.size, w.from), [2]int{max(1, w.begun), w.lines}
		if w.from == w.to {
			w.at[0] = w.lines
		}
	}
}

// isFinal reports whether a file has the last state of a body: final.vtu, final.1.vtu, ….
func isFinal(name string) bool {
	number, ok := strings.CutPrefix(strings.TrimSuffix(name, ".vtu"), "final")
	if !ok || !strings.HasSuffix(name, ".vtu") {
		return false
	}
	k, err := strconv.Atoi(strings.TrimPrefix(number, "."))
	return number == "" || err == nil && number == fmt.Sprintf(".%d", k) && k > 0
}

// isArchive reports whether a file, or a folder, has tables in another format than CSV.
func isArchive(name string) bool {
	base, ending, _ := strings.Cut(name, ".")
	switch ending {
	case string(NPZ), "pvd", vtuEnding:
		return base == "trajectory"
	case string(Parquet):
		return slices.Contains(parquetBases, base)
	}
	return false
}

// parquetBases are the names of Parquet files that a run may leave.
var parquetBases = []string{"trajectory", "forces", "contacts", "impulses", "displacements"}
