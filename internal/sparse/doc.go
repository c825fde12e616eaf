// Package sparse factors symmetric positive definite sparse matrices.
package sparse
