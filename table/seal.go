package table

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// The last key of summary.json is its seal: the SHA-256 of the text with nothing between the
// quotes of the seal. As the file has the sums of all others, and of the case, it seals the
// folder against accidents. Who wants to deceive can make the seal again: of him
// [Folder.Redraw] and the run made again in diagnose know.
const (
	sealHead = ",\n  \"seal\": \""
	sealTail = "\"\n}\n"
	sealKey  = "seal"
)

// sealed returns the text of a summary, an object of JSON in lines, with its seal.
func sealed(text []byte) []byte {
	body, ok := bytes.CutSuffix(text, []byte("\n}\n"))
	if !ok {
		panic("table: sealed: the text is no object in lines")
	}
	body = append(bytes.Clone(body), sealHead...)
	sum := sealOf(body)
	return append(append(body, sum...), sealTail...)
}

// sealOf is the seal of the text before it.
func sealOf(before []byte) string {
	h := sha256.New()
	h.Write(before)
	h.Write([]byte(sealTail))
	return hex.EncodeToString(h.Sum(nil))
}

// checkSeal compares a summary with its seal; the error is a [DamageError].
func checkSeal(name string, text []byte) error {
	damage := func(what string) error {
		return &DamageError{File: name, To: int64(len(text)), Line: [2]int{1, max(1, bytes.Count(text, []byte("\n")))}, Text: what}
	}
	at := bytes.LastIndex(text, []byte(sealHead))
	if at < 0 {
		return damage("it has no seal: changed, or written by an earlier version; run the case again")
	}
	at += len(sealHead)
	if string(text[at:]) != sealOf(text[:at])+sealTail {
		return damage("not what the run wrote: it is changed, and its seal is that of another text")
	}
	return nil
}
