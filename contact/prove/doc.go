// Package prove shows that a contact problem has no solution: by a ray, or by ruling out all states of its
// contacts.
package prove
