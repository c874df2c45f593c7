//go:build amd64 || arm64

package learner

import "unsafe"

// prefetchRows requests the cache line at table + slot*size bytes for each feature of x. It reads nothing, so no
// address is invalid.
//
//go:noescape
func prefetchRows(x []Feature, table unsafe.Pointer, size uintptr)
