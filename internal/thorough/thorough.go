// Package thorough says whether tests are to do all they can: with QUASISTATIC_LONG in the
// environment. By default each theorem is tested at its smallest size.
package thorough

import (
	"os"
	"testing"
)

// Variable of the environment asks for it, if it is set to anything.
const Variable = "QUASISTATIC_LONG"

// Asked reports whether sizes that cost seconds are wanted.
func Asked() bool { return os.Getenv(Variable) != "" }

// Only skips a test that is too costly for each run of all tests; cost is what it takes, as "a
// minute".
func Only(t testing.TB, cost string) {
	t.Helper()
	if !Asked() {
		t.Skipf("takes %s: with %s", cost, Variable)
	}
}

// NotShort skips a test with -short, as .ci/run tests under the race detector; cost is what it
// would take.
func NotShort(t testing.TB, cost string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("takes %s: without -short", cost)
	}
}
