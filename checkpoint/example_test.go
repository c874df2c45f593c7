package checkpoint_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"rosenblatt/checkpoint"
)

func Example() {
	state, err := os.MkdirTemp("", "state")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(state) }()

	store := &checkpoint.Store{Dir: filepath.Join(state, "fraud")}
	release, err := store.Lock()
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = release() }()

	weights := []float64{0.5, -1.25}
	section := checkpoint.Section{
		Name: "weights",
		Size: int64(8 * len(weights)),
		Append: func(dst []byte, from, to int64) ([]byte, error) {
			return binary.Append(dst, binary.LittleEndian, weights[from/8:to/8])
		},
	}
	saved, err := store.Save(42, []byte(`{"seq":42}`), []checkpoint.Section{section}, checkpoint.Base{})
	if err != nil {
		log.Fatal(err)
	}

	file, setAside, err := store.Newest()
	if err != nil {
		log.Fatal(err)
	}
	data, _ := file.Section("weights")
	loaded := make([]float64, len(data)/8)
	if _, err := binary.Decode(data, binary.LittleEndian, loaded); err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Seq, string(file.Header), loaded, saved.Bytes == file.Bytes, len(setAside))
	// Output: 42 {"seq":42} [0.5 -1.25] true 0
}

func ExampleOpen() {
	file, err := checkpoint.Open(checkpoint.OS{}, "testdata/format-10/checkpoint-42")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Version, string(file.Header))
	for _, s := range file.Sections {
		fmt.Println(s.Name, len(s.Data))
	}
	// Output:
	// 10 {"seq":42,"model":"fraud@3"}
	// weights 32
	// names 17
	// kept 5
	// empty 0
}
