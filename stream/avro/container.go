package avro

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"
)

// Container reads the objects of a container file one by one, as they are written: values of the schema that is in the
// file.
type Container struct {
	in     *bufio.Reader
	text   string // of the schema
	schema *avro.Schema
	codec  func(block []byte) ([]byte, error)
	sync   [16]byte

	block []byte // what is left of the current one
	left  int64  // its objects
	raw   []byte // scratch: a block as it is in the file
	blank any    // what an object is decoded to, to find its end
}

// The bounds of what a container file may have one read into memory.
const (
	maxHeader = 16 << 20
	maxBlock  = 64 << 20
)

// ErrContainer is wrapped in errors about what is in the file.
var ErrContainer = errors.New("no container file of Avro")

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrContainer, fmt.Errorf(format, args...))
}

// NewContainer reads the header of a container file.
func NewContainer(in *bufio.Reader) (*Container, error) {
	c := &Container{in: in}
	var magic [4]byte
	_, err := io.ReadFull(in, magic[:])
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	case string(magic[:]) != "Obj\x01":
		return nil, broken("it does not begin with Obj and 1")
	}
	about, err := c.metadata()
	if err != nil {
		return nil, broken("its header: %w", err)
	}
	if _, err := io.ReadFull(in, c.sync[:]); err != nil {
		return nil, broken("its header: %w", err)
	}
	if c.text, err = Normalize(string(about["avro.schema"])); err != nil {
		return nil, broken("its schema: %w", err)
	}
	if c.schema, err = avro.Parse(c.text, avro.WithLaxNames(nil)); err != nil {
		return nil, broken("its schema: %w", err)
	}
	if c.blank = new(any); c.schema.Root().Type == "record" {
		c.blank = new(struct{}) // nothing is made of what is skipped
	}
	c.codec, err = codecOf(string(about["avro.codec"]))
	return c, err
}

// codecOf returns what unpacks blocks.
func codecOf(name string) (func([]byte) ([]byte, error), error) {
	var codec ocf.Codec
	switch name {
	case "", "null":
		return func(block []byte) ([]byte, error) { return block, nil }, nil
	case "deflate":
		codec = ocf.DeflateCodec(1)
	case "snappy":
		codec = ocf.SnappyCodec()
	case "zstandard":
		codec = ocf.MustZstdCodec(nil, nil)
	case "bzip2":
		return func(block []byte) ([]byte, error) {
			out, err := io.ReadAll(io.LimitReader(bzip2.NewReader(bytes.NewReader(block)), maxBlock+1))
			if err == nil && len(out) > maxBlock {
				err = fmt.Errorf("a block of more than %d bytes", maxBlock)
			}
			return out, err
		}, nil
	default:
		return nil, broken("its blocks are packed with %q: want null, deflate, snappy, zstandard or bzip2", name)
	}
	bounded, ok := codec.(ocf.BoundedDecompressor)
	if !ok {
		return nil, broken("its blocks are packed with %q, which has no bound", name)
	}
	return func(block []byte) ([]byte, error) { return bounded.DecompressBounded(block, maxBlock) }, nil
}

// metadata reads the map in the header.
func (c *Container) metadata() (map[string][]byte, error) {
	about, room := map[string][]byte{}, int64(maxHeader)
	for {
		count, err := binary.ReadVarint(c.in)
		if err != nil || count == 0 {
			return about, err
		}
		if count < 0 {
			if _, err = binary.ReadVarint(c.in); err != nil {
				return nil, err
			}
			count = -count
		}
		for ; count > 0; count-- {
			key, err := c.bytes(&room)
			if err != nil {
				return nil, err
			}
			if about[string(key)], err = c.bytes(&room); err != nil {
				return nil, err
			}
		}
	}
}

// bytes reads a length and so many bytes, of which there are at most room.
func (c *Container) bytes(room *int64) ([]byte, error) {
	n, err := binary.ReadVarint(c.in)
	switch {
	case err != nil:
		return nil, err
	case n < 0 || n > *room:
		return nil, fmt.Errorf("a length of %d bytes", n)
	}
	*room -= n + 1
	b := make([]byte, n)
	_, err = io.ReadFull(c.in, b)
	return b, err
}

// Schema returns the text of the schema, as Normalize returns it.
func (c *Container) Schema() string { return c.text }

// Next returns the bytes of the next object, which are valid until the next call. After the last one the error is
// io.EOF.
func (c *Container) Next() ([]byte, error) {
	for c.left == 0 {
		if len(c.block) > 0 {
			return nil, broken("%d bytes follow the last object of a block", len(c.block))
		}
		if err := c.next(); err != nil {
			return nil, err
		}
	}
	rest, err := c.schema.Decode(c.block, c.blank, avro.SkipUnknown(), avro.AliasInput())
	if err != nil {
		return nil, broken("an object that is none of its schema: %w", err)
	}
	object := c.block[: len(c.block)-len(rest) : len(c.block)-len(rest)]
	c.block, c.left = rest, c.left-1
	return object, nil
}

// next reads a block. A file that ends between blocks is complete.
func (c *Container) next() error {
	if _, err := c.in.Peek(1); errors.Is(err, io.EOF) {
		return io.EOF
	}
	count, err := binary.ReadVarint(c.in)
	if err == nil {
		var size int64
		if size, err = binary.ReadVarint(c.in); err == nil && (count < 0 || size < 0 || size > maxBlock) {
			return broken("a block of %d objects in %d bytes: want at most %d bytes", count, size, maxBlock)
		}
		c.raw = slices.Grow(c.raw[:0], int(size))[:size]
	}
	if err == nil {
		_, err = io.ReadFull(c.in, c.raw)
	}
	var sync [16]byte
	if err == nil {
		_, err = io.ReadFull(c.in, sync[:])
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return broken("it ends within a block; is it complete?")
	case err != nil:
		return err
	case sync != c.sync:
		return broken("a block is not followed by the bytes that end each block")
	}
	if c.block, err = c.codec(c.raw); err != nil {
		return broken("a block cannot be unpacked: %w", err)
	}
	c.left = count
	return nil
}
