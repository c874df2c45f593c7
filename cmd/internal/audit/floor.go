package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// newest is the newest checkpoint at hand.
type newest struct {
	file   string
	header *model.Header
}

// readNewest looks for newer checkpoints in the state folder and beside the one that the audit begins with. The ends of
// the topics are read later: what the checkpoint knows of is in them.
func (p *plan) readNewest() {
	folders := []string{p.with.Folder}
	if p.header != nil {
		p.newest = newest{p.file, p.header}
		if p.whole {
			return // it is from the folder
		}
		folders = append(folders, filepath.Dir(p.file))
	}
	for _, folder := range folders {
		var h model.Header
		file, err := inspection.Open(folder, io.Discard)
		if err != nil || json.Unmarshal(file.Header, &h) != nil || len(h.Positions) == 0 {
			continue // it is no must
		}
		if now := p.newest.header; now == nil || p.sameHistory(&h) &&
			(h.Seq > now.Seq || len(model.GivenUp(h.Accepted)) > len(model.GivenUp(now.Accepted))) {
			p.newest = newest{file.Path, &h}
		}
	}
}

// sameHistory reports whether a checkpoint continues the one that the audit begins with.
func (p *plan) sameHistory(h *model.Header) bool {
	return h.Model == p.header.Model && h.Cluster == p.header.Cluster &&
		h.Input.ID == p.header.Input.ID && h.Output.ID == p.header.Output.ID
}

// sameAsFlags reports whether a checkpoint is of the model that the flags describe.
func (p *plan) sameAsFlags(h *model.Header, top *topics.Topology) bool {
	diff, err := h.Config.Diff(p.with.Task.ModelConfig)
	return err == nil && len(diff) == 0 && len(model.GivenUp(h.Accepted)) == 0 && h.Model == p.model &&
		h.Cluster == top.Cluster && h.Input.ID == top.Input.ID && h.Output.ID == top.Output.ID
}

// floor is what the newest checkpoint shows to be in the topics; nil where there is none.
func (p *plan) floor(top *topics.Topology) *verify.Floor {
	const unknown = "what is missing behind the last predictions, or all of it, cannot be known"
	h := p.newest.header
	switch {
	case h == nil || p.header == nil && !p.sameAsFlags(h, top):
		p.notes = append(p.notes, fmt.Sprintf("without a checkpoint of the model (there is none in %s),"+
			" %s: give --state", p.with.Folder, unknown))
		return nil
	case p.header != nil && len(model.GivenUp(h.Accepted)) > len(model.GivenUp(p.header.Accepted)):
		all := model.GivenUp(h.Accepted)
		a := all[len(all)-1]
		p.notes = append(p.notes, fmt.Sprintf("an operator accepted %s after this checkpoint: what follows cannot be"+
			" computed from it, and %s; leave --from-checkpoint out, or name a later one", a.Name, unknown))
		return nil
	case !p.whole && p.header != nil && h.Seq == p.header.Seq:
		do := "give --state"
		if p.given {
			do = fmt.Sprintf("%s has none; leave --from-checkpoint out, or name an older one", p.with.Folder)
		}
		p.notes = append(p.notes, "without a newer checkpoint of the model, "+unknown+": "+do)
	}
	return verify.FloorOf(h)
}
