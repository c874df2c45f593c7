package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/dustin/go-humanize"
)

// The page of several tasks has no script: the browser loads it again every two seconds.
var tasksTemplate = template.Must(template.New("tasks").Funcs(template.FuncMap{
	"style":   func() template.CSS { return template.CSS(style) }, // not foreign
	"count":   humanize.Comma,
	"rate":    func(x float64) string { return humanize.CommafWithDigits(x, 0) },
	"share":   share,
	"name":    func(name string) string { return strings.Map(visible, clip(name, maxName)) },
	"total":   total,
	"reasons": func(all []string) string { return strings.Map(visible, clip(strings.Join(all, "; "), maxReasons)) },
}).Parse(file("tasks.html")))

const maxReasons = 300 // bytes

// share is the accuracy over so many examples.
func share(accuracy float64, examples int64) string {
	if examples == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*accuracy)
}

func total(rejected map[string]int64) string {
	var n int64
	for _, m := range rejected {
		n += m
	}
	return humanize.Comma(n)
}

func (s *Server) taskPage(w http.ResponseWriter, _ *http.Request) {
	var buf bytes.Buffer
	if err := tasksTemplate.Execute(&buf, s.tasksBody()); err != nil {
		http.Error(w, "page: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(buf.Bytes()) // an error means that the client is gone
}
