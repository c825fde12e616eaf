// Package memory predicts what a computation will take before it is taken, finds
// out what there is, and measures what was taken.
//
//	predicted = Σ parts <= limit = min(free of the machine, free of the control group, GOMEMLIMIT − in use)
//
// # Notation
//
//	quantity                | Go name       | unit  | source
//	parts                   | Estimate.Parts| byte  | the rooms that allocate them
//	limit                   | Limit         | byte  | case, command line, or Free
//	free of the machine     | Free          | byte  | MemAvailable of /proc/meminfo
//	free of the group       | Free          | byte  | memory.max − memory.current + inactive_file of /sys/fs/cgroup
//	largest resident set    | Peak          | byte  | VmHWM of /proc/self/status
//
// # Conventions
//
// Bytes are int64 and saturate: a prediction for an absurd size is the largest
// int64, never negative. A prediction counts what lives at the same time; the
// garbage that the collector has not freed yet comes on top, up to as much again,
// and a memory limit of the runtime (debug.SetMemoryLimit) keeps that within the
// limit.
//
// # Limits
//
// Linux only tells what is free; elsewhere [Assumed] is. Other processes may take
// what was free when it was read. The resident set counts pages of the program
// and of the runtime too, some 20 MB.
package memory
