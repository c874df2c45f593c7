package stream

import (
	"encoding/json"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/statetopic"
)

// withoutTopic sets a checkpoint of the folder aside that counts only where the topic has it, too, and returns the
// newest one before it. The process that wrote it has ended between the two saves, before it published anything. Others
// may have gone on with what the topic has, under another bound of settled ids, or without what it had accepted.
func (t *Task) withoutTopic(
	whole []*statetopic.Manifest, file *checkpoint.File, err error,
) (*checkpoint.File, error) {
	for len(whole) > 0 && err == nil && file != nil &&
		!isLater(whole[0], file) && isForTopic(file) && !isNamed(whole, file) {
		t.remembered.folderEpoch = max(t.remembered.folderEpoch, progressIn(file).Epoch)
		var to string
		if to, err = t.Store.SetAside(file.Seq); err != nil {
			return nil, err
		}
		t.Logger.Warn().Str("file", file.Path).Str("now", to).Msg("set aside a checkpoint that was not saved in the" +
			" checkpoint topic: nothing was published after it")
		file, _, err = t.newestFile()
	}
	return file, err
}

// isForTopic reports whether a checkpoint in the folder counts only where the topic has it, too.
func isForTopic(file *checkpoint.File) bool {
	var h struct{ ForTopic bool }
	_ = json.Unmarshal(file.Header, &h) // where it is none, the start says so
	//mutation:folder-alone
	return h.ForTopic
}

// isNamed reports whether a file is in the topic.
func isNamed(whole []*statetopic.Manifest, file *checkpoint.File) bool {
	return slices.ContainsFunc(whole, func(m *statetopic.Manifest) bool {
		return slices.ContainsFunc(m.Files, func(f statetopic.File) bool { return f.Link == file.Link() })
	})
}
