package study

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
)

// archive holds a record for each id, packed: some 70 bytes a run and 8 a quantity, and its
// message. A study of a million runs has a million of them.
type archive struct {
	at     map[key]place
	chunks [][]byte
	words  []string // verdicts, versions and hashes, each once
	number map[string]uint64

	damaged int // lines that were passed over
}

// key is an id, as bytes.
type key [16]byte

// keyOf returns the bytes of an id; those of its sum, if it is none of ours.
func keyOf(id string) (k key) {
	if len(id) == hex.EncodedLen(len(k)) {
		if _, err := hex.Decode(k[:], []byte(id)); err == nil && k.String() == id {
			return k
		}
	}
	sum := sha256.Sum256([]byte(id))
	return key(sum[:])
}

// String is the id.
func (k key) String() string { return hex.EncodeToString(k[:]) }

// place is where a record begins.
type place struct{ chunk, offset uint32 }

// chunkSize is what is allocated at a time [bytes]; a record with a longer message has a
// chunk of its own.
const chunkSize = 1 << 16

func newArchive() *archive { return &archive{at: map[key]place{}, number: map[string]uint64{}} }

// put keeps a record, without its files, in place of an earlier one with its id.
func (a *archive) put(r *Record) {
	if r.Verdict == Withdrawn {
		delete(a.at, keyOf(r.ID))
		return
	}
	var room [256]byte
	packed := a.pack(room[:0], r)
	last := len(a.chunks) - 1
	if last < 0 || len(a.chunks[last])+len(packed) > cap(a.chunks[last]) {
		a.chunks = append(a.chunks, make([]byte, 0, max(chunkSize, len(packed))))
		last++
	}
	a.at[keyOf(r.ID)] = place{uint32(last), uint32(len(a.chunks[last]))}
	a.chunks[last] = append(a.chunks[last], packed...)
}

// get returns the record of an id; nil: there is none.
func (a *archive) get(id string) *Record {
	at, ok := a.at[keyOf(id)]
	if !ok {
		return nil
	}
	return a.unpack(id, a.chunks[at.chunk][at.offset:])
}

// of lists the ids of a worker's records, in their order.
func (a *archive) of(worker string) (ids []string) {
	for k := range a.at {
		if id := k.String(); a.get(id).Worker == worker {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// word returns the number of a word of which there are few.
func (a *archive) word(text string) uint64 {
	n, ok := a.number[text]
	if !ok {
		n = uint64(len(a.words))
		a.words, a.number[text] = append(a.words, text), n
	}
	return n
}

// unobserved stands for no value: a NaN, which no value is.
var unobserved = math.Float64bits(math.NaN())

// pack appends a record to dst: numbers of words, counts, values, message.
func (a *archive) pack(dst []byte, r *Record) []byte {
	met := uint64(0)
	if r.Met {
		met = 1
	}
	for _, n := range []uint64{a.word(r.Observe), a.word(r.Version), a.word(string(r.Verdict)), met, uint64(r.Steps),
		uint64(r.Solves), uint64(len(r.Observed)), uint64(len(r.Message)), a.word(r.Processor), a.word(r.Worker), a.word(r.From)} {
		dst = binary.AppendUvarint(dst, n)
	}
	for _, v := range r.Observed {
		bits := unobserved
		if v != nil {
			bits = math.Float64bits(*v)
		}
		dst = binary.LittleEndian.AppendUint64(dst, bits)
	}
	return append(dst, r.Message...)
}

// unpack reads what pack has written.
func (a *archive) unpack(id string, text []byte) *Record {
	var n [11]uint64
	for i := range n {
		var width int
		n[i], width = binary.Uvarint(text)
		text = text[width:]
	}
	r := &Record{ID: id, Observe: a.words[n[0]], Version: a.words[n[1]], Processor: a.words[n[8]],
		Worker: a.words[n[9]], From: a.words[n[10]]}
	r.Verdict, r.Met, r.Steps, r.Solves = Verdict(a.words[n[2]]), n[3] == 1, int(n[4]), int(n[5])
	if n[6] > 0 {
		values := make([]float64, n[6])
		r.Observed = make([]*float64, n[6])
		for k := range values {
			if bits := binary.LittleEndian.Uint64(text); bits != unobserved {
				values[k] = math.Float64frombits(bits)
				r.Observed[k] = &values[k]
			}
			text = text[8:]
		}
	}
	r.Message = string(text[:n[7]])
	return r
}
