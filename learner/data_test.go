package learner

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/learner/datasets"
)

// example is a labelled example as the tests hold it.
type example struct {
	x     []Feature
	label int8
}

// dataset is a file's examples, with exact slots: no two names share one.
type dataset struct {
	slots    map[string]uint32
	examples []example
}

func (d *dataset) feature(name string, value float64) Feature {
	slot, ok := d.slots[name]
	if !ok {
		slot = uint32(len(d.slots))
		d.slots[name] = slot
	}
	return Feature{Slot: slot, Print: uint16(slot%printMask) + 1, Value: value}
}

// bits is the size of a model that holds every name.
func (d *dataset) bits() int {
	bits := 1
	for 1<<bits < len(d.slots) {
		bits++
	}
	return bits
}

// dataFile reads a file of the data sets.
func dataFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(datasets.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readSet reads one of the data sets of the golden numbers.
func readSet(t testing.TB, name string) *dataset {
	t.Helper()
	d := &dataset{slots: make(map[string]uint32)}
	switch name {
	case "elec2":
		d.readCSV(t, dataFile(t, "elec2/electricity.csv"), "UP")
	case "phishing":
		d.readCSV(t, gunzip(t, dataFile(t, "phishing/phishing.csv.gz")), "1")
	case "bananas":
		d.readLines(t, firstOfZip(t, dataFile(t, "bananas/banana.zip")))
	case "a9a":
		d.readLines(t, dataFile(t, "a9a/a9a"))
	case "rcv1_small":
		d.readLines(t, dataFile(t, "rcv1_small/rcv1_small.dat"))
	default:
		t.Fatalf("no data set %q", name)
	}
	return d
}

// readCSV reads a file with a header whose last column is the label.
func (d *dataset) readCSV(t testing.TB, data []byte, positive string) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header, rows := rows[0], rows[1:]
	for _, row := range rows {
		e := example{label: -1}
		last := len(row) - 1
		if row[last] == positive {
			e.label = 1
		}
		for i, text := range row[:last] {
			e.x = append(e.x, d.feature(header[i], number(t, text)))
		}
		d.examples = append(d.examples, e)
	}
}

// readLines reads LIBSVM text, and VW text with one namespace: a label, maybe "|f", and name:value pairs.
func (d *dataset) readLines(t testing.TB, data []byte) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		e := example{label: int8(number(t, words[0]))}
		for _, word := range words[1:] {
			if name, value, ok := strings.Cut(word, ":"); ok {
				e.x = append(e.x, d.feature(name, number(t, value)))
			}
		}
		d.examples = append(d.examples, e)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func number(t testing.TB, text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func gunzip(t testing.TB, data []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return readAll(t, r)
}

func firstOfZip(t testing.TB, data []byte) []byte {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := archive.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	return readAll(t, file)
}

func readAll(t testing.TB, r io.ReadCloser) []byte {
	data, err := io.ReadAll(r)
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}
