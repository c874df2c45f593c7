//go:build amd64 || arm64

package learner

import "unsafe"

// prefetchRows requests the cache line at table + slot*size bytes for the slot of each feature of x. It does not wait
// and does not read, so no address is invalid.
//
//go:noescape
func prefetchRows(x []Feature, table unsafe.Pointer, size uintptr)
