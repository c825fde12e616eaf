package storm

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestDamage: the same seed does the same damage, and nearly always some.
func TestDamage(t *testing.T) {
	text := []byte(`{"a": [1, 2.5e3], "b": {"c": "x"}}` + "\n1 2 3\n")
	same := 0
	for i := range uint64(500) {
		a := Damage(rand.New(rand.NewPCG(1, i)), text, [][]byte{text})
		if b := Damage(rand.New(rand.NewPCG(1, i)), text, [][]byte{text}); !bytes.Equal(a, b) {
			t.Fatalf("seed %d: %q and %q", i, a, b)
		}
		if bytes.Equal(a, text) {
			same++
		}
	}
	if same > 50 { // a number may be replaced by itself
		t.Errorf("%d of 500 undamaged", same)
	}
}
