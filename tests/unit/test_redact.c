/* SPDX-License-Identifier: MIT */
/*
 * formatters/redact.c and secret.c: what is replaced, and what is not.
 */
#include "formatters/redact.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define R "<REDACTED>"
#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static char memory[64 * 1024];

/* What is left of @argv, an argument to a line. */
static const char *redact(enum t2_event_kind kind, bool is_on, const char *const *argv)
{
	struct t2_event event;
	struct t2_redact state;
	struct t2_buf out;

	t2_event_init(&event, kind);
	t2_redact_init(&state, &event, is_on);
	t2_buf_init(&out, memory, sizeof(memory) - 1);
	for (; *argv; argv++) {
		const char *piece;
		size_t len;

		t2_redact_begin(&state, *argv);
		while ((len = t2_redact_next(&state, &piece)))
			t2_buf_put(&out, piece, len);
		t2_buf_put_char(&out, '\n');
	}
	cr_assert_not(t2_buf_overflowed(&out));
	memory[out.len] = '\0';
	return memory;
}

/* One argument behind the program's name; NULL: it stays what it is. */
static const struct {
	const char *arg;
	const char *expected;
} args[] = {
	/* git's own table. */
	{"https://user:secret@example.com/x", "https://user:" R "@example.com/x"},
	{"https://u:p:q@h/a@b", "https://u:" R "@h/a@b"},
	{"http://:p@h", "http://:" R "@h"},
	{"https://u:@h", "https://u:" R "@h"},
	{"https://u:p q'@h", "https://u:" R "@h"},
	{"https://user@h:80/", NULL},
	{"https://u:p/x@h", NULL},
	{"x=https://u:p@h", NULL},
	{"HTTPS://u:p@h", NULL},
	{"ftp://u:p@h", NULL},
	{" https://u:p@h", " https://u:" R "@h"},
	{"https://", NULL},
	{"https://u:p", NULL},

	/* Options with their value. */
	{"--password=x", "--password=" R},
	{"--password=", "--password=" R},
	{"--password=two words 'and more", "--password=" R},
	{"--passwd=x", "--passwd=" R},
	{"--pass=x", "--pass=" R},
	{"--passphrase=x", "--passphrase=" R},
	{"--token=x", "--token=" R},
	{"--secret=x", "--secret=" R},
	{"--api-key=x", "--api-key=" R},
	{"--api_key=x", "--api_key=" R},
	{"--apikey=x", "--apikey=" R},
	{"--apiKey=x", "--apiKey=" R},
	{"--access-key=x", "--access-key=" R},
	{"--access-token=x", "--access-token=" R},
	{"--auth-token=x", "--auth-token=" R},
	{"--client-secret=x", "--client-secret=" R},
	{"--private-key=x", "--private-key=" R},
	{"--secret-key=x", "--secret-key=" R},
	{"--secret-access-key=x", "--secret-access-key=" R},
	{"--credentials=x", "--credentials=" R},
	{"--credential=x", "--credential=" R},
	{"--DB-Password=x", "--DB-Password=" R},
	{"--github_token=x", "--github_token=" R},
	{"--dbpassword=x", "--dbpassword=" R},
	{"--password2=x", "--password2=" R},
	{"--spring.datasource.password=x", "--spring.datasource.password=" R},
	{"-password=x", "-password=" R},
	{"-db-password=x", "-db-password=" R},
	{"-dbPassword=x", "-dbPassword=" R},

	/* Names and values. */
	{"PASSWORD=x", "PASSWORD=" R},
	{"DB_PASSWORD=x", "DB_PASSWORD=" R},
	{"DB_PASSWORD_2=x", "DB_PASSWORD_2=" R},
	{"DB_PASSWORD_PROD=x", "DB_PASSWORD_PROD=" R},
	{"PGPASSWORD=x", "PGPASSWORD=" R},
	{"SSHPASS=x", "SSHPASS=" R},
	{"MYSQL_PASS=x", "MYSQL_PASS=" R},
	{"GITHUB_TOKEN=two words", "GITHUB_TOKEN=" R},
	{"TOKEN_GITHUB=x", "TOKEN_GITHUB=" R},
	{"AWS_SECRET_ACCESS_KEY=x", "AWS_SECRET_ACCESS_KEY=" R},
	{"API_KEY=x", "API_KEY=" R},
	{"OPENAI_APIKEY=x", "OPENAI_APIKEY=" R},
	{"SSH_PRIVATE_KEY=x", "SSH_PRIVATE_KEY=" R},
	{"GOOGLE_CREDENTIALS=x", "GOOGLE_CREDENTIALS=" R},
	{"password=x", "password=" R},
	{"TOKEN+=x", "TOKEN+=" R},
	{"TOKEN=", "TOKEN=" R},
	{"TOKEN=a=b", "TOKEN=" R},
	{"user.password=x", "user.password=" R},
	{"-DDB_PASSWORD=x", "-DDB_PASSWORD=" R},
	{"-DPASSWORD=x y", "-DPASSWORD=" R},
	{"-DTOKEN_PROD=x", "-DTOKEN_PROD=" R},
	{"-Dtrust.storePassword=x", "-Dtrust.storePassword=" R},
	{"-eTOKEN=x", "-eTOKEN=" R},
	{"--env=TOKEN=x", "--env=TOKEN=" R},
	{"--build-arg=NPM_TOKEN_X=x", "--build-arg=NPM_TOKEN_X=" R},

	/* Headers. */
	{"Authorization: Bearer x", "Authorization: " R},
	{"proxy-authorization:x", "proxy-authorization:" R},
	{"--header=X-Api-Key: x", "--header=X-Api-Key: " R},
	{"http.extraheader=AUTHORIZATION: basic x", "http.extraheader=AUTHORIZATION: " R},

	/* Lookalikes. */
	{"", NULL},
	{"-", NULL},
	{"--", NULL},
	{"---password=x", NULL},
	{"--=x", NULL},
	{"=x", NULL},
	{"--password-file=x", NULL},
	{"--password-stdin", NULL},
	{"--secret-name=x", NULL},
	{"--token-type=x", NULL},
	{"--no-token", NULL},
	{"--no-password=x", NULL},
	{"--ask-pass", NULL},
	{"--pass-through=x", NULL},
	{"--passthrough=x", NULL},
	{"--bypass=x", NULL},
	{"--compass=x", NULL},
	{"--tokens=x", NULL},
	{"--max-tokens=100", NULL},
	{"--tokenizer=x", NULL},
	{"--secretary=x", NULL},
	{"--monkey=x", NULL},
	{"--key=x", NULL},
	{"-p=x", NULL},
	{"-ltoken=x", NULL},
	{"-Dx=password", NULL},
	{"-DTOKEN_FILE=x", NULL},
	{"PASSTHROUGH=1", NULL},
	{"PASS_THROUGH=1", NULL},
	{"TOKENIZER=x", NULL},
	{"TOKENS=1", NULL},
	{"COMPASS=north", NULL},
	{"BYPASS=1", NULL},
	{"SSH_ASKPASS=/usr/bin/askpass", NULL},
	{"PASSWORD_FILE=/run/secrets/x", NULL},
	{"TOKEN_TYPE=jwt", NULL},
	{"SECRET_NAME=x", NULL},
	{"-DPASSWORD_MAX=64", NULL},
	{"NO_TOKEN=1", NULL},
	{"PWD=/", NULL},
	{"PASSWORDLESS=1", NULL},
	{"credential.helper=store", NULL},
	{"password", NULL},
	{"password:x", NULL},
	{"2TOKEN=x", NULL},
	{"/PASSWORD=x", NULL},
	{"X-Api-Key: x", NULL},
	{"fix the password", NULL},
	{"token: fix it", NULL},

	/* Words of a longer text. */
	{"curl --password x y", "curl --password " R " y"},
	{"curl --password=x y", "curl --password=" R " y"},
	{"curl --password 'x y' z", "curl --password '" R "' z"},
	{"curl --password \"x ' y\" z", "curl --password \"" R "\" z"},
	{"curl --password=\"x y\" z", "curl --password=" R " z"},
	{"curl --password=a'b c'd e", "curl --password=" R " e"},
	{"curl --password a\\ b c", "curl --password " R " c"},
	{"curl --password \\\n x y", "curl --password \\\n " R " y"},
	{"curl --password 'never closed x", "curl --password '" R},
	{"curl '--password' x", "curl '--password' " R},
	{"curl \"--password=x y\" z", "curl \"--password=" R "\" z"},
	{"curl --password --verbose x", NULL},
	{"curl --password -v x", NULL},
	{"curl --password -x7 y", "curl --password " R " y"},
	{"env TOKEN=x cmd", "env TOKEN=" R " cmd"},
	{"env TOKEN='x y' cmd", "env TOKEN=" R " cmd"},
	{"env 'TOKEN=x y' cmd", "env 'TOKEN=" R "' cmd"},
	{"a; TOKEN=x cmd", "a; TOKEN=" R " cmd"},
	{"a;TOKEN=x b;(TOKEN=y c)", "a;TOKEN=" R " b;(TOKEN=" R " c)"},
	{"a && `TOKEN=x b`|c", "a && `TOKEN=" R " b`|c"},
	{"git clone https://u:p@h/x", "git clone https://u:" R "@h/x"},
	{"git clone 'https://u:p@h/x' y", "git clone 'https://u:" R "@h/x' y"},
	{"git clone https://u:p x@h", NULL},
	{"curl -H \"Authorization: Bearer x\" y", "curl -H \"Authorization: " R "\" y"},
	{"curl -H 'X-Api-Key: x' y", "curl -H 'X-Api-Key: " R "' y"},
	{"curl --header='Cookie: x y' z", "curl --header='Cookie: " R "' z"},
	{"git -c http.extraheader=\"AUTHORIZATION: basic x\" y",
	 "git -c http.extraheader=\"AUTHORIZATION: " R "\" y"},
	{"echo Authorization: Bearer x | y", "echo Authorization: " R},
	{"sh -c \"curl --password 'x y' z\"", "sh -c \"curl --password '" R "' z\""},
	{"sh -c \"curl --password \\\"x y\\\" z\"", "sh -c \"curl --password \\\"" R "\\\" z\""},
	{"sh -c \"curl --password=\\\"x y\\\" z\"", "sh -c \"curl --password=" R " z\""},
	{"sh -c \"TOKEN=x\" y", "sh -c \"TOKEN=" R "\" y"},
	{"host=h password=x dbname=y", "host=h password=" R " dbname=y"},
	{"O=\"--password x\" TOKEN=y cmd", "O=\"--password " R "\" TOKEN=" R " cmd"},
	{"don't --password x y", "don't --password " R " y"},
};

