// Package cluster makes requests of the brokers of a cluster. [Cluster.Request] is the one way to make them: a [Route]
// finds the broker, and a pool has a connection for it. A cache knows leaders and topic ids, and while requests fail it
// is refreshed. What is repeated, and for how long, is in [Cluster.Retry]; what fails meanwhile is an outage, which is
// logged and shown. The package knows no task.
package cluster
