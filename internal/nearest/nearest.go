// Package nearest finds the word that a mistyped one was meant to be, for
// messages like "unknown key "stifness", the nearest valid one is "stiffness"".
//
//	distance(a, b) = fewest insertions, deletions, replacements and swaps of neighbours
//
// # Limits
//
// Words are compared as they stand, letter by letter; meaning plays no part.
package nearest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// longest is the length in bytes from which on words are not compared: the cost
// is quadratic, and nobody mistypes a key of that size.
const longest = 100

// Word returns the one candidate that begins with the word got, or else that at the smallest
// distance from it, the first one of several, if at most a third of its letters (at least one, and
// two from four letters on) are wrong; otherwise "".
func Word(got string, candidates []string) string {
	best, least := "", 0
	if len(got) > longest {
		return ""
	}
	if i := slices.IndexFunc(candidates, begins(got)); i >= 0 && !slices.ContainsFunc(candidates[i+1:], begins(got)) {
		return candidates[i]
	}
	for _, c := range candidates {
		if len(c) > longest {
			continue
		}
		if d := distance(got, c); best == "" || d < least {
			best, least = c, d
		}
	}
	n := utf8.RuneCountInString(best)
	allowed := max(1, n/3)
	if n >= 4 {
		allowed = max(2, allowed)
	}
	if least > allowed {
		return ""
	}
	return best
}

// begins tells the words that a short form stands for.
func begins(short string) func(string) bool {
	return func(word string) bool { return short != "" && strings.HasPrefix(word, short) }
}

// distance is the optimal string alignment distance of a and b in letters.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	two, one, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range one {
		one[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(one[j]+1, row[j-1]+1, one[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], two[j-2]+1)
			}
		}
		two, one, row = one, row, two
	}
	return one[len(t)]
}

// Hint ends a message that refuses a word: it suggests the nearest valid one, or lists all.
func Hint(word string, valid []string) string {
	if guess := Word(word, valid); guess != "" {
		return fmt.Sprintf(", did you mean %q?", guess)
	}
	return ", want one of " + strings.Join(valid, ", ")
}
