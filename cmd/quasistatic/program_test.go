package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// ofTest is the variable that lets the test binary stand in for the program: the process of the test,
// without which it ends.
const ofTest = "QUASISTATIC_TEST_MAIN"

// endWith ends the program when a process is gone: a test that is killed leaves no run of 50,000,000
// steps behind.
func endWith(process int) {
	for range time.Tick(time.Second) {
		if errors.Is(signalTo(process, syscall.Signal(0)), os.ErrProcessDone) {
			os.Exit(exitFailed)
		}
	}
}

// signalTo sends a signal to a process; Windows has os.Kill alone.
func signalTo(process int, what os.Signal) error {
	p, err := os.FindProcess(process)
	if err != nil {
		return err
	}
	return errors.Join(p.Signal(what), p.Release())
}

// program is the command as a process of its own: the test binary stands in for it.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), ofTest+"="+strconv.Itoa(os.Getpid()))
	return cmd
}

// stopWhen runs a program, sends it SIGTERM at the first line that it prints which is
// the one waited for, and returns what it printed and how it ended.
func stopWhen(cmd *exec.Cmd, ready func(line string) bool) ([]byte, error) {
	return signalWhen(cmd, syscall.SIGTERM, ready)
}

// signalWhen is the same with any signal.
func signalWhen(cmd *exec.Cmd, signal os.Signal, ready func(line string) bool) ([]byte, error) {
	var text bytes.Buffer
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = cmd.Stdout // one pipe
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stopped := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if !stopped && ready(lines.Text()) {
			stopped = true                 // a second one would end it at once
			_ = cmd.Process.Signal(signal) // if it has ended, Wait says so
		}
	}
	err = cmd.Wait()
	return text.Bytes(), err
}
