// Package group is the membership of processes that share tasks. A task is a model with its partitions; its number is 0
// to n-1. The members of a Kafka consumer group tell in their metadata which tasks they have and follow and how far
// behind they are. The leader computes from that who has what ([Assign], a pure function). A [Member] joins, sends
// heartbeats, and delivers what this process is assigned. A [Transport] speaks the group's protocol.
//
// What the group says is a hint. Two members may believe that they have a task; the fence decides who writes. So a
// member keeps a task until another one fences it, also while the group cannot be reached.
//
// An assignment counts only if the leader made it from the metadata of this member's last join: Kafka gives a static
// member that comes back what its predecessor had, without a new generation. Such a member joins again.
package group
