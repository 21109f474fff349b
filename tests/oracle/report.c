/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

static size_t nr_reports;

void t2_report(const char *format, ...)
{
	char text[4096];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* Whatever a program had in its argv: one disagreement is one line. */
	for (int i = 0; i < len && i < (int)sizeof(text) - 1; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	printf("disagree: %s\n", text);
	nr_reports++;
}

size_t t2_report_count(void)
{
	return nr_reports;
}
