// Package rigid advances rigid bodies with joints, unilateral contacts and
// friction.
package rigid
