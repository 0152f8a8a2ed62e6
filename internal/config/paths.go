package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	folder   = "morrow"
	fileName = "config.yaml"
	// PathVariable is the environment variable that names the file.
	PathVariable = "MORROW_CONFIG"
)

// NotFoundError says that there is no configuration file and where one was
// looked for.
type NotFoundError struct{ Looked []string }

func (e *NotFoundError) Error() string {
	return "no configuration file found; looked for " + strings.Join(e.Looked, " and ")
}

// Find gives the configuration file: the one named by flag, else by
// MORROW_CONFIG, else the user's, else the system's (not on Windows). The current folder is not
// looked in: a configuration can name commands to run, and folders come from
// anywhere.
func Find(flag string, env func(string) (string, bool)) (string, error) {
	if flag != "" {
		return named(flag, "--config")
	}
	if path, _ := env(PathVariable); path != "" {
		return named(path, PathVariable)
	}
	candidates := places()
	for _, path := range candidates {
		_, err := os.Stat(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find configuration: %w", err)
		}
	}
	return "", &NotFoundError{Looked: candidates}
}

func named(path, by string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find configuration named by %s: %w", by, err)
	}
	return filepath.Abs(path)
}

// places are the user's and the system's configuration files. Windows has none
// of the system: every user may make a folder in ProgramData.
func places() []string {
	var out []string
	if dir, err := os.UserConfigDir(); err == nil {
		out = append(out, filepath.Join(dir, folder, fileName))
	}
	if runtime.GOOS != "windows" {
		out = append(out, filepath.Join("/etc", folder, fileName))
	}
	return out
}

// stateDir is where the journal and the logs go unless state_dir says other.
func stateDir(env func(string) (string, bool)) (string, error) {
	root := os.Geteuid() == 0 // -1 on Windows
	switch runtime.GOOS {
	case "windows":
		if dir, _ := env("LocalAppData"); dir != "" {
			return filepath.Join(dir, folder), nil
		}
		return "", errors.New("the environment has no LocalAppData; set state_dir")
	case "darwin":
		if root {
			return filepath.Join("/Library/Application Support", folder), nil
		}
		return underHome("Library/Application Support")
	}
	if root {
		return filepath.Join("/var/lib", folder), nil
	}
	// The specification of these variables says to ignore relative paths.
	if dir, _ := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, folder), nil
	}
	return underHome(".local/state")
}

func underHome(dir string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home folder for state_dir: %w", err)
	}
	return filepath.Join(home, filepath.FromSlash(dir), folder), nil
}
