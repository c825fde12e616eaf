// Package thorough says how much tests are to do. By default each theorem is tested at its smallest size, and those that
// take more than half a second of processor time even so are left out; QUASISTATIC_LONG=seconds makes these too, any other
// value of it all that the tests can do.
package thorough

import (
	"os"
	"testing"
)

// Variable of the environment asks for more.
const Variable = "QUASISTATIC_LONG"

// Asked reports whether tests are to do all they can.
func Asked() bool { return os.Getenv(Variable) != "" && os.Getenv(Variable) != "seconds" }

// SecondsAsked reports whether what takes seconds is wanted.
func SecondsAsked() bool { return os.Getenv(Variable) != "" }

// Seconds skips a test that takes more than half a second of processor time at its smallest size. Those with it are what
// .ci/run makes beside the others.
func Seconds(t testing.TB) {
	t.Helper()
	if !SecondsAsked() {
		t.Skipf("takes a second or more: with %s=seconds", Variable)
	}
}

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
