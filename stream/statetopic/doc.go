// Package statetopic keeps the checkpoints of a task in a compacted topic as well as in its folder. So a process
// without the folder goes on from there (PROTOCOL.md, "Checkpoints in a topic").
//
// The topic holds the folder's files, byte for byte, in pieces of 64 KiB: those of the newest checkpoint (see
// checkpoint.Store.Chain). A manifest says which pieces make up a checkpoint, and their checksums. A piece has two
// places, which are keys, and so has the manifest. A save writes each piece to the place that the newest manifest does
// not name, and then the manifest to the place of the one before. So what the newest manifest names is untouched until
// the next one is acknowledged, wherever a save breaks off. Compaction keeps the last record of each key, so it keeps
// all of it.
//
// The keys of a partition are
//
//	<output topic>/piece/<number>/<place>
//	<output topic>/manifest/<place>
//
// with places 0 and 1. One output has one writer, so models may share the topic.
//
// A checkpoint that is kept, from which an audit begins, is there a second time, where later saves leave it alone:
//
//	<output topic>/kept/piece/<number>
//	<output topic>/kept/manifest
//
// Another one replaces it in place: nothing is restored from it but for audits.
//
// What the model knows of schemas is there, too, a record for each id. None depends on another or on a checkpoint:
//
//	<output topic>/schema/<id>
//
// A Copy is what was read of the topic, from which Restore fills a folder. A Writer saves. Both trust their Log that
// nobody else writes these keys: that is what the fence is for.
package statetopic
