// Command kubernetes reads manifests as strictly as Kubernetes' own types: an unknown field or a value of the wrong
// type is an error. It is a module of its own so that those types are no part of the project.
//
//	go run . ../../cmd/rosenblatt/deploy/*.yaml
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(paths []string) (all error) {
	for _, path := range paths {
		text, err := os.ReadFile(path)
		all = errors.Join(all, err)
		for i, document := range bytes.Split(text, []byte("\n---\n")) {
			if err := object(document); err != nil {
				all = errors.Join(all, fmt.Errorf("%s: object %d: %w", path, i+1, err))
			}
		}
	}
	return all
}

// object decodes one object into the type that it says it is of.
func object(text []byte) error {
	var head struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal(text, &head); err != nil {
		return err
	}
	kinds := map[string]any{
		"v1 ConfigMap": &corev1.ConfigMap{}, "v1 Service": &corev1.Service{},
		"apps/v1 StatefulSet": &appsv1.StatefulSet{}, "apps/v1 Deployment": &appsv1.Deployment{},
	}
	into := kinds[head.APIVersion+" "+head.Kind]
	if into == nil {
		return fmt.Errorf("no type for %s %s", head.APIVersion, head.Kind)
	}
	return yaml.UnmarshalStrict(text, into)
}
