#!/bin/sh
# SPDX-License-Identifier: MIT
# Perl: fork, open to and from commands, signals, exec.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need perl
version perl -v

try processes start:perl start:sh child:sh child:printf <<'EOF'
cat >p.pl <<'END'
$| = 1; use POSIX ":sys_wait_h";
print system("exit 3") >> 8, " ", system("sh", "-c", "exit 4") >> 8, "\n";
print system("nosuchfile_t2"), "\n";
print `echo ticks; exit 5`, $? >> 8, "\n";
open my $in, "-|", "printf", '%s\n', "list" or die; print <$in>; close $in; print $?, "\n";
open my $out, "|-", "cat; exit 6" or die; print $out "to cat\n"; close $out; print $? >> 8, "\n";
my $pid = open(my $self, "-|") // die; if (!$pid) { print "from child\n"; exit 7 }
print <$self>; close $self; print $? >> 8, "\n";
for my $i (1 .. 3) { next if fork; exec "sh", "-c", "exit $i" or die }
my $sum = 0; $sum += $? >> 8 while wait > 0; print "$sum\n";
if (!($pid = fork)) { kill "HUP", $$; sleep 9 } waitpid $pid, 0; print $?, "\n";
my $reaped = 0; local $SIG{CHLD} = sub { while (waitpid(-1, WNOHANG) > 0) { $reaped++ } };
for (1 .. 4) { fork or exit 1 }
select undef, undef, undef, 0.05 while $reaped < 4; print "reaped $reaped\n";
$SIG{CHLD} = "IGNORE"; if (!fork) { exit 9 } print wait, "\n"; $SIG{CHLD} = "DEFAULT";
$SIG{ALRM} = sub { die "alarm\n" }; eval { alarm 1; system "sleep 9"; alarm 0 }; print $@; alarm 0;
{ local %ENV; print system("/bin/true"), "\n"; } $0 = "renamed";
exec { "/bin/sh" } "other name", "-c", 'echo "$0 ran"; exit 10';
END
perl p.pl; echo $?
perl -e 'kill 15, $$'; echo $?
perl -e 'fork; fork; wait; wait; exit' ; echo $?
perl -e 'die "dies\n"'; echo $?
echo input | perl -ne 'print uc; system "echo", $_'
EOF
finish
