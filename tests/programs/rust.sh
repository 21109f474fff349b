#!/bin/sh
# SPDX-License-Identifier: MIT
# Rust: cargo's builds and tests, std::process, panics.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need cargo rustc gcc
version cargo --version
environment="$environment CARGO_NET_OFFLINE=true CARGO_TERM_COLOR=never"

scrub='s/[0-9.]+s$/TIME/; s/in [0-9.]+s/in TIME/; s/-[0-9a-f]{16}\)?/-HASH/g
	s/^\(?thread .*//; s/ panicked at.*//'
try -l 120 -x '/target/|Cargo.lock' -s "$scrub" \
	cargo start:cargo start:rustc start:cc child:rustc start:p <<'EOF'
cargo new --vcs none p 2>&1; cd p
cat >src/main.rs <<'END'
use std::process::{exit, Command, Stdio};
use std::{env, panic, thread};

fn main() {
    let out = Command::new("sh").args(["-c", "echo out; exit 3"]).output().unwrap();
    println!("{:?} {:?}", out.status.code(), out.stdout);
    let mut p = Command::new("sleep").arg("9").spawn().unwrap();
    p.kill().unwrap();
    println!("{:?}", p.wait().unwrap());
    println!("{:?}", Command::new("nosuchfile_t2").status().unwrap_err().kind());
    let mut bare = Command::new("/bin/sh");
    bare.args(["-c", "exit 4"]).env_clear().stdin(Stdio::null());
    println!("{:?}", bare.status().unwrap());
    let run = |i| Command::new("sh").args(["-c", &format!("exit {i}")]).status().unwrap().code();
    let all: Vec<_> = (0..8).map(|i| thread::spawn(move || run(i))).collect();
    for t in all { println!("{:?}", t.join().unwrap()); }
    println!("{}", panic::catch_unwind(|| panic!("caught")).is_err());
    match env::args().nth(1).as_deref() {
        Some("panic") => panic!("uncaught"),
        Some("abort") => std::process::abort(),
        _ => exit(6),
    }
}

#[test]
fn passes() { assert!(Command::new("true").status().unwrap().success()); }
#[test]
#[should_panic]
fn panics() { panic!("as it should"); }
END
cargo build -q; echo $?
cargo run -q; echo $?
cargo run -q -- panic; echo $?
cargo run -q -- abort 2>/dev/null; echo $?
cargo test -q -- --test-threads=1; echo $?
printf '[profile.dev]\npanic = "abort"\n' >>Cargo.toml
cargo run -q -- panic >/dev/null 2>&1; echo $?
rustc --crate-type lib -o lib.rlib - </dev/null; echo $?; rm lib.rlib
echo 'fn main() { let x: u8 = 1_000_000; }' | rustc - 2>&1 | grep -c error
EOF
finish
