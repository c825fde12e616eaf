package study

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

// identity is who a worker is: a pair of keys, made anew by each process. The public one is its
// name, by which nobody else can seal a row.
type identity struct {
	name   string
	secret ed25519.PrivateKey
}

// newIdentity makes a pair of keys.
func newIdentity() *identity {
	public, secret, _ := ed25519.GenerateKey(rand.Reader) // crypto/rand never fails
	return &identity{base64.RawURLEncoding.EncodeToString(public), secret}
}

// shortName is how a worker is called in messages.
func shortName(name string) string { return name[:min(len(name), 8)] }

// sealed is what a worker signs: the study, whose key is the sum of its plan, the record, which has
// the id of its run, and the sum of the files that go with it.
func (p *parcel) sealed(study string) []byte {
	text, _ := json.Marshal(&p.Record) // its numbers came from JSON, or go to it
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n%s\n", study, text, p.Sum)
	return sum.Sum(nil)
}

// seal signs a parcel.
func (x *identity) seal(study string, p *parcel) {
	p.Seal = ed25519.Sign(x.secret, p.sealed(study))
}

var errSeal = errors.New("its seal is not that of its worker, its run and its study")

// checkSeal refuses a parcel that its worker has not signed for this study.
func (p *parcel) checkSeal(study string) error {
	public, err := base64.RawURLEncoding.DecodeString(p.Worker)
	if err != nil || len(public) != ed25519.PublicKeySize || !ed25519.Verify(public, p.sealed(study), p.Seal) {
		return errSeal
	}
	return nil
}

// sumOf is the SHA-256 of files, as a seal has it; of none, nothing.
func sumOf(files []byte) string {
	if len(files) == 0 {
		return ""
	}
	sum := sha256.Sum256(files)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// saved is a checkpoint of a run with the name and the seal of its worker before it.
func (x *identity) saved(study, id string, checkpoint []byte) []byte {
	text := append([]byte(x.name), ed25519.Sign(x.secret, checkpointSum(study, id, checkpoint))...)
	return append(text, checkpoint...)
}

// restored returns the checkpoint of a run and the name of its worker; nil: it belongs to another
// run.
func restored(study, id string, text []byte) (checkpoint []byte, worker string) {
	name := base64.RawURLEncoding.EncodedLen(ed25519.PublicKeySize)
	if len(text) < name+ed25519.SignatureSize {
		return nil, ""
	}
	worker, seal, checkpoint := string(text[:name]), text[name:name+ed25519.SignatureSize], text[name+ed25519.SignatureSize:]
	public, err := base64.RawURLEncoding.DecodeString(worker)
	if err != nil || !ed25519.Verify(public, checkpointSum(study, id, checkpoint), seal) {
		return nil, ""
	}
	return checkpoint, worker
}

func checkpointSum(study, id string, checkpoint []byte) []byte {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", study, id)
	sum.Write(checkpoint)
	return sum.Sum(nil)
}
