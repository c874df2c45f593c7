// Package drift detects that the mean of a stream has changed, as that of a model's mistakes does where the world
// changes. It uses the standard library only.
//
// A Detector is ADWIN (Bifet and Gavaldà 2007, "Learning from time-changing data with adaptive windowing"). It keeps a
// window of the latest values, in buckets of 1, 2, 4 ... values of which it knows the sums. Every Clock values it tries
// each border between two buckets: are the means before and behind it further apart than chance makes them? If so, the
// mean has changed, and the window begins anew. With Rise = 0 it detects at the same values as River 0.26 does.
//
// A change is a drift where the newer part's mean is higher by Rise of the older one's. A model that gets better, or is
// a little worse by night, does not drift.
//
// The same values give the same bits on every machine. Sums run in the order of the values, and every product is
// rounded before it is added. A Detector belongs to one goroutine, and is copied by assignment.
package drift
