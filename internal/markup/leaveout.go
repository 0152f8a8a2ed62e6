package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// leaveOut takes out of a document the images that it goes without, with the
// links and paragraphs that held nothing else.
func (r renderer) leaveOut(doc ast.Node) {
	if r.LeaveOut == nil {
		return
	}
	var gone []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if img, ok := n.(*ast.Image); ok && entering {
			if r.leavesOut(r.imageOf(img)) {
				gone = append(gone, img)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range gone {
		for p := n.Parent(); p != nil; n, p = p, p.Parent() {
			p.RemoveChild(p, n)
			if k := p.Kind(); k != ast.KindLink && k != ast.KindParagraph && k != ast.KindTextBlock && k != ast.KindEmphasis || !r.isBlank(p) {
				break
			}
		}
	}
}

// isBlank says whether nothing below n would be seen.
func (r renderer) isBlank(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if text, ok := c.(*ast.Text); !ok || strings.TrimSpace(string(text.Value(r.src))) != "" {
			return false
		}
	}
	return true
}

func (r renderer) leavesOut(img Image) bool { return r.LeaveOut != nil && r.LeaveOut(img) }
