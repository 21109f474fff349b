/* SPDX-License-Identifier: MIT */
/*
 * Built into an object of its own, a preload that does nothing: what differs
 * between it and the shim is the shim's doing, not the loader's.
 */
typedef int t2_empty_preload; /* ISO C wants something to be here */
