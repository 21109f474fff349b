/* SPDX-License-Identifier: MIT */
/*
 * Long answers on a terminal, page by page, as git shows its own.
 */
#ifndef T2_COMMAND_PAGER_H
#define T2_COMMAND_PAGER_H

/*
 * From here on standard output goes through $T2_PAGER, $PAGER or less, if it is a terminal
 * and there is such a program. When we end, of our own or by a signal, the pager is waited
 * for. To be called once.
 */
void t2_pager_start(void);

#endif
