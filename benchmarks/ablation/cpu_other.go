//go:build !unix

package main

import "time"

// userTime is not known here.
func userTime() time.Duration { return 0 }
