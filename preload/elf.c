/* SPDX-License-Identifier: MIT */
#include "preload/elf.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "preload/auxv.h"
#include "preload/limits.h"
#include "preload/str.h"

/* As the loader knows it, behind its directory. */
#define LIBC_NAME "/libc.so.6"

/* What a look-up needs of one object's dynamic section. */
struct tables {
	uintptr_t base;
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *gnu_hash;
	const ElfW(Half) * versions;  /* or NULL */
	const ElfW(Verdef) * verdefs; /* or NULL */
};

/* The executable's program headers, and the distance from its file addresses. */
struct headers {
	const ElfW(Phdr) * at;
	size_t nr; /* 0: cannot tell */
	uintptr_t bias;
};

static struct headers executable_headers(void)
{
	struct headers h = {(const void *)t2_auxv_get(AT_PHDR), t2_auxv_get(AT_PHNUM), 0};

	for (size_t i = 0; h.at && i < h.nr; i++) {
		if (h.at[i].p_type != PT_PHDR)
			continue;
		h.bias = (uintptr_t)h.at - h.at[i].p_vaddr;
		return h;
	}
	h.nr = 0;
	return h;
}

/* The table that glibc's loader keeps for debuggers; others have no such name. */
extern struct r_debug _r_debug __attribute__((weak));

bool t2_elf_is_glibc(void)
{
	return &_r_debug;
}

/* Any loader leaves word of it in the executable's dynamic section. */
static const struct r_debug *debug_entry(void)
{
	struct headers h = executable_headers();
	const ElfW(Dyn) *dyn = NULL;

	for (size_t i = 0; i < h.nr; i++) {
		if (h.at[i].p_type == PT_DYNAMIC)
			dyn = (const void *)(h.bias + h.at[i].p_vaddr);
	}
	while (dyn && dyn->d_tag != DT_NULL && dyn->d_tag != DT_DEBUG)
		dyn++;
	return dyn && dyn->d_tag == DT_DEBUG ? (const void *)dyn->d_un.d_ptr : NULL;
}

static const struct link_map *first_object(void)
{
	const struct r_debug *debug = &_r_debug ? &_r_debug : debug_entry();

	return debug ? debug->r_map : NULL;
}

/* glibc relocates the pointers in place, other loaders do not. */
static const void *relocated(const struct link_map *map, ElfW(Addr) ptr)
{
	return (const void *)(ptr < map->l_addr ? ptr + map->l_addr : ptr);
}

static bool read_tables(const struct link_map *map, struct tables *ret)
{
	struct tables t = {.base = map->l_addr};

	for (const ElfW(Dyn) *dyn = map->l_ld; dyn && dyn->d_tag != DT_NULL; dyn++) {
		if (dyn->d_tag == DT_SYMTAB)
			t.symbols = relocated(map, dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_STRTAB)
			t.strings = relocated(map, dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_GNU_HASH)
			t.gnu_hash = relocated(map, dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_VERSYM)
			t.versions = relocated(map, dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_VERDEF)
			t.verdefs = relocated(map, dyn->d_un.d_ptr);
	}
	*ret = t;
	return t.symbols && t.strings && t.gnu_hash;
}

/* The kernel's own object, which is in the list, but in nobody's scope. */
static bool is_vdso(const struct link_map *map)
{
	return t2_str_starts_with(map->l_name, "linux-vdso");
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	while (*name)
		hash = hash * 33 + (unsigned char)*name++;
	return hash;
}

/* Whether symbol @index has @version, or is the default one if @version is NULL. */
static bool has_version(const struct tables *t, size_t index, const char *version)
{
	const ElfW(Verdef) *def = t->verdefs;
	unsigned wanted;

	if (!t->versions)
		return true;
	if (!version)
		return !(t->versions[index] & 0x8000);
	wanted = t->versions[index] & 0x7fff;
	while (def) {
		const ElfW(Verdaux) *aux = (const void *)((const char *)def + def->vd_aux);

		if ((def->vd_ndx & 0x7fff) == wanted)
			return !strcmp(t->strings + aux->vda_name, version);
		def = def->vd_next ? (const void *)((const char *)def + def->vd_next) : NULL;
	}
	return false;
}

