package stops

import (
	"errors"
	"strings"
)

// MembersAccept reports whether processes that share a task may accept a stop, each by its token. Where a model begins
// from nothing, each of them would begin one.
func MembersAccept(name string) bool {
	return name != StateInvalid && name != StateMissing && name != FenceIneffective
}

// OneAlone is what to do with a decision that is not for processes that share a task.
const OneAlone = "end all daemons, start one without --standby and with it, and when that is live end it and start" +
	" all with --standby again"

// OfMember makes the advice of a stop one that a process can follow that shares its task: it accepts by tokens alone.
func OfMember(err error) error {
	stop, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	of := *stop
	plain, offer, offered := stop.cutOffer()
	named := strings.Contains(plain, "--accept "+stop.Name)
	switch {
	//mutation:member-begins-alone
	case named && !MembersAccept(stop.Name):
		of.Do = plain + "; no daemon with --standby may: " + OneAlone
	case named && !offered:
		of.Do += "; with --standby give the token that the next start prints, at all daemons"
	//mutation:member-accepts-by-token
	case named:
		plain = strings.ReplaceAll(plain, "--accept "+stop.Name, "--accept "+stop.token+" at all daemons")
		of.Do = plain + offerBegins + stop.token + offer
	case strings.Contains(stop.Do, "--skip "):
		of.Do += "; --skip is for one daemon alone: " + OneAlone
	}
	return &of
}

// FollowDo is what to do where a process that shares its task has other settings than the model, and so follows.
func (s *Error) FollowDo() string {
	_, offer, offered := s.cutOffer()
	if !offered {
		return s.Do
	}
	_, inVain, _ := strings.Cut(offer, offerEnds)
	return "go back to the model's settings; or, with these at all members, --accept " + s.token + " accepts" +
		" exactly this: they take effect when one of them takes over" + inVain
}

// cutOffer is the advice before the token, and what is behind it.
func (s *Error) cutOffer() (plain, offer string, offered bool) {
	if s.token == "" {
		return s.Do, "", false
	}
	return strings.Cut(s.Do, offerBegins+s.token)
}
