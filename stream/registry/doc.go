// Package registry asks a schema registry with Confluent's API what an id means.
//
// A Client asks each id once, however many ask it, with at most 16 requests at a time. Two answers count: a schema, and
// that the registry does not know the id. Everything else is no answer: refused, a wrong login, a page of another
// server, an overloaded registry. It is asked again, with pauses up to ten seconds, until there is an answer or nobody
// waits for it any more. So a registry that is away is waited for, as a broker is.
//
// A schema that refers to others comes with them. What cannot be used, as one whose references are missing, is a schema
// with a fault.
package registry
