/* SPDX-License-Identifier: MIT */
/*
 * The numbers of the settings, for who names one and does not read it.
 */
#ifndef T2_PRELOAD_SETTING_H
#define T2_PRELOAD_SETTING_H

enum t2_setting {
#define T2_SETTING(id, name, key) T2_SETTING_##id,
#include "preload/settings.def"
#undef T2_SETTING
	T2_SETTING_NR
};

#endif
