package source

import (
	"fmt"
	"path/filepath"
	"strings"
)

// quietFolder tells folders that belong to the items or to programs: nothing
// a person looks for among the items.
func quietFolder(name string) bool {
	lower := strings.ToLower(name)
	switch lower {
	case doneDir, "images", "assets", "attachments":
		return true
	}
	return strings.HasPrefix(name, ".") || strings.HasSuffix(lower, ".assets")
}

// notAnItem says why a file is no item, by its name; "" for what may be one.
func notAnItem(name string) string {
	lower := strings.ToLower(name)
	hidden := strings.HasPrefix(name, ".")
	switch {
	case hidden && strings.HasSuffix(lower, ".icloud"):
		return fmt.Sprintf("still in the cloud; download %s to have it posted", strings.TrimSuffix(name[1:], filepath.Ext(name)))
	case strings.HasSuffix(lower, ".swp"), strings.HasSuffix(lower, ".swo"), strings.HasPrefix(lower, ".#"):
		return "an editor's trace of a file that is open"
	case strings.HasPrefix(lower, "._"), lower == ".ds_store", lower == "thumbs.db", lower == "desktop.ini":
		return "a file of the operating system"
	case strings.HasPrefix(name, asidePrefix):
		return "left by a move to done/ that was cut off; compare it with the file there, then delete it"
	case hidden:
		return "a hidden file"
	case strings.HasSuffix(name, "~"), strings.HasPrefix(name, "~"), strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"):
		return "an editor's backup or temporary file"
	case isConflict(lower):
		return "a conflict copy made by a sync program; merge it and delete it"
	case !isMarkdown(name) && !isHTML(name):
		return "not a .md, .markdown, .mdown, .html or .htm file"
	}
	return ""
}

func isConflict(lower string) bool {
	for _, sign := range []string{"conflicted copy", ".sync-conflict-", "(case conflict", "_conflict-", ".conflict"} {
		if strings.Contains(lower, sign) {
			return true
		}
	}
	return false
}

func isMarkdown(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown", ".mdown":
		return true
	}
	return false
}

func isHTML(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm":
		return true
	}
	return false
}
