//go:build !linux

package table

func locked(string) (held, known bool) { return false, false }
