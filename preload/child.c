/* SPDX-License-Identifier: MIT */
#include "preload/child.h"

#include <stddef.h>

#include "preload/sys.h"

const char t2_child_class_names[][8] = {
	[T2_CHILD_FORK] = "fork",   [T2_CHILD_VFORK] = "vfork",	  [T2_CHILD_CLONE] = "clone",
	[T2_CHILD_SPAWN] = "spawn", [T2_CHILD_SYSTEM] = "system", [T2_CHILD_POPEN] = "popen",
};

#define TABLE_SIZE (T2_CHILDREN_MAX * sizeof(struct t2_child))

static _Atomic(struct t2_child *) table
	T2_PLACE_STATE;			   /* shared mapping, or NULL before the first child */
static atomic_uint nr_used T2_PLACE_STATE; /* records below this index have been used */

/* For when there is no such mapping, or no more room in it: the process's own. */
static struct t2_child spares[T2_SPARE_CHILDREN] T2_PLACE_RARE;
static atomic_uint nr_spares_used T2_PLACE_STATE;

static struct t2_child *make_table(void)
{
	struct t2_child *made = t2_sys_map(TABLE_SIZE, MAP_SHARED | MAP_NORESERVE);
	struct t2_child *winner = NULL;

	if (!made || atomic_compare_exchange_strong(&table, &winner, made))
		return made;
	t2_sys_unmap(made, TABLE_SIZE);
	return winner;
}

static struct t2_child *claim_one(struct t2_child *children, unsigned nr, atomic_uint *nr_ever_used)
{
	for (unsigned i = 0; i < nr; i++) {
		int nobody = T2_CHILD_FREE;
		unsigned used = atomic_load(nr_ever_used);

		if (!atomic_compare_exchange_strong(&children[i].pid, &nobody, T2_CHILD_UNBORN))
			continue;
		while (used <= i && !atomic_compare_exchange_weak(nr_ever_used, &used, i + 1))
			;
		atomic_store(&children[i].told, 0);
		return &children[i];
	}
	return NULL;
}

struct t2_child *t2_child_claim(void)
{
	struct t2_child *children = atomic_load(&table);
	struct t2_child *claimed = NULL;

	if (!children)
		children = make_table();
	if (children)
		claimed = claim_one(children, T2_CHILDREN_MAX, &nr_used);
	return claimed ? claimed : claim_one(spares, T2_SPARE_CHILDREN, &nr_spares_used);
}

bool t2_child_is_shared(const struct t2_child *child)
{
	return child && !(child >= spares && child < spares + T2_SPARE_CHILDREN);
}

void t2_child_release(struct t2_child *child)
{
	if (child)
		atomic_store(&child->pid, T2_CHILD_FREE);
}

/*
 * The record is copied before it is freed: from then on it is another child's.
 * Whoever changes the pid has won it, so two reapers cannot both take one.
 */
static bool take(struct t2_child *child, int pid, struct t2_child *ret_child)
{
	struct t2_child copy = *child;

	if (!atomic_compare_exchange_strong(&child->pid, &pid, T2_CHILD_FREE))
		return false;
	*ret_child = copy;
	return true;
}

/* The spares come last: when the table grows meanwhile, one of them is only seen twice. */
struct t2_child *t2_child_at(unsigned index)
{
	struct t2_child *children = atomic_load(&table);
	unsigned used = children ? atomic_load(&nr_used) : 0;

	if (index < used)
		return &children[index];
	index -= used;
	return index < atomic_load(&nr_spares_used) ? &spares[index] : NULL;
}

static bool take_pid(int pid, struct t2_child *ret_child)
{
	struct t2_child *child;

	for (unsigned i = 0; (child = t2_child_at(i)); i++) {
		if (atomic_load(&child->pid) == pid && take(child, pid, ret_child))
			return true;
	}
	return false;
}

bool t2_child_take(pid_t pid, struct t2_child *ret_child)
{
	return take_pid(pid, ret_child) || take_pid(T2_CHILD_UNBORN, ret_child);
}

void t2_child_reset(void)
{
	struct t2_child *children = atomic_exchange(&table, NULL);

	if (children)
		t2_sys_unmap(children, TABLE_SIZE);
	atomic_store(&nr_used, 0);
	for (unsigned i = 0; i < atomic_load(&nr_spares_used); i++)
		atomic_store(&spares[i].pid, T2_CHILD_FREE);
	atomic_store(&nr_spares_used, 0);
}
