#!/bin/sh
# SPDX-License-Identifier: MIT
# Node: child_process, worker_threads, cluster, signals; npm run.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need node
version node --version

try child_process start:node start:sh child:sh child:node child:sleep <<'EOF'
cat >c.js <<'END'
process.on('message', m => { process.send(m + 1); process.disconnect() })
END
cat >p.js <<'END'
const c = require('child_process'), once = require('events').once
const run = async () => {
  await new Promise(r =>
    c.exec('echo shell; exit 3', (e, out) => { console.log(e.code, out); r() }))
  await new Promise(r =>
    c.execFile('sh', ['-c', 'echo file >&2; exit 4'],
      (e, o, err) => { console.log(e.code, err); r() }))
  let p = c.spawn('cat'); p.stdin.end('piped')
  p.stdout.on('data', d => console.log(String(d))); console.log(await once(p, 'close'))
  p = c.spawn('sleep', ['9']); setTimeout(() => p.kill('SIGTERM'), 200)
  console.log(await once(p, 'exit'))
  p = c.spawn('nosuchfile_t2'); console.log((await once(p, 'error'))[0].code)
  p = c.spawn('sh', ['-c', 'exit 5'], { detached: true, stdio: 'ignore', env: {} })
  console.log(await once(p, 'exit'))
  p = c.fork('c.js'); p.send(41); console.log((await once(p, 'message'))[0]); await once(p, 'exit')
  console.log(c.spawnSync('sh', ['-c', 'echo sync; kill -9 $$']).signal)
  console.log(String(c.execSync('echo $0')))
  console.log(await Promise.all([...Array(12).keys()].map(i =>
    once(c.spawn('sh', ['-c', 'exit ' + i]), 'exit').then(r => r[0]))))
  console.log(Object.keys(process.env).filter(k => /T2SHIM/.test(k)))
}
run().then(() => process.exit(6))
END
node p.js; echo $?
EOF

try -f workers start:node child:node <<'EOF'
cat >w.js <<'END'
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads')
if (isMainThread) for (let i = 0; i < 4; i++) new Worker(__filename, { workerData: i })
  .on('message', m => console.log(m)).on('exit', c => console.log('worker ended', c))
else {
  const said = String(require('child_process').execSync('echo in worker'))
  parentPort.postMessage(workerData ** 2 + said); if (workerData == 3) process.exit(7)
}
END
cat >cl.js <<'END'
const cluster = require('cluster'), net = require('net')
if (cluster.isPrimary) {
  cluster.fork(); cluster.fork(); let n = 0
  cluster.on('exit', (w, code, signal) => console.log('exit', code, signal))
  const end = () => {
    for (const id in cluster.workers)
      cluster.workers[id].process.kill(id == 1 ? 'SIGTERM' : 'SIGKILL')
  }
  cluster.on('listening', () => {
    if (++n == 2) net.connect('sock').on('data', d => console.log(String(d))).on('end', end)
  })
} else net.createServer(s => s.end('served')).listen('sock')
END
node w.js; echo $?
node cl.js; echo $?
EOF

try signals start:node <<'EOF'
node -e 'process.on("SIGTERM", () => { console.log("term"); process.exit(3) })
	setTimeout(() => {}, 9000); process.kill(process.pid, "SIGTERM")'; echo $?
for s in HUP INT TERM USR2 PIPE SEGV ABRT; do
	node -e "setTimeout(() => {}, 9000); process.kill(process.pid, 'SIG$s')"; echo $s $?
done
node -e 'process.on("exit", c => console.log("exit", c)); throw new Error("thrown")' 2>/dev/null
echo $?
node -e 'process.abort()' 2>/dev/null; echo $?
node -e 'const f = () => f(); try { f() } catch (e) { console.log(e.message) }'
node --cpu-prof --cpu-prof-name=prof -e 0; rm prof; echo $?
node -e 'require("fs").readFile("/dev/null", () => console.log("thread pool"))'
EOF

if have npm; then
	try -l 60 -x '^./home' npm_run start:node start:sh child:sh <<-'EOF'
		cat >package.json <<-'END'
			{ "name": "chain", "version": "1.0.0", "scripts": {
			"prebuild": "echo pre", "build": "node -p process.env.npm_lifecycle_event && npm run -s inner",
			"postbuild": "echo post", "inner": "sh -c 'echo inner; exit 0'",
			"fails": "exit 3", "test": "kill -TERM $$" } }
		END
		export npm_config_update_notifier=false npm_config_cache=$TMPDIR/npm
		npm run build; echo $?
		npm run -s fails; echo $?
		npm -s test; echo $?
		npm exec -c 'echo exec' 2>&1; npm pkg get name
	EOF
else
	skip "no npm" npm_run
fi
finish
