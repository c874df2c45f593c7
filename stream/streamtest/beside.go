package streamtest

import (
	"flag"
	"runtime"
	"strconv"
)

// RunBeside runs at least so many parallel tests at a time, unless -parallel says how many: more than there are
// processors, where tests mostly wait for brokers and disks. A TestMain calls it.
func RunBeside(tests int) {
	flag.Parse()
	f := flag.Lookup("test.parallel")
	if f.Value.String() != f.DefValue || runtime.GOMAXPROCS(0) >= tests {
		return
	}
	if err := f.Value.Set(strconv.Itoa(tests)); err != nil {
		panic(err)
	}
}
