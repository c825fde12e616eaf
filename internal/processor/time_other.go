//go:build !unix

package processor

import "time"

var began = time.Now()

// Time is that on the clock, where that of the processor is not known.
func Time() time.Duration { return time.Since(began) }