Test(redact, knows_secrets_from_lookalikes)
{
	size_t i;

	for (i = 0; i < sizeof(args) / sizeof(*args); i++) {
		const char *expected = args[i].expected ? args[i].expected : args[i].arg;
		const char *out = redact(T2_EVENT_START, true, ARGV("prog", args[i].arg));
		size_t len = strlen(expected);

		cr_expect(!strncmp(out, "prog\n", 5) && !strncmp(out + 5, expected, len) &&
				  !strcmp(out + 5 + len, "\n"),
			  "%s gives %s, not %s", args[i].arg, out + 5, expected);
	}
}

/* Nothing is found again in what has been replaced. */
Test(redact, is_idempotent)
{
	static char once[4096];
	size_t i;

	for (i = 0; i < sizeof(args) / sizeof(*args); i++) {
		snprintf(once, sizeof(once), "%s",
			 redact(T2_EVENT_START, true, ARGV("prog", args[i].arg)) + 5);
		once[strlen(once) - 1] = '\0';
		redact(T2_EVENT_START, true, ARGV("prog", once));
		memory[strlen(memory) - 1] = '\0';
		cr_expect_str_eq(memory + 5, once);
	}
}

Test(redact, off_changes_nothing)
{
	size_t i;

	for (i = 0; i < sizeof(args) / sizeof(*args); i++) {
		const char *out = redact(T2_EVENT_START, false, ARGV(args[i].arg));
		size_t len = strlen(args[i].arg);

		cr_assert(!strncmp(out, args[i].arg, len) && !strcmp(out + len, "\n"));
	}
}

