// Command storm throws damaged inputs of every kind at every command of quasistatic and
// judges what comes out.
//
//	go build -o /tmp/quasistatic ./cmd/quasistatic
//	go run ./scripts/storm -program /tmp/quasistatic -seed 1 -count 20000
//
// An input is a case, a mesh, a matrix, a table of a signal, a problem file, a study or a
// file of the folder of a run or study with a few bytes, lines, numbers or keys changed; or a
// line of arguments. Every other JSON text stays one, with some numbers scaled, so that it
// gets past the parsers. The
// program, run as a process of its own, must end with exit code 0, 1 or 2, without a
// panic, within 5 s of processor time and 2 GB, and a table of a run that ends with 0
// holds only finite numbers. What breaks this is kept in a folder, with the command.
// Same seed, same inputs, but for the folders of runs that were stopped. Slices of one storm:
// -from.
//
// With -oracle the inputs are cases, some 50 ms each, and TestOracle of cmd/quasistatic judges in
// process whether all commands agree: the exit codes and facts of run and diagnose, no fault, no
// number that is none, files that are read back, the same bytes after a stop and a resumption; what
// run refuses check and converge refuse; what show prints is a case. Runs that take more than .1 s of a processor are stopped, but
// one of 32, which may take 1 s.
//
//	go run ./scripts/storm -oracle -seed 1 -count 100000 -jobs 2
//
// # Limits
//
// Inputs are small (a few steps, a few bodies): what is large and valid (1e5 steps) is the business
// of the memory predictions. Processor time stands for time, since the machine may be
// busy; a process that sleeps is ended after ten minutes.
package main
