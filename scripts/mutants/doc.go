// Command mutants measures how much of a package its tests hold: it changes one number,
// operator, comparison or index at a time, runs the tests of the package and of those
// that depend on it, and lists the changes that no test noticed.
//
//	go run ./scripts/mutants -seeds 1,2,3 -count 100 ./incremental
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
//	constant    0 → 1, n → n+1, x → 2x, ∞ → −∞
//	index       a[i] → a[i+1], a[i±c] → a[i]
//
// All mutants of a draw are one program, in which a variable of the environment says which of
// them is alive: a + b has become mutantAdd(17, a, b). It is built once. Without a mutant alive
// each test is run by itself, and notes which mutants could change a value in it (a < b and
// a <= b differ where a = b) and what it costs; then each mutant meets those tests alone that
// noted it, the quickest first, until one fails. What the tests of the package leave goes to
// those of the nearest packages above (-users). A mutant that does not compile is drawn again;
// one whose tests take three times their processor time is killed; one that must be a constant
// gets a program of its own. The tree is never touched: changed files go to the compiler by
// -overlay. Same seed, same mutants. A hundred mutants take some ten seconds of processor time
// more than the tests of the package do twice.
//
// With -files the mutants are those of a few files, for one that is new. Lines of -equivalent and -again are as they are printed; the number of the line does not
// count, and what follows a tab is a remark.
//
// # Limits
//
// Some mutants are equivalent: no test can tell them (< for <= where equality has
// measure zero, a constant that only chooses a starting point). Survivors are to be read
// one by one. Strings, messages and panics are not mutated.
package main
