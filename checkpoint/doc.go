// Package checkpoint keeps bytes on disk so that they outlive a crash, a power loss and a bad disk.
//
// A Store is a folder. Save writes a file of a JSON header and named Sections of bytes. Newest reads the newest valid
// file, and Open reads any file without changing anything. Lock excludes other processes from the folder. WriteFile
// writes a file anywhere. FS is the part of a file system that this needs; OS is the real one.
//
// A file is self-contained, or it builds on an older one, its Base. Then it holds the pieces of sections that have
// changed since, and the base may build on yet another one. A save is self-contained again when the files that build on
// the last such one would outgrow half of it, and after 100 saves. An invalid file makes those that build on it
// invalid.
//
// When Save returns without an error, the file is durable. Before that, Newest finds the previous file or the new
// one, never a part:
//
//	create a temporary file with a unique name, exclusively, in the same folder
//	write, fsync, close
//	rename it to checkpoint-<seq>
//	fsync the folder
//	remove all but the newest three, one that shares no file with the newest, Kept, and what these build on
//
// The files of the folder:
//
//	lock                          held by the running process
//	checkpoint-<seq>              seq in decimal without leading zeros; 9 precedes 10
//	checkpoint-<seq>.<hex>.tmp    an incomplete save; removed at the next start
//	checkpoint-<seq>.corrupt      found invalid by Newest, which renamed it; the newest are kept
//	checkpoint-<seq>.<n>.corrupt  the nth one of the same seq
//
// Caveats. A Store serves one goroutine at a time. Callers of Save and Newest must hold the lock, because both remove
// temporary files. Disks that acknowledge an fsync without doing it break the promise. The sums detect accidents, not
// forgeries. Callers must check the content of header and sections.
//
// Version describes the layout of a file.
package checkpoint
