//go:build race

package race

// Enabled is whether the program was built with -race.
const Enabled = true
