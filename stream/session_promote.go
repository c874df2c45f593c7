package stream

import "rosenblatt/stream/model"

// askPromotion takes a request. What is open goes out without it: it takes effect with the next flight.
func (s *session) askPromotion(p *promotion) {
	champion, waits := s.st.Proc.Champion(), s.promotion
	switch err := s.st.Proc.CanPromote(p.name); {
	case err != nil:
		p.done <- response{err: err}
		return
	case p.name == champion:
		s.askChampion(p)
		return
	case waits != nil && p.name == waits.name:
		p.done <- response{err: ErrPending}
		return
	case waits != nil:
		p.done <- response{err: ErrPromoting}
		return
	}
	s.t.Logger.Info().Str("champion", champion).Str("learner", p.name).
		Msg("a promotion is asked for: it takes effect with the next entry of the journal")
	s.awaitEntry(p)
	if f := s.flights.open; f != nil && len(f.layout.Runs) > 0 {
		f.full = true // nothing is added to it
	}
}

// awaitEntry makes a promotion the one that waits for an entry; nil: none does.
func (s *session) awaitEntry(p *promotion) {
	s.promotion = p
	name := ""
	//mutation:promotion-waits
	if p != nil {
		name = p.name
	}
	s.t.board.Promoting(name)
}

// askChampion takes a request for the one that is the champion. One for another learner that waits is withdrawn.
func (s *session) askChampion(p *promotion) {
	withdrawn := ""
	if s.promotion != nil {
		s.promotion.done <- response{err: ErrWithdrawn}
		withdrawn = s.promotion.name
		s.awaitEntry(nil)
		s.t.Logger.Info().Str("champion", p.name).Msg("the promotion that waited is withdrawn")
	}
	since, err := championSince(s.st.Proc.Promotions()), error(nil)
	//mutation:confirmed-when-acknowledged
	if since > s.t.board.Acknowledged() {
		err = ErrPending // its first entry is under way
	}
	p.done <- response{Promoted{since, withdrawn}, err}
}

// promotes reports whether a promotion takes effect with the entry that is next.
func (s *session) promotes(f *flight) bool { return s.promotion != nil && len(f.layout.Runs) == 0 }

// promote makes the learner the champion that was asked for, before the flight's first entry, which the champion before
// takes. learns: something is learned with that entry, and a learner that does not take it is refused.
func (s *session) promote(f *flight, learns bool) bool {
	p, proc := s.promotion, s.st.Proc
	s.awaitEntry(nil)
	//mutation:promoted-takes-the-event
	if !learns || proc.Takes(p.name) {
		f.promotion, f.champion = p, p.name
	}
	if err := proc.Promote(p.name, s.st.Seq+1, f.now); err != nil {
		p.done <- response{err: err}
		return false
	}
	s.t.Logger.Info().Str("champion", p.name).Int64("seq", s.st.Seq+1).Msg("promoted: its predictions are published")
	return true
}

// takeBack takes a promotion back whose entry fits nowhere. It waits for the next one.
func (s *session) takeBack(f *flight) {
	s.st.Proc.TakeBack()
	s.awaitEntry(f.promotion)
	f.promotion, f.champion = nil, ""
}

// abandonPromotion ends what waits for an entry: the session is over.
func (s *session) abandonPromotion() {
	if s.promotion != nil {
		s.promotion.done <- response{err: ErrNotLive}
		s.awaitEntry(nil)
	}
}

// acknowledgePromotion says that the flight's entries are acknowledged.
func (f *flight) acknowledgePromotion() {
	if f.promotion != nil {
		f.promotion.done <- response{Promoted: Promoted{Seq: f.layout.First}}
	}
}

// championSince is the seq of the first entry of the champion; 0 without a promotion.
func championSince(all []model.Promotion) int64 {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].Seq
}
