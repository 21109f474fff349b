/* SPDX-License-Identifier: MIT */
/*
 * api_main in code for a fixed address (the Makefile builds *_fixed so), where
 * the shim is found by another way.
 */
#include "api_main.c"