static void assert_redacts(const char *const *argv, const char *expected)
{
	cr_expect_str_eq(redact(T2_EVENT_START, true, argv), expected);
}

Test(redact, an_option_makes_the_next_argument_a_secret)
{
	assert_redacts(ARGV("curl", "--password", "x", "y"), "curl\n--password\n" R "\ny\n");
	assert_redacts(ARGV("curl", "--db_TOKEN", "x y", "z"), "curl\n--db_TOKEN\n" R "\nz\n");
	assert_redacts(ARGV("curl", "-token", "x"), "curl\n-token\n" R "\n");
	assert_redacts(ARGV("keytool", "-storepass", "x"), "keytool\n-storepass\n" R "\n");
	assert_redacts(ARGV("curl", "--token", "", "y"), "curl\n--token\n" R "\ny\n");
	assert_redacts(ARGV("curl", "--token", "https://u:p@h"), "curl\n--token\n" R "\n");
	assert_redacts(ARGV("curl", "--token", "-", "y"), "curl\n--token\n" R "\ny\n");
	assert_redacts(ARGV("curl", "--token", "-x7"), "curl\n--token\n" R "\n");
	assert_redacts(ARGV("curl", "--token"), "curl\n--token\n");
	assert_redacts(ARGV("curl", "-c", "--token", "x y"), "curl\n-c\n--token\n" R "\n");
	assert_redacts(ARGV("--token", "x"), "--token\n" R "\n");
}

