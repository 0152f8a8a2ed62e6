package main

import (
	"encoding/base64"
	"html"
	"net/http"
	"os"
	"strings"

	xhtml "golang.org/x/net/html"

	"morrow/internal/compose"
)

// policy lets a page show what it holds itself, and nothing else: it runs no
// script and asks nobody for anything.
const policy = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"

// style is about what the themes of WordPress do to its blocks.
const style = `body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.1rem/1.65 Georgia,serif;color:#111;background:#fff}
h1,h2,h3,h4,h5,h6{font-family:system-ui,sans-serif;line-height:1.25}
img{max-width:100%;height:auto}figure{margin:1.5rem 0}figcaption{font-size:.85em;color:#555;text-align:center}
pre{overflow:auto;padding:1rem;background:#f5f5f5}code,pre{font-family:ui-monospace,monospace;font-size:.9em}
blockquote{margin:1.5rem 0;padding-left:1rem;border-left:4px solid #111}
table{border-collapse:collapse;width:100%}td,th{border:1px solid #999;padding:.4rem .6rem}
hr{border:0;border-top:2px solid #111;width:6rem}.wp-block-embed__wrapper{padding:2rem;text-align:center;background:#eee;overflow-wrap:anywhere}
.has-text-align-center{text-align:center}.has-text-align-right{text-align:right}`

// previewPage is a post as a page of its own. The post lies in a sandboxed
// frame: whatever stands in it, it can't reach the page or the browser's files.
func previewPage(d compose.Draft) string {
	post := "<!doctype html><meta charset=utf-8>" + metaPolicy + "<style>" + style + "</style>" +
		"<h1>" + html.EscapeString(d.Title) + "</h1>\n" + withoutMeta(d.Content)
	return "<!doctype html>\n<html><head><meta charset=utf-8>" + metaPolicy +
		"<title>" + html.EscapeString(d.Title) + "</title>" +
		"<style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style></head>\n" +
		"<body><iframe sandbox title=preview srcdoc=\"" + html.EscapeString(post) + "\"></iframe></body></html>\n"
}

const metaPolicy = `<meta http-equiv="Content-Security-Policy" content="` + policy + `">`

// withoutMeta takes out what would lead the frame elsewhere: the policy keeps it
// from there, and the frame would stay empty.
func withoutMeta(content string) string {
	var b strings.Builder
	z := xhtml.NewTokenizer(strings.NewReader(content))
	for kind := z.Next(); kind != xhtml.ErrorToken; kind = z.Next() {
		raw := string(z.Raw())
		name, _ := z.TagName()
		if kind != xhtml.StartTagToken && kind != xhtml.SelfClosingTagToken || string(name) != "meta" {
			b.WriteString(raw)
		}
	}
	return b.String()
}

// dataAddress is a picture as an address that holds it; that of its file where
// it can't be read, which the page does not show.
func dataAddress(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return path
	}
	return "data:" + http.DetectContentType(data) + ";base64," + base64.StdEncoding.EncodeToString(data)
}
