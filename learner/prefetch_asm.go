//go:build amd64 || arm64

package learner

import "unsafe"

// prefetchRows asks for the cache line at table + slot*size bytes for the slot of each feature of x. It waits for none and reads
// nothing, so that no address is wrong.
//
//go:noescape
func prefetchRows(x []Feature, table unsafe.Pointer, size uintptr)