Test(redact, another_option_is_no_value)
{
	assert_redacts(ARGV("curl", "--token", "--token", "x"), "curl\n--token\n--token\n" R "\n");
	assert_redacts(ARGV("mysql", "--password", "-h", "db"), "mysql\n--password\n-h\ndb\n");
	assert_redacts(ARGV("keytool", "-keypass", "-storepass", "x"),
		       "keytool\n-keypass\n-storepass\n" R "\n");
	assert_redacts(ARGV("mysql", "--password", "--host=db"), "mysql\n--password\n--host=db\n");
}

Test(redact, lookalikes_leave_the_next_argument_alone)
{
	assert_redacts(ARGV("x", "--password-file", "y"), "x\n--password-file\ny\n");
	assert_redacts(ARGV("x", "--no-token", "y"), "x\n--no-token\ny\n");
	assert_redacts(ARGV("x", "--ask-vault-pass", "y"), "x\n--ask-vault-pass\ny\n");
	assert_redacts(ARGV("x", "--secret-name", "y"), "x\n--secret-name\ny\n");
	assert_redacts(ARGV("x", "--pass-through", "y"), "x\n--pass-through\ny\n");
	assert_redacts(ARGV("gcc", "-DUSE_TOKEN", "y"), "gcc\n-DUSE_TOKEN\ny\n");
	assert_redacts(ARGV("gcc", "-ltoken", "y"), "gcc\n-ltoken\ny\n");
	assert_redacts(ARGV("x", "TOKEN", "y"), "x\nTOKEN\ny\n");
	assert_redacts(ARGV("git", "add a --token", "y"), "git\nadd a --token\ny\n");
	assert_redacts(ARGV("git", "TOKEN=x", "y"), "git\nTOKEN=" R "\ny\n");
}

Test(redact, assignments_are_found_behind_any_option)
{
	assert_redacts(ARGV("docker", "-e", "A_TOKEN=x y", "z"), "docker\n-e\nA_TOKEN=" R "\nz\n");
	assert_redacts(ARGV("docker", "--env", "TOKEN=x"), "docker\n--env\nTOKEN=" R "\n");
	assert_redacts(ARGV("cmake", "-D", "TOKEN=x"), "cmake\n-D\nTOKEN=" R "\n");
}

