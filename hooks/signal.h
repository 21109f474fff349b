/* SPDX-License-Identifier: MIT */
/*
 * Death by a signal, and the dispositions as the host is to see them.
 */
#ifndef T2_HOOKS_SIGNAL_H
#define T2_HOOKS_SIGNAL_H

/*
 * Watch every signal that would end the process, unless it was told not to.
 * Context: constructor.
 */
void t2_signal_init(void);

/*
 * Put SIG_DFL back wherever we stand in for it.
 * Context: any.
 */
void t2_signal_withdraw(void);

#endif
