#!/bin/sh
# SPDX-License-Identifier: MIT
# Java: ProcessBuilder in each launch mechanism, signals the virtual machine
# lives by, shutdown hooks.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need java javac
version java -version

cat >"$kit/P.java" <<'EOF'
import java.io.*;
import java.util.*;
import java.util.concurrent.*;

public class P {
	static String text(InputStream in) throws Exception { return new String(in.readAllBytes()); }

	static void processes() throws Exception {
		Process p = new ProcessBuilder("sh", "-c", "cat; echo err >&2; exit 3")
			.redirectErrorStream(true).start();
		p.getOutputStream().write("in\n".getBytes());
		p.getOutputStream().close();
		System.out.println(text(p.getInputStream()) + p.waitFor());
		p = Runtime.getRuntime().exec(new String[] {"sh", "-c", "echo $A; exit 4"},
			new String[] {"A=b"}, new File("/"));
		System.out.println(text(p.getInputStream()) + p.waitFor());
		p = new ProcessBuilder("sleep", "9").start();
		p.destroy();
		System.out.println(p.waitFor());
		p = new ProcessBuilder("sleep", "9").start();
		System.out.println(p.waitFor(10, TimeUnit.MILLISECONDS) + " " + p.destroyForcibly().waitFor());
		try { new ProcessBuilder("nosuchfile_t2").start(); }
		catch (IOException e) { System.out.println(e.getMessage()); }
		ExecutorService pool = Executors.newFixedThreadPool(4);
		List<Future<Integer>> all = new ArrayList<>();
		for (int i = 0; i < 12; i++) {
			String command = "exit " + i;
			all.add(pool.submit(() -> new ProcessBuilder("sh", "-c", command).start().waitFor()));
		}
		for (Future<Integer> f : all) System.out.println(f.get());
		pool.shutdown();
		List<Process> line = ProcessBuilder.startPipeline(List.of(new ProcessBuilder("echo", "piped"),
			new ProcessBuilder("tr", "a-z", "A-Z")));
		System.out.println(text(line.get(1).getInputStream()));
	}

	static int deep(int n) { return deep(n + 1) + 1; }

	static void faults() throws Exception {
		String s = System.getenv("NOT_SET_T2");
		int caught = 0;
		for (int i = 0; i < 200000; i++) try { s.length(); } catch (NullPointerException e) { caught++; }
		System.out.println(caught);
		try { deep(0); } catch (StackOverflowError e) { System.out.println("overflow"); }
		try { System.out.println(1 / caught / (caught - 200000)); }
		catch (ArithmeticException e) { System.out.println(e.getMessage()); }
		for (int i = 0; i < 50; i++) { Thread t = new Thread(() -> { }); t.start(); t.join(); }
		byte[][] garbage = new byte[64][];
		for (int i = 0; i < 20000; i++) garbage[i % 64] = new byte[10000];
		System.gc();
	}

	public static void main(String[] args) throws Exception {
		switch (args[0]) {
		case "processes": processes(); break;
		case "faults": faults(); break;
		case "throw": throw new RuntimeException("thrown");
		case "halt": Runtime.getRuntime().halt(7);
		case "wait":
			Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
			System.out.println("ready");
			new File("ready").createNewFile();
			Thread.sleep(20000);
		}
		System.exit(5);
	}
}
EOF
build javac -d . P.java
environment="$environment JDK_JAVA_OPTIONS="

for mechanism in posix_spawn vfork fork; do
	# The helper is the child, and becomes the program.
	child=child:sh
	[ $mechanism != posix_spawn ] || child=child:jspawnhelper
	try -l 60 $mechanism start:java child:java start:sh $child <<-EOF
		java -Xshare:auto -Djdk.lang.Process.launchMechanism=$mechanism -cp "\$KIT" \\
			P processes 2>&1; echo \$?
	EOF
done

try -l 60 faults start:java child:java=5 <<'EOF'
java -Xmx64m -cp "$KIT" P faults; echo $?
java -Xmx64m -XX:+UseG1GC -XX:+UseNUMA -cp "$KIT" P faults; echo $?
java -Xint -cp "$KIT" P faults; echo $?
java -cp "$KIT" P throw; echo $?
java -cp "$KIT" P halt; echo $?
EOF

try -l 60 signals start:java child:java <<'EOF'
ended() {
	java -cp "$KIT" P wait >out 2>&1 &
	until [ -f ready ]; do sleep 0.05; done; rm ready
	for s; do
		kill -s "$s" $!
		[ "$s" != QUIT ] || until grep -q 'Full thread dump' out; do sleep 0.05; done
	done
	wait $! 2>/dev/null; echo "$*: $?"; grep -c -e 'Full thread dump' out; grep hook out; rm out
}
ended TERM
ended QUIT INT
ended HUP
ended KILL
EOF

try -l 60 -s 's/^(Note|#).*//' toolchain start:java start:javac child:jar <<'EOF'
cp "$KIT/P.java" .
javac -d out P.java; echo $?
jar cfe p.jar P -C out .; java -jar p.jar halt; echo $?
java P.java throw 2>&1 | head -n 1
rm -r out p.jar
EOF
finish