Test(redact, headers)
{
	assert_redacts(ARGV("curl", "-H", "X-Api-Key: x y"), "curl\n-H\nX-Api-Key: " R "\n");
	assert_redacts(ARGV("curl", "--header", "Cookie: x"), "curl\n--header\nCookie: " R "\n");
	assert_redacts(ARGV("curl", "--header='Cookie:x", "X-Api-Key: y"),
		       "curl\n--header='Cookie:x\nX-Api-Key: y\n");
	assert_redacts(ARGV("curl", "-H", "Accept: x"), "curl\n-H\nAccept: x\n");
	assert_redacts(ARGV("git", "-c", "http.extraheader=AUTHORIZATION: basic x y"),
		       "git\n-c\nhttp.extraheader=AUTHORIZATION: " R "\n");
}

Test(redact, an_argument_for_a_shell_is_one_command)
{
	assert_redacts(ARGV("TOKEN=x make all"), "TOKEN=" R " make all\n");
	assert_redacts(ARGV("TOKEN=x;make"), "TOKEN=" R "\n");
	assert_redacts(ARGV("a;TOKEN=x"), "a;TOKEN=" R "\n");
	assert_redacts(ARGV("sh", "-c", "TOKEN=x make all", "TOKEN=x make all"),
		       "sh\n-c\nTOKEN=" R " make all\nTOKEN=" R "\n");
	assert_redacts(ARGV("bash", "-lc", "--", "a;TOKEN=x b"),
		       "bash\n-lc\n--\na;TOKEN=" R " b\n");
	assert_redacts(ARGV("bash", "-c", "-e", "TOKEN=x b"), "bash\n-c\n-e\nTOKEN=" R " b\n");
	assert_redacts(ARGV("env", "-i", "TOKEN=x b"), "env\n-i\nTOKEN=" R "\n");
}

Test(redact, git_does_not_touch_urls_of_an_alias)
{
	const char *const *argv = ARGV("fetch", "https://u:p@h", "--token", "x");

	cr_assert_str_eq(redact(T2_EVENT_ALIAS, true, argv),
			 "fetch\nhttps://u:p@h\n--token\n" R "\n");
}

Test(redact, only_command_lines_and_parameters_have_secrets)
{
	int kind;

	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		bool is_redacted = kind == T2_EVENT_START || kind == T2_EVENT_CHILD_START ||
				   kind == T2_EVENT_EXEC || kind == T2_EVENT_ALIAS ||
				   kind == T2_EVENT_DEF_PARAM;

		cr_assert_str_eq(redact((enum t2_event_kind)kind, true, ARGV("TOKEN=x")),
				 is_redacted ? "TOKEN=" R "\n" : "TOKEN=x\n", "%s",
				 t2_event_descs[kind].name);
	}
}

/* Whatever somebody may have a reason to put on a command line. */
Test(redact, takes_time_in_proportion_to_the_length, .timeout = 10)
{
	static const char *const patterns[] = {
		"_",	    "d_",    "--password=", "http://", "http://a:", "TOKEN= ", "\\",
		"--token ", "TOKEN", "\"",	    "'x\"",    "a.",	    "pass_1",  "-",
	};
	static char arg[1000001];
	size_t i, at;

	for (i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		struct t2_event event = {.kind = T2_EVENT_START};
		size_t len = strlen(patterns[i]);
		struct t2_redact state;
		const char *piece;

		for (at = 0; at < sizeof(arg) - 1; at++)
			arg[at] = patterns[i][at % len];
		t2_redact_init(&state, &event, true);
		t2_redact_begin(&state, arg);
		while (t2_redact_next(&state, &piece))
			;
	}
}

Test(redact, null_is_an_empty_argument)
{
	struct t2_redact state = {0};
	const char *piece;

	t2_redact_begin(&state, NULL);
	cr_assert_eq(t2_redact_next(&state, &piece), 0);
	cr_assert_eq(t2_redact_next(&state, &piece), 0);
}
