package autostart

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// place puts files below a folder that stands for a system's root; a value
// that begins with "-> " makes a link.
func place(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		if len(text) > 3 && text[:3] == "-> " {
			err = os.Symlink(text[3:], file)
		} else {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestStarts(t *testing.T) {
	t.Parallel()
	m := matcher{programs: []string{"morrow", "daily.py", "my post.ps1"}, read: func(p string) ([]byte, error) {
		text, ok := map[string]string{
			`C:\blog\start it.bat`: "@echo off\r\nrem morrow serve\r\nstart \"\" \"C:\\Program Files\\morrow\\morrow.exe\" serve\r\n",
			`C:\blog\waits.cmd`:    "start /wait morrow run\r\n",
			`C:\blog\none.bat`:     ":: morrow serve\r\necho hi\r\n",
			"/opt/wrapper":         "#!/bin/sh\nexec morrow serve\n",
			"/opt/loop.sh":         "#!/bin/sh\n# morrow serve\npython3 /opt/daily.py\n",
		}[p]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	}}
	for command, want := range map[string][2]bool{
		"/usr/bin/morrow serve":                            {true, false},
		"morrow --config /etc/x.yaml run daily":            {true, false},
		"morrow status":                                    {false, false},
		"/usr/bin/morrow-backup serve":                     {false, false},
		`"C:\Program Files\Morrow\Morrow.EXE" serve`:       {true, false},
		`cmd /c start "" morrow.exe serve`:                 {true, true},
		`cmd /c start /wait morrow.exe serve`:              {true, false},
		"python3 '/home/a b/daily.py'":                     {true, false},
		`powershell -File "C:\x\My Post.ps1"`:              {true, false},
		`"C:\blog\start it.bat" now`:                       {true, true},
		`C:\blog\waits.cmd`:                                {true, false},
		`C:\blog\none.bat`:                                 {false, false},
		`C:\blog\gone.bat`:                                 {false, false},
		"/opt/wrapper":                                     {true, false},
		"/bin/sh -c '/opt/loop.sh; restart daily.pyc'":     {true, false},
		"systemctl restart nginx":                          {false, false},
		"wget -q https://blog.example.com/wp-cron.php?run": {false, false},
	} {
		if yes, detached := m.starts(command); [2]bool{yes, detached} != want {
			t.Errorf("%s: starts %v, detached %v", command, yes, detached)
		}
	}
}

func utf16Text(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func taskXML(policy, enabled, command, arguments string) string {
	return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Settings><MultipleInstancesPolicy>` + policy + `</MultipleInstancesPolicy><Enabled>` + enabled + `</Enabled></Settings>
  <Actions Context="Author"><Exec><Command>` + command + `</Command><Arguments>` + arguments + `</Arguments></Exec></Actions>
</Task>`
}

// What Windows keeps in files is read by code that runs everywhere.
func TestWindowsFiles(t *testing.T) {
	t.Parallel()
	root := place(t, map[string]string{
		"Windows/System32/Tasks/Blog/Morrow":                                                                    utf16Text(taskXML("Parallel", "true", `"C:\Program Files\morrow\morrow.exe"`, "serve")),
		"Windows/System32/Tasks/Other":                                                                          utf16Text(taskXML("IgnoreNew", "true", "notepad.exe", "")),
		"Windows/System32/Tasks/Old":                                                                            utf16Text(taskXML("IgnoreNew", "false", "morrow.exe", "run daily")),
		"Windows/System32/Tasks/Broken":                                                                         "<Task>",
		"ProgramData/Microsoft/Windows/Start Menu/Programs/Startup/a.bat":                                       "start morrow serve\r\n",
		"ProgramData/Microsoft/Windows/Start Menu/Programs/Startup/desktop.ini":                                 "x",
		"Users/Jane/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/Morrow shortcut.lnk":          "L\x00\x00" + utf16Text(`C:\bin\morrow.exe`)[2:] + "\x05" + utf16Text("serve")[2:],
		"Users/Jane/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/Documentation of morrow.lnk":  "L\x00" + utf16Text(`C:\doc\morrow.pdf`)[2:],
		"Users/Jane/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/a folder/morrow serve inside": "x",
	})
	m := matcher{programs: []string{"morrow"}, read: func(string) ([]byte, error) { return nil, os.ErrNotExist }}
	got, err := m.taskFiles(filepath.Join(root, "Windows/System32/Tasks"))
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, m.startup(root)...)
	want := []Entry{
		{Kind: "scheduled task", Where: `\Blog\Morrow`, Command: `"C:\Program Files\morrow\morrow.exe" serve`, Twice: true},
		{Kind: "scheduled task", Where: `\Old`, Command: `"morrow.exe" run daily`, Off: true},
		{Kind: "startup folder", Where: filepath.Join(root, "Users/Jane/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/Morrow shortcut.lnk"), Command: "Morrow shortcut.lnk"},
		{Kind: "startup folder", Where: filepath.Join(root, "ProgramData/Microsoft/Windows/Start Menu/Programs/Startup/a.bat"), Command: "a.bat", Detached: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := m.taskFiles(filepath.Join(root, "none")); err == nil {
		t.Error("a folder that can't be read is no error")
	}
}

// The scheduler's own list, for whom the folder is closed.
func TestTasks(t *testing.T) {
	t.Parallel()
	m := matcher{programs: []string{"morrow"}}
	got := m.tasks("<?xml version=\"1.0\"?>\n<Tasks>\n<!-- \\One -->\n" + taskXML("StopExisting", "true", "morrow", "serve")[len(`<?xml version="1.0" encoding="UTF-16"?>`):] +
		"\n\n<!-- \\MS\\Two -->\n" + taskXML("Queue", "true", "defrag", "")[len(`<?xml version="1.0" encoding="UTF-16"?>`):] + "</Tasks>")
	if diff := cmp.Diff([]Entry{{Kind: "scheduled task", Where: `\One`, Command: `"morrow" serve`}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
