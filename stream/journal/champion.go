package journal

import "rosenblatt/stream/recordbatch"

// headerChampion is in the first record of each batch of a flight before whose first entry another learner becomes the
// champion (PROTOCOL.md, "Promotion"). Its value is the learner's name.
const headerChampion = "rosenblatt.champion"

// ChampionBytes is the size of the header, at most.
const ChampionBytes = 64

// Champion is the header that makes a learner the champion.
func Champion(name string) recordbatch.Header {
	return recordbatch.Header{Key: headerChampion, Value: []byte(name)}
}

// ChampionOf returns the learner that the flight of a batch makes the champion, by the batch's first record; empty if
// it makes none.
func ChampionOf(headers []byte) string {
	_, name, _ := leadIn(headers)
	return name
}

// FlightChampion is the learner that the entry's flight makes the champion, by any of its entries that is no batch
// alone; empty if it makes none.
func (e *Entry) FlightChampion() string {
	if e.flight == nil {
		return e.champion
	}
	return e.flight.champion
}

// announce says with the first entry of a flight which learner it makes the champion.
func (e *Entry) announce() {
	switch {
	case e.flight == nil:
		e.Champion = e.champion
	case !e.flight.begun:
		e.flight.begun, e.Champion = true, e.flight.champion
	default:
		e.Champion = ""
	}
}
