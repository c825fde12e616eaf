package factor

// degreeLists holds the variables of each degree in doubly linked lists.
type degreeLists struct {
	head, next, prev []int32
	least            int // no list below it is occupied
}

func (l *degreeLists) insert(i, degree int32) {
	first := l.head[degree]
	l.next[i], l.prev[i] = first, -1
	if first >= 0 {
		l.prev[first] = i
	}
	l.head[degree] = i
	l.least = min(l.least, int(degree))
}

func (l *degreeLists) remove(i, degree int32) {
	before, after := l.prev[i], l.next[i]
	if after >= 0 {
		l.prev[after] = before
	}
	if before >= 0 {
		l.next[before] = after
	} else {
		l.head[degree] = after
	}
}

// pop removes and returns a variable of least degree, -1 if none is left.
func (l *degreeLists) pop() int32 {
	for ; l.least < len(l.head); l.least++ {
		if i := l.head[l.least]; i >= 0 {
			l.remove(i, int32(l.least))
			return i
		}
	}
	return -1
}
