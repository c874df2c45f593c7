// Package profile says what the fields of a stream hold now, beside what they held before. It tells which events have a
// field, what kinds of values it has, how numbers and words are distributed, and how far that has shifted.
//
// A Profile is fed with events and counts in windows of 10,000. Now is the newest whole window. Before is the thirty
// windows before it. The reference is the first window, or one that is given. Report has all of them for each field; it
// is the JSON of a profile, from which ReadReference takes the reference again.
//
// Shift is the population stability index of the values that are present. With p and q the shares of a bin now and
// before, it is the sum of (p-q)·ln(p/q). A share is (count + ½)/(n + ½·bins). What chance gives, (bins-1)·(1/n + 1/m),
// is taken off. Under 0.1 it reads as none, up to 0.25 as some, above as large (Siddiqi 2006). Absence is a figure of
// its own.
//
// Numbers have ten bins, which held equally many values before. A value that fills more than one of them has a bin of
// its own: a field may always be the same. Words have the twenty most frequent, and all others as one. A boolean is the
// word true or false, as it is in the names of features.
//
// A field alerts by what was before, never by the reference, since the world moves. Its shift is then large and three
// times what is usual for it. Or twice as many events have it, or less than half. Columns of the same shape that change
// places are not found.
//
// A profile reads and never writes a model: no score depends on it. One goroutine uses it.
package profile
