#!/bin/sh
# SPDX-License-Identifier: MIT
# Chromium without a display: processes of many kinds, with its sandbox of
# namespaces and seccomp and without.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need chromium
# Debian's own script around it may say how much memory there is, as an error.
version sh -c 'chromium --version 2>/dev/null'

cat >"$kit/page.html" <<'EOF'
<!DOCTYPE html><title>t</title><p id=p>static</p><canvas id=c width=9 height=9></canvas>
<script>
const sum = 'postMessage([...Array(1000).keys()].reduce((a, b) => a + b))';
const worker = new Worker(URL.createObjectURL(new Blob([sum])));
c.getContext('2d').fillRect(0, 0, 9, 9);
p.textContent = 'scripted ' + c.getContext('2d').getImageData(1, 1, 1, 1).data.join();
worker.onmessage = m => { document.title = 'worker ' + m.data };
</script>
EOF
options="--headless=new --disable-gpu --disable-dev-shm-usage --no-first-run --disable-breakpad
	--disable-background-networking --virtual-time-budget=2000 --user-data-dir=\$TMPDIR/profile"
options=$(echo "$options" | xargs)

browse() {
	# shellcheck disable=SC2086 # options, if any
	try -l 100 $1 "$2" start:chromium child:chromium <<-EOF
		export DBUS_SESSION_BUS_ADDRESS=disabled:
		chromium $options $3 --dump-dom "file://\$KIT/page.html" 2>/dev/null; echo \$?
		chromium $options $3 --screenshot=shot.png --window-size=200,100 \\
			"file://\$KIT/page.html" >/dev/null 2>&1; echo \$?
		head -c 8 shot.png | tail -c 7 | head -c 3; wc -c <shot.png
		chromium --version 2>/dev/null
	EOF
}

# Root's browser has no sandbox, an ordinary user's has if there are user namespaces.
browse '' no_sandbox --no-sandbox
browse '' single_process '--no-sandbox --no-zygote'
if [ "$(id -u)" != 0 ]; then
	browse '' sandbox
elif with setpriv --reuid nobody --clear-groups unshare -U true 2>/dev/null; then
	browse '-u nobody' sandbox
else
	skip "no user namespaces" sandbox
fi
finish
