package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"
)

// The page: markup, style, and a script in three parts. Its data comes from /events.
//
//go:embed page.html page.css page.js curve.js sections.js tasks.html
var files embed.FS

var (
	style  = file("page.css")
	script = "\"use strict\";\n{\n" + file("curve.js") + file("sections.js") + file("page.js") + "}\n"

	// The content security policy allows exactly these, by their sums.
	styleSum, scriptSum = sum(style), sum(script)

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(style) }, // not foreign
		"script": func() template.JS { return template.JS(script) },
	}).Parse(file("page.html")))
)

func file(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

func sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// The page is constant except for the model's name.
func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	var buf bytes.Buffer
	name := strings.Map(visible, clip(s.Task.Status().Model, maxName))
	if err := pageTemplate.Execute(&buf, struct{ Model, Version string }{name, s.Version}); err != nil {
		http.Error(w, "page: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(buf.Bytes()) // an error means that the client is gone
}
