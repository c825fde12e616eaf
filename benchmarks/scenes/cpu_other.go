//go:build !unix

package main

import "time"

var began = time.Now()

// processorTime is the time on the clock where that of the processor is not known.
func processorTime() time.Duration { return time.Since(began) }
