package table

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// locked reports whether the kernel lists a lock on a folder.
func locked(dir string) (held, known bool) {
	var s syscall.Stat_t
	if syscall.Stat(dir, &s) != nil {
		return false, false
	}
	f, err := os.Open("/proc/locks")
	if err != nil {
		return false, false
	}
	defer f.Close() // read only
	inode := fmt.Sprintf(":%d", s.Ino)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// 1: FLOCK  ADVISORY  WRITE 1234 00:2e:56 0 EOF. Devices of overlays differ from
		// those of their files: the number of the inode tells.
		fields := strings.Fields(lines.Text())
		if len(fields) >= 6 && fields[1] == "FLOCK" && fields[3] == "WRITE" && strings.HasSuffix(fields[5], inode) {
			return true, true
		}
	}
	return false, true
}
