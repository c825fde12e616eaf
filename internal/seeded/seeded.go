// Package seeded gives the tests of properties one seed: what pgregory.net/rapid draws by the clock
// it then draws alike on every run and every machine. A test imports it beside rapid, for its
// effect. go test -rapid.seed=N, or the variable RAPID_SEED, draw otherwise; 0 is by the clock.
package seeded

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // its flags are there before they are set
)

// seed is any number but 0.
const seed = "22"

func init() {
	if os.Getenv("RAPID_SEED") != "" {
		return
	}
	if err := flag.Set("rapid.seed", seed); err != nil {
		panic("seeded: " + err.Error())
	}
}
