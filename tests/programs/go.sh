#!/bin/sh
# SPDX-License-Identifier: MIT
# Go: the runtime makes processes and threads with system calls of its own,
# unless the program is linked with libc (cgo), and handles every signal.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need go
version go version
environment="$environment GOCACHE=$work/gocache GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local
	GOTELEMETRY=off"

mkdir "$kit/src"
echo 'module example.org/p' >"$kit/src/go.mod"
cat >"$kit/src/main.go" <<'EOF'
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

func nothing(p *int) (message string) {
	defer func() { message = fmt.Sprint(recover()) }()
	*p = 1
	return
}

func processes() {
	out, err := exec.Command("sh", "-c", "echo out; exit 3").Output()
	fmt.Printf("%s%v\n", out, err)
	p := exec.Command("sleep", "9")
	p.Start()
	p.Process.Kill()
	fmt.Println(p.Wait())
	fmt.Println(exec.Command("nosuchfile_t2").Run())
	var all sync.WaitGroup
	codes := make([]int, 20)
	for i := range codes {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			c := exec.Command("sh", "-c", fmt.Sprintf("exit %d", i))
			c.Env = []string{"A=b"}
			c.Run()
			codes[i] = c.ProcessState.ExitCode()
		}(i)
	}
	all.Wait()
	fmt.Println(codes)
}

func signals() {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGUSR1, syscall.SIGTERM)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	fmt.Println(<-got)
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	fmt.Println(<-got)
	fmt.Println(nothing(nil))
	signal.Reset()
	signal.Ignore(syscall.SIGHUP)
	syscall.Kill(os.Getpid(), syscall.SIGHUP)
}

func many() {
	var all sync.WaitGroup
	var sum, lock = 0, sync.Mutex{}
	for i := 0; i < 10000; i++ {
		all.Add(1)
		go func(i int) { lock.Lock(); sum += i; lock.Unlock(); syscall.Getppid(); all.Done() }(i)
	}
	all.Wait()
	fmt.Println(sum)
}

func main() {
	switch os.Args[1] {
	case "processes":
		processes()
	case "signals":
		signals()
	case "many":
		many()
	case "panic":
		panic("panicked")
	case "fatal":
		var m map[string]int
		go func() { m["x"] = 1 }()
		select {}
	case "term":
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		select {}
	case "pipe":
		for i := 0; i < 100000; i++ {
			fmt.Println("line")
		}
	case "exec":
		fmt.Println(syscall.Exec("/bin/sh", []string{"sh", "-c", "echo replaced; exit 9"}, os.Environ()))
	}
	os.Exit(5)
}
EOF
cat >"$kit/src/cgo.go" <<'EOF'
package main

// int twice(int x) { return 2 * x; }
import "C"

func init() { C.twice(2) }
EOF
build env -C "$kit/src" CGO_ENABLED=0 go build -o ../static .
! have gcc || build env -C "$kit/src" CGO_ENABLED=1 go build -o ../cgo .

for kind in static cgo; do
	[ -x "$kit/$kind" ] || {
		skip "no gcc" $kind
		continue
	}
	# Ours is in the environment of its children whether it saw them start or not.
	told=start:$kind
	[ $kind = cgo ] || told=dark:$kind
	try -s 's/goroutine [0-9]+/goroutine N/; s/0x[0-9a-f]+/ADDRESS/g; s/m=[0-9]+/m=N/
		/^(r[0-9a-z]+|[cfg]s) /d' \
		$kind $told child:$kind start:sh <<-EOF
		for verb in processes signals many exec term; do "\$KIT/$kind" \$verb; echo "\$verb \$?"; done
		for verb in panic fatal; do
			"\$KIT/$kind" \$verb 2>err; echo "\$verb \$?"; head -n 1 err
		done; rm err
		"\$KIT/$kind" pipe | head -n 1
		GODEBUG=asyncpreemptoff=1 GOMAXPROCS=1 "\$KIT/$kind" many; echo \$?
		env -i "\$KIT/$kind" many; echo \$?
	EOF
done

try -l 120 -s 's/[0-9.]+s\)?$|\(cached\)$/TIME/' -x '^./bin/' toolchain child:go dark:go <<'EOF'
mkdir t; cd t
printf 'module t\n' >go.mod
cat >t_test.go <<'END'
package t

import "testing"

func TestOne(t *testing.T) {}
func TestTwo(t *testing.T) { t.Fatal("fails") }
END
cat >m.go <<'END'
//go:build ignore

package main

import "fmt"

func main() { fmt.Println("run"); panic(1) }
END
go run m.go 2>/dev/null; echo $?
go vet; echo $?
go test -count=1; echo $?
CGO_ENABLED=0 go build -o ../bin/m m.go; echo $?
EOF
finish
