package factor

// runs are the ends of the runs of consecutive numbers in place: that of k ends before entry
// runs[k]. What a child adds to its parent goes there in one piece a run. The memory of dst is
// used.
func runs(dst, place []int32) []int32 {
	if cap(dst) < len(place) {
		dst = make([]int32, len(place)+len(place)/2)
	}
	dst = dst[:len(place)]
	for k := len(place) - 1; k >= 0; k-- {
		dst[k] = int32(k + 1)
		if k+1 < len(place) && place[k+1] == place[k]+1 {
			dst[k] = dst[k+1]
		}
	}
	return dst
}

// addPieces adds the pieces of values, width numbers each, from entry from to entry end of place:
// piece k to dst at width·place[k] − shift. The ends are those of runs.
func addPieces(dst []float64, place, ends []int32, from, end, width int, values []float64, shift int) {
	for k := from; k < end; {
		next := min(int(ends[k]), end)
		addNumbers(dst[width*int(place[k])-shift:], values[width*k:width*next])
		k = next
	}
}

// fewAdded is the number of entries from which a call of addWide pays.
const fewAdded = 8

// addNumbers adds src to the beginning of dst.
func addNumbers(dst, src []float64) {
	dst = dst[:len(src)]
	if wideTiles && len(src) >= fewAdded {
		addWide(&dst[0], &src[0], len(src))
		return
	}
	for i, v := range src {
		dst[i] += v
	}
}
