package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// Prover is a diagnosis that writes a proof for another program to check.
type Prover interface {
	WriteProof(w io.Writer) error
}

// Provable is a case whose runs may be proven: it says why not.
type Provable interface {
	Provable() error
}

// provable says why no proof can be written of what is to be certified.
func provable(k *casefile.Case, c Case, from Source) error {
	p, ok := c.(Provable)
	switch {
	case from.Proof == "":
		return nil
	case from.Dir == "":
		return errors.New("--proof wants the folder of a run")
	case !ok:
		return fmt.Errorf("--proof: no proof can be written: the model is %s, want energetic", k.Model)
	}
	if err := p.Provable(); err != nil {
		return fmt.Errorf("--proof: no proof can be written: %w", err)
	}
	return nil
}

// writeProof writes the proof of a run that is certified; of others there is none.
func writeProof(d Diagnosis, from Source) error {
	p, ok := d.(Prover)
	if from.Proof == "" || !ok || !d.Result().Certified {
		return nil
	}
	var text bytes.Buffer
	if err := p.WriteProof(&text); err != nil {
		return fmt.Errorf("--proof: no proof can be written: %w", err)
	}
	return table.WriteFile(from.Proof, text.Bytes())
}
