package event

import "testing"

// TestChosenHashes: names can be made for any hash, since XXH64 can be inverted. The table is as quick with hashes that
// agree in half of their bits as with others.
func TestChosenHashes(t *testing.T) {
	for _, shift := range []int{0, 20, 32, 40} {
		var table nameTable
		table.reset()
		for i := range 10_000 {
			table.add(uint64(i)<<shift, i)
		}
		longest, run := 0, 0
		for range 2 { // a run may go on at the start
			for _, e := range table.entries {
				if run++; e.generation != table.generation {
					run = 0
				}
				longest = max(longest, run)
			}
		}
		if longest > 200 {
			t.Errorf("hashes of the bits from %d on: up to %d entries are read to find one", shift, longest)
		}
	}
}