static const ElfW(Sym) *
	find_symbol(const struct tables *t, const char *name, uint32_t hash, const char *version)
{
	const uint32_t nr_buckets = t->gnu_hash[0];
	const uint32_t first = t->gnu_hash[1];
	const uint32_t nr_words = t->gnu_hash[2];
	const ElfW(Addr) *bloom = (const void *)(t->gnu_hash + 4);
	const uint32_t *buckets = (const void *)(bloom + nr_words);
	const uint32_t *chains = buckets + nr_buckets;
	const unsigned bits = 8 * sizeof(*bloom);
	ElfW(Addr) word = bloom[hash / bits % nr_words];
	uint32_t index = buckets[hash % nr_buckets];

	if (!(word >> hash % bits & word >> (hash >> t->gnu_hash[3]) % bits & 1))
		return NULL;
	for (; index >= first; index++) {
		uint32_t chain = chains[index - first];
		const ElfW(Sym) *sym = &t->symbols[index];

		if ((chain | 1) == (hash | 1) && sym->st_shndx != SHN_UNDEF &&
		    !strcmp(t->strings + sym->st_name, name) && has_version(t, index, version))
			return sym;
		if (chain & 1)
			break;
	}
	return NULL;
}

/* The object with the highest base at or below @address. */
static const struct link_map *object_of(const void *address)
{
	const struct link_map *best = NULL;

	for (const struct link_map *map = first_object(); map; map = map->l_next) {
		if (map->l_addr <= (uintptr_t)address && (!best || map->l_addr >= best->l_addr))
			best = map;
	}
	return best;
}

/* The function in these tables; sets @ret_is_known if there is one, of whatever kind. */
static void *find_function(const struct tables *t, const char *name, uint32_t hash,
			   const char *version, bool *ret_is_known)
{
	const ElfW(Sym) *sym = find_symbol(t, name, hash, version);

	if (!sym)
		return NULL;
	*ret_is_known = true;
	return ELF64_ST_TYPE(sym->st_info) == STT_GNU_IFUNC ? NULL
							    : (void *)(t->base + sym->st_value);
}

/* Of the C library, which is never unmapped; written once or more often the same. */
static struct tables libc T2_PLACE_STATE;
static _Atomic(const struct link_map *) libc_map T2_PLACE_STATE;

static bool is_libc(const struct link_map *map)
{
	const size_t len = strlen(map->l_name), name_len = sizeof(LIBC_NAME) - 1;

	return len > name_len && !memcmp(map->l_name + len - name_len, LIBC_NAME, name_len);
}

/* Whether the C library's tables are known by now. */
static bool find_libc(void)
{
	const struct link_map *map = first_object();
	struct tables t;

	if (atomic_load(&libc_map))
		return true;
	while (map && !is_libc(map))
		map = map->l_next;
	if (!map || !read_tables(map, &t))
		return false;
	libc = t;
	atomic_store(&libc_map, map);
	return true;
}

/* The object's tables, into @t unless they are known; NULL: it has none to be used. */
static const struct tables *tables_of(const struct link_map *map, struct tables *t)
{
	if (map == atomic_load(&libc_map))
		return &libc;
	return read_tables(map, t) ? t : NULL;
}

void *t2_elf_next(const void *self, const char *name, const char *version)
{
	const struct link_map *map = object_of(self);
	uint32_t hash = gnu_hash(name);
	bool is_known = false;
	void *found = NULL;

	for (map = map ? map->l_next : NULL; map && !is_known; map = map->l_next) {
		const struct tables *tables;
		struct tables t;

		tables = is_vdso(map) ? NULL : tables_of(map, &t);
		if (tables)
			found = find_function(tables, name, hash, version, &is_known);
	}
	return found;
}

void *t2_elf_libc(const char *name)
{
	const ElfW(Sym) *sym = find_libc() ? find_symbol(&libc, name, gnu_hash(name), NULL) : NULL;

	return sym && ELF64_ST_TYPE(sym->st_info) == STT_FUNC ? (void *)(libc.base + sym->st_value)
							      : NULL;
}

