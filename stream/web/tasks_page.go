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
	"name":    nameOf,
	"total":   total,
	"unready": unreadyTasks,
	"notice":  func(text string) string { return strings.Map(visible, clip(text, maxReasons)) },
}).Parse(file("tasks.html")))

const (
	maxReasons = 500 // bytes of a task's
	maxUnready = 20  // tasks whose reasons are shown
)

func nameOf(name string) string { return strings.Map(visible, clip(name, maxName)) }

// unreadyTasks says why tasks are not ready, a line for each.
func unreadyTasks(all []*statusBody) (lines []string) {
	more := 0
	for _, t := range all {
		switch {
		case len(t.Reasons) == 0:
		case len(lines) == maxUnready:
			more++
		default:
			reasons := strings.Map(visible, clip(strings.Join(t.Reasons, "; "), maxReasons))
			lines = append(lines, nameOf(t.Model)+": "+reasons)
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// share is the accuracy in a scope, empty where there is none.
func share(t *statusBody, scope string) string {
	accuracy, known := t.Figures[scope]["accuracy"]
	if !known {
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
