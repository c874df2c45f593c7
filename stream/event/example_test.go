package event_test

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

func ExampleDecoder_Decode() {
	d, err := event.New(event.Defaults(event.JSON))
	if err != nil {
		fmt.Println(err)
		return
	}
	var arena []learner.Feature // shared by many examples
	var e event.Example
	for _, value := range []string{
		`{"id":"e1","label":1,"features":{"price":0.056,"market":"vic","open":true}}`,
		`{"id":"e2","label":"perhaps","features":{"price":0.061}}`,
	} {
		arena = d.Decode(&event.Record{Value: []byte(value)}, arena, &e)
		if e.Rejected != nil {
			fmt.Printf("%s - %.40s...\n", e.Rejected.Reason, e.Rejected.Message())
			continue
		}
		fmt.Println(string(event.AppendID(nil, &e)), e.Label, len(e.Features(arena)), "features")
	}
	// Output:
	// "e1" 1 3 features
	// bad-label - the label "perhaps" is none of 1, -1, 0,...
}

func ExampleDecoder_Walk() {
	o := event.Defaults(event.JSON)
	o.TextField = "msg"
	d, err := event.New(o)
	if err != nil {
		fmt.Println(err)
		return
	}
	value := `{"msg":"Buy now, BUY!","price":{"old":3,"new":2.5},"sizes":[1,2],"tags":["a","b"]}`
	d.Walk(&event.Record{Value: []byte(value)}, func(name []byte, f learner.Feature) {
		fmt.Printf("%s %g\n", name, f.Value)
	})
	// Output:
	// msg=buy 1
	// msg=now 1
	// price.old 3
	// price.new 2.5
	// sizes[0] 1
	// sizes[1] 2
	// tags=a 1
	// tags=b 1
}

func ExampleOptions_csv() {
	o := event.Defaults(event.CSV)
	o.Columns = []string{"day", "price", "class"}
	o.LabelField, o.Positive = "class", "UP"
	d, err := event.New(o)
	if err != nil {
		fmt.Println(err)
		return
	}
	var e event.Example
	arena := d.Decode(&event.Record{Value: []byte("monday,0.056,UP")}, nil, &e)
	fmt.Println(e.Label, len(arena), string(o.AppendLabel(nil, -e.Label, e.Family)))
	// Output: 1 2 "not UP"
}

func ExampleOptions_vw() {
	d, err := event.New(event.Defaults(event.VW))
	if err != nil {
		fmt.Println(err)
		return
	}
	value := []byte("1 2.0 'house7|area:0.5 living:120 garden:40 |tags balcony")
	var e event.Example
	d.Decode(&event.Record{Value: value}, nil, &e)
	fmt.Println(e.Label, e.Weight, string(e.ID))
	d.Walk(&event.Record{Value: value}, func(name []byte, f learner.Feature) { fmt.Printf("%s %g\n", name, f.Value) })
	// Output:
	// 1 2 house7
	// area^living 60
	// area^garden 20
	// tags^balcony 1
}

func ExampleOptions_AppendLabel() {
	o := event.Defaults(event.JSON)
	fmt.Println(string(o.AppendLabel(nil, -1, event.ZeroOne)), string(o.AppendLabel(nil, -1, event.Boolean)))
	o.LabelNames = []string{"ham", "spam"}
	fmt.Println(string(o.AppendLabel(nil, 1, event.Named)))
	// Output:
	// 0 false
	// "spam"
}
