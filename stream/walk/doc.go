// Package walk reads once more what a model has published, and what that was made of: the journal in the order of seq,
// the input's records, and label records. Recovery, followers and audits use it. What becomes of what differs is theirs
// to decide: recovery stops, an audit has a finding and goes on.
package walk
