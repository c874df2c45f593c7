// Package checkpoint keeps bytes on disk so that they outlive a crash, a power loss and a bad disk.
//
// A Store is one folder. Save writes a File into it: a JSON header and named Sections of bytes. Newest gives back the
// newest file that proves itself whole. Open reads one file and changes nothing. Lock makes sure that one process at a time
// works on the folder. FS is the little of a file system that this needs; OS is the real one.
//
// What Save promises: when it returns without an error the file is durable. Whatever happens before that, Newest finds the
// file that was saved last, or the new one, whole. The order of operations gives this:
//
//	create a temp file with a unique name, exclusively, in the same folder
//	write, fsync, close
//	rename it to checkpoint-<seq>
//	fsync the folder
//	remove all but the newest three
//
// What stands in the folder:
//
//	lock                          held by the running process
//	checkpoint-<seq>              seq in decimal without leading zeros; 9 comes before 10
//	checkpoint-<seq>.<hex>.tmp    a save that has not ended; removed at the next start
//	checkpoint-<seq>.corrupt      a file that Newest found invalid and set aside; it is never overwritten or removed
//
// Caveats. A Store serves one goroutine at a time, and Save and Newest expect their caller to hold the lock: both remove
// the temp files of dead processes. A disk or a file system that acknowledges an fsync it did not do breaks the promise.
// The sums find accidents, not forgeries. The package does not look into header or sections: that the header's numbers
// fit the file's name, and that weights are finite, is the caller's business.
//
// The byte layout is described in format.go.
package checkpoint
