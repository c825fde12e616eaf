package models

import (
	"slices"

	"github.com/quasistatic/quasistatic/cases"
)

// Words are what shells complete: the built-in cases, and the keys that a case of any model may have.
func Words() (names, keys []string) {
	for _, m := range Names() {
		for _, rule := range Grammar().Explain(m, nil) {
			keys = append(keys, rule.Keys...)
		}
	}
	slices.Sort(keys)
	keys = slices.DeleteFunc(slices.Compact(keys), func(key string) bool { return key[0] == '$' })
	return cases.Names(), keys
}
