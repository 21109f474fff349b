#!/bin/sh
# SPDX-License-Identifier: MIT
# Python's ways to make processes, and its handling of signals.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need python3
version python3 --version

try subprocess start:python3 start:echo child:sh child:true <<'EOF'
cat >p.py <<'END'
import os, signal, subprocess as s, sys
print(s.run(["echo", "x"], capture_output=True, text=True).stdout, end="", flush=True)
print(s.call("exit 6", shell=True))
print(s.call(["true"], preexec_fn=lambda: os.umask(0)), s.call(["true"], start_new_session=True))
print(s.call(["ls", "/proc/self/fd"], close_fds=True, stdout=s.DEVNULL))
print(s.call(["true"], close_fds=False))
print(s.check_output(["sh", "-c", "ls -1 /proc/self/fd | wc -l"]))
print(s.call(["/bin/sh", "-c", "env | grep -c -e TRACE2 -e T2SHIM; ulimit -n"], env={}))
print(s.call(["sh", "-c", "exit 4"], process_group=0) if sys.version_info >= (3, 11) else 4)
print(s.call(["sh", "-c", "kill -9 $$"]))
p = s.Popen(["cat"], stdin=s.PIPE, stdout=s.PIPE); print(p.communicate(b"piped"), p.returncode)
try: s.call(["/nosuchfile_t2"])
except FileNotFoundError as e: print(e)
r, w = os.pipe()
p = s.Popen(["sh", "-c", f"echo passed >&{w}"], pass_fds=[w])
os.close(w); p.wait(); print(os.read(r, 99))
print(sorted(k for k in os.environ if "T2SHIM" in k))
try: s.run(["sleep", "9"], timeout=0.05)
except s.TimeoutExpired: print("timeout")
pid = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 8"], os.environ,
                     setsigdef=[signal.SIGPIPE], setpgroup=0,
                     file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
python3 p.py; echo $?
EOF

try multiprocessing start:python3 child:python3 <<'EOF'
cat >p.py <<'END'
import concurrent.futures as f, multiprocessing as m, os, sys
def square(x): return x * x
def leave(code): sys.exit(code)
if __name__ == "__main__":
    for method in "fork", "spawn", "forkserver":
        c = m.get_context(method)
        with c.Pool(2) as pool: print(method, pool.map(square, range(9)))
        p = c.Process(target=leave, args=(7,)); p.start(); p.join(); print(p.exitcode)
        p = c.Process(target=os.abort); p.start(); p.join(); print(p.exitcode)
        q = c.Queue(); p = c.Process(target=q.put, args=("queued",))
        p.start(); print(q.get()); p.join()
    with f.ProcessPoolExecutor(2) as pool: print(list(pool.map(square, range(5))))
    from multiprocessing import shared_memory
    x = shared_memory.SharedMemory(create=True, size=64); x.close(); x.unlink()
END
python3 p.py; echo $?
EOF

try asyncio start:python3 child:sh child:sleep <<'EOF'
cat >p.py <<'END'
import asyncio, os, signal
async def main():
    p = await asyncio.create_subprocess_exec("sh", "-c", "cat; exit 3", stdin=-1, stdout=-1)
    print(await p.communicate(b"in"), p.returncode)
    p = await asyncio.create_subprocess_shell("echo shell; kill -TERM $$", stdout=-1)
    print(await p.communicate(), p.returncode)
    many = [await asyncio.create_subprocess_exec("sh", "-c", f"exit {i}") for i in range(12)]
    print(await asyncio.gather(*(p.wait() for p in many)))
    p = await asyncio.create_subprocess_exec("sleep", "9")
    await asyncio.sleep(0.2); p.terminate(); print(await p.wait())
    loop = asyncio.get_running_loop(); got = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, got.set); os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.wait_for(got.wait(), 9); print("signalled")
asyncio.run(main())
END
python3 p.py; echo $?
EOF

try signals start:python3 <<'EOF'
cat >p.py <<'END'
import os, select, signal, socket, sys, time
shown = signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGSEGV
print([signal.getsignal(n) for n in shown])
r, w = socket.socketpair(); w.setblocking(False); signal.set_wakeup_fd(w.fileno())
signal.signal(signal.SIGUSR1, lambda n, f: print("handler", n))
os.kill(os.getpid(), signal.SIGUSR1); print(r.recv(9))
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2]); os.kill(os.getpid(), signal.SIGUSR2)
print(signal.sigpending(), signal.sigwait([signal.SIGUSR2]))
rung = []; signal.signal(signal.SIGALRM, lambda n, f: rung.append(n))
signal.setitimer(signal.ITIMER_REAL, 0.01)
while not rung: time.sleep(0.01)
print("alarm")
try: os.kill(os.getpid(), signal.SIGINT); time.sleep(9)
except KeyboardInterrupt: print("interrupt")
print(open("/proc/self/status").read().split("SigIgn:")[1].split()[0])
signal.signal(signal.SIGTERM, signal.SIG_DFL); sys.stdout.flush()
os.kill(os.getpid(), int(sys.argv[1]))
END
for n in 1 2 3 6 8 10 11 13 14 15; do python3 p.py $n 2>/dev/null; echo $?; done
EOF

try -s 's/0x[0-9a-f]+/ADDRESS/g' faulthandler start:python3 <<'EOF'
python3 -X faulthandler -c 'import ctypes; ctypes.string_at(0)'; echo $?
python3 -X faulthandler -c 'import os; os.abort()'; echo $?
python3 -c 'import faulthandler as f, os, signal
f.register(signal.SIGUSR1); os.kill(os.getpid(), signal.SIGUSR1)'; echo $?
python3 -c 'import faulthandler as f, time
f.dump_traceback_later(0.05, exit=True); time.sleep(9)'; echo $?
python3 -c 'import sys; sys.setrecursionlimit(10**4); f = lambda: f(); f()' 2>&1 | tail -n 1
python3 -c 'import ctypes; ctypes.string_at(0)'; echo $?
EOF

try os start:python3 child:python3 child:sh <<'EOF'
cat >p.py <<'END'
import os, pty, sys, threading
print(os.system("exit 7") >> 8, os.popen("echo popen").read(), flush=True)
print(os.spawnlp(os.P_WAIT, "sh", "sh", "-c", "exit 9"), flush=True)
pid, fd = pty.fork()
if pid == 0: os.execlp("sh", "sh", "-c", "tty >/dev/null && echo on a tty")
print(os.read(fd, 99), os.waitpid(pid, 0)[1]); os.close(fd)
print(pty.spawn(["sh", "-c", "exit 5"]) >> 8)
def work():
    for i in range(5):
        pid = os.fork()
        if pid == 0: os._exit(i)
        assert os.waitpid(pid, 0)[1] >> 8 == i
ts = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]
os.register_at_fork(after_in_child=lambda: print("at fork", flush=True))
pid = os.fork() or os._exit(3); print(os.wait4(pid, 0)[1] >> 8)
if hasattr(os, "pidfd_open"):
    pid = os.fork() or os._exit(4)
    fd = os.pidfd_open(pid); print(os.waitid(os.P_PIDFD, fd, os.WEXITED).si_status)
sys.stdout.flush()
os.execlp("python3", "python3", "-c", "import sys; print('replaced'); sys.exit(12)")
END
python3 p.py; echo $?
python3 -m venv --without-pip venv
venv/bin/python -c 'import sys; print(sys.prefix != sys.base_prefix)'; rm -r venv
EOF
finish