void *t2_elf_vdso(const char *name)
{
	const struct link_map *map = first_object();
	const ElfW(Sym) *sym = NULL;
	struct tables t;

	while (map && !is_vdso(map))
		map = map->l_next;
	if (map && read_tables(map, &t))
		sym = find_symbol(&t, name, gnu_hash(name), NULL);
	return sym ? (void *)(t.base + sym->st_value) : NULL;
}

void *t2_elf_data(const char *name)
{
	uint32_t hash = gnu_hash(name);

	for (const struct link_map *map = first_object(); map; map = map->l_next) {
		struct tables t;
		const ElfW(Sym) *sym =
			read_tables(map, &t) ? find_symbol(&t, name, hash, NULL) : NULL;

		if (sym && ELF64_ST_TYPE(sym->st_info) == STT_OBJECT)
			return (void *)(t.base + sym->st_value);
	}
	return NULL;
}

/* How many symbols the hash table covers: the end of its last chain. */
static uint32_t nr_symbols(const struct tables *t)
{
	const uint32_t nr_buckets = t->gnu_hash[0];
	const ElfW(Addr) *bloom = (const void *)(t->gnu_hash + 4);
	const uint32_t *buckets = (const void *)(bloom + t->gnu_hash[2]);
	const uint32_t *chains = buckets + nr_buckets;
	uint32_t last = 0;

	for (uint32_t i = 0; i < nr_buckets; i++) {
		if (buckets[i] > last)
			last = buckets[i];
	}
	if (last < t->gnu_hash[1])
		return 0;
	while (!(chains[last - t->gnu_hash[1]] & 1))
		last++;
	return last + 1;
}

static const char *symbol_at(const struct link_map *map, uintptr_t offset)
{
	struct tables t;
	uint32_t nr;

	if (!read_tables(map, &t))
		return NULL;
	nr = nr_symbols(&t);
	for (uint32_t i = t.gnu_hash[1]; i < nr && nr <= T2_SYMBOLS_MAX; i++) {
		if (t.symbols[i].st_value == offset && t.symbols[i].st_shndx != SHN_UNDEF &&
		    ELF64_ST_TYPE(t.symbols[i].st_info) == STT_FUNC)
			return t.strings + t.symbols[i].st_name;
	}
	return NULL;
}

/* What the loader's own look-up fills in (dlfcn.h), since 2.35. */
struct found_object {
	unsigned long long flags;
	void *start, *end;
	void *unused[8];
};

/* Whether the loader, if it can be asked without a lock, knows @address. */
static bool is_mapped(const void *address)
{
	int (*find)(void *, struct found_object *) =
		(int (*)(void *, struct found_object *))t2_elf_libc("_dl_find_object");
	struct found_object found;

	return !find || !find((void *)(uintptr_t)address, &found);
}

bool t2_elf_locate(const void *address, struct t2_elf_place *ret_place)
{
	const struct link_map *map = object_of(address);

	if (!map || !is_mapped(address))
		return false;
	ret_place->module = t2_str_base_name(map->l_name);
	ret_place->offset = (uintptr_t)address - map->l_addr;
	ret_place->symbol = symbol_at(map, ret_place->offset);
	return true;
}

const char *t2_elf_program(void)
{
	const struct link_map *map = first_object();

	return map ? map->l_name : NULL;
}

const char *t2_elf_own_path(void)
{
	const struct link_map *map = object_of(&libc);

	return map ? map->l_name : "";
}

static bool note_is_go(const char *at, const char *end)
{
	while (at + sizeof(ElfW(Nhdr)) + 4 <= end) {
		const ElfW(Nhdr) *note = (const void *)at;

		if (note->n_namesz == 4 && !memcmp(note + 1, "Go\0", 4))
			return true;
		at += sizeof(*note) + ((note->n_namesz + 3U) & ~3U) + ((note->n_descsz + 3U) & ~3U);
	}
	return false;
}

bool t2_elf_is_go(void)
{
	struct headers h = executable_headers();

	for (size_t i = 0; i < h.nr; i++) {
		const char *at = (const char *)(h.bias + h.at[i].p_vaddr);

		if (h.at[i].p_type == PT_NOTE && note_is_go(at, at + h.at[i].p_memsz))
			return true;
	}
	return false;
}
