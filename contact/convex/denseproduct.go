package convex

import (
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

const (
	// productRows of a product are one call of BLAS, whoever makes it: its bits do not
	// depend on the number of goroutines.
	productRows = 128
	// sharedProduct is the number of entries of S from which goroutines share a
	// product: some 100 µs, against some microseconds to start one.
	sharedProduct = 1 << 18
)

// addProduct computes dst += S x. It reads S once, from memory, which two cores do
// faster than one.
func (p *primalSet) addProduct(dst, x []float64) {
	n := len(x)
	chunks := (n + productRows - 1) / productRows
	workers := min(runtime.GOMAXPROCS(0), chunks)
	if n*n < sharedProduct || workers < 2 {
		p.addRows(dst, x, 0, chunks)
		return
	}
	var done sync.WaitGroup
	for w := 1; w < workers; w++ {
		done.Go(func() { p.addRows(dst, x, w*chunks/workers, (w+1)*chunks/workers) })
	}
	p.addRows(dst, x, 0, chunks/workers)
	done.Wait()
}

// addRows computes the chunks from to end.
func (p *primalSet) addRows(dst, x []float64, from, end int) {
	for c := from; c < end; c++ {
		first, last := c*productRows, min((c+1)*productRows, len(x))
		rows := blas64.General{Rows: last - first, Cols: len(x), Stride: p.s.Stride, Data: p.s.Data[first*p.s.Stride:]}
		blas64.Gemv(blas.NoTrans, 1, rows, vector(x), 1, vector(dst[first:last]))
	}
}
