// Command mutants measures how much of a package its tests hold: it changes one number,
// operator, comparison or index at a time, runs the tests of the package and of those
// that depend on it, and lists the changes that no test noticed.
//
//	go run ./scripts/mutants -seed 1 -count 100 ./incremental
//	score = killed / (killed + survived)
//
// # Mutations
//
//	kind        from → to
//	arithmetic  + ↔ −, * ↔ /, += ↔ −=, *= ↔ /=
//	comparison  < ↔ <=, > ↔ >=, == ↔ !=
//	logic       && ↔ ||, !x → x
//	sign        −x → x
//	bound       min ↔ max
//	constant    0 → 1, n → n+1, x → 2x
//	index       a[i] → a[i+1], a[i±c] → a[i]
//
// Of the package itself only the tests that reach the line are run, of the others all, and
// only for what survived there; -cache remembers the dead. A mutant that does not compile is drawn again; one whose tests run out of time is
// killed. The tree is never touched: the changed file goes to the compiler by -overlay.
// Same seed, same mutants.
//
// # Limits
//
// Some mutants are equivalent: no test can tell them (< for <= where equality has
// measure zero, a constant that only chooses a starting point). Survivors are to be read
// one by one. Strings, messages and panics are not mutated.
package main
