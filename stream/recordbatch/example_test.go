package recordbatch_test

import (
	"errors"
	"fmt"
	"log"

	"rosenblatt/stream/recordbatch"
)

// A batch goes out in a Produce request, and comes back in a Fetch response, here truncated as by brokers.
func Example() {
	var b recordbatch.Builder
	b.Append(1_700_000_000_000, []byte("user 7"), []byte("0.25"))
	b.AppendHeaders(1_700_000_000_005, nil, []byte("0.75"), nil,
		[]recordbatch.Header{{Key: "model", Value: []byte("clicks@1")}})
	sealed, err := b.Seal(4000, 0, 12, recordbatch.Zstd)
	if err != nil {
		log.Fatal(err)
	}
	fetched := append(sealed, sealed[:20]...)

	var u recordbatch.Unpacker
	for {
		batch, rest, err := recordbatch.Next(fetched)
		if errors.Is(err, recordbatch.ErrPartial) {
			fmt.Println("the rest comes with the next fetch")
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(batch.Count, "records,", batch.Codec, "sequence", batch.Sequence)
		records, err := u.Open(&batch)
		if err != nil {
			log.Fatal(err)
		}
		var r recordbatch.Record
		for records.Next(&r) {
			headers, err := recordbatch.ParseHeaders(r.Headers)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%d at %d: %q %s %s\n", r.Offset, r.Timestamp, r.Key, r.Value, headers)
		}
		if err := records.Err(); err != nil {
			log.Fatal(err)
		}
		fetched = rest
	}
	// Output:
	// 2 records, zstd sequence 12
	// 0 at 1700000000000: "user 7" 0.25 []
	// 1 at 1700000000005: "" 0.75 [{model clicks@1}]
	// the rest comes with the next fetch
}

// A batch that a broker refused as too large is sent in halves.
func ExampleBuilder_CopyRange() {
	var b, half recordbatch.Builder
	for i := range int64(5) {
		b.Append(i, nil, []byte("answer"))
	}
	b.CopyRange(&half, 0, 2, nil)
	fmt.Println(half.Len(), "records,", half.Size(), "bytes")
	b.CopyRange(&half, 2, b.Len(), nil)
	fmt.Println(half.Len(), "records,", half.Size(), "bytes")
	// Output:
	// 2 records, 87 bytes
	// 3 records, 100 bytes
}
