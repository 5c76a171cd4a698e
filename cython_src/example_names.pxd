"""The search for a field of the schema by its name.

The names are sorted by their hash, and by their bytes where hashes are equal. A search begins in
the bucket of the first bits of the hash and halves it. So ordinary names take one comparison, and
no choice of names takes more than log2(n_columns). Fields that share a name are found as the first
of them, their leader.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memset

from bytes_le cimport load64
from example_schema cimport LIST, Column, Decoder, NameEntry, SchemaField, schema_field
from tables cimport SMALL, copy_once


cdef inline uint64_t hash_of(const uint8_t *name, int64_t size, bint of_lists) noexcept nogil:
    cdef uint64_t hash = 2 * size + of_lists, multiplier = 0x9e3779b97f4a7c15
    cdef int64_t i = 0
    if size >= 8:
        while i < size - 8:
            hash = (hash ^ load64(name + i)) * multiplier
            hash ^= hash >> 32
            i += 8
        hash ^= load64(name + size - 8)
    else:
        for i in range(size):
            hash = hash << 8 ^ name[i]
    hash *= multiplier
    return hash ^ hash >> 32


cdef inline bint is_named(const Decoder *self, int64_t i, const uint8_t *name,
                          int64_t size) noexcept nogil:
    cdef SchemaField field = schema_field(self.schema, i)
    return field.name_size == size and memcmp(self.schema + field.name_offset, name, size) == 0


cdef inline int compare(const Decoder *self, uint64_t hash, const uint8_t *name, int64_t size,
                        bint of_lists, const NameEntry *entry) noexcept nogil:
    """Return a number < 0, 0 or > 0 if the name sorts before, equals or sorts after the entry's."""
    cdef SchemaField other
    if hash != entry.hash:
        return -1 if hash < entry.hash else 1
    other = schema_field(self.schema, entry.field)
    if of_lists != (other.form >= LIST):
        return 1 if of_lists else -1
    if size != other.name_size:
        return -1 if size < other.name_size else 1
    return memcmp(name, self.schema + other.name_offset, size)


cdef inline int64_t field_named(const Decoder *self, const uint8_t *name, int64_t size,
                                bint of_lists) noexcept nogil:
    """Return the first field with that name, or -1."""
    cdef uint64_t hash = hash_of(name, size, of_lists)
    cdef uint32_t low = self.first[hash >> self.shift], high = self.first[(hash >> self.shift) + 1]
    cdef uint32_t middle
    cdef int order
    while low < high:
        middle = low + (high - low) // 2
        order = compare(self, hash, name, size, of_lists, &self.names[middle])
        if order == 0:
            return self.names[middle].leader
        if order < 0:
            high = middle
        else:
            low = middle + 1
    return -1


cdef inline int compare_entries(const Decoder *self, const NameEntry *a,
                                const NameEntry *b) noexcept nogil:
    cdef SchemaField field = schema_field(self.schema, a.field)
    return compare(self, a.hash, self.schema + field.name_offset, field.name_size,
                   field.form >= LIST, b)


cdef inline bint comes_before(const Decoder *self, const NameEntry *a,
                              const NameEntry *b) noexcept nogil:
    cdef int order = compare_entries(self, a, b)
    return order < 0 if order != 0 else a.field < b.field


cdef inline void sift(const Decoder *self, NameEntry *heap, int64_t i, int64_t n) noexcept nogil:
    cdef int64_t child = 2 * i + 1
    cdef NameEntry lower
    while child < n:
        if child + 1 < n and comes_before(self, &heap[child], &heap[child + 1]):
            child += 1
        if not comes_before(self, &heap[i], &heap[child]):
            return
        lower = heap[i]
        heap[i] = heap[child]
        heap[child] = lower
        i = child
        child = 2 * i + 1


cdef inline void sort_names(const Decoder *self, NameEntry *names, int64_t n) noexcept nogil:
    """Sort the names. Heapsort takes n log n for any names, in place."""
    cdef int64_t i
    cdef NameEntry last
    for i in range(n // 2 - 1, -1, -1):
        sift(self, names, i, n)
    for i in range(n - 1, 0, -1):
        last = names[0]
        names[0] = names[i]
        names[i] = last
        sift(self, names, 0, i)


cdef inline void index_names(Decoder *self) noexcept nogil:
    cdef int64_t n = self.n_columns, n_buckets = <int64_t>1 << (64 - self.shift), i, bucket
    cdef uint32_t total = 0, start, end
    cdef uint64_t hash
    cdef SchemaField field
    cdef NameEntry *entry
    memset(self.first, 0, (n_buckets + 1) * sizeof(uint32_t))
    memset(self.after, 0xff, (n + 1) * sizeof(int32_t))  # -1 means none
    self.twins = self.lists = False
    for i in range(n):  # count the names of each bucket, and store each hash in the column
        field = schema_field(self.schema, i)
        hash = hash_of(self.schema + field.name_offset, field.name_size, field.form >= LIST)
        if field.form >= LIST:
            self.lists = True
        self.columns[i].entry = <int64_t>hash
        self.columns[i].leader = i
        self.first[hash >> self.shift] += 1
    for bucket in range(n_buckets + 1):
        total += self.first[bucket]
        self.first[bucket] = total
    for i in range(n - 1, -1, -1):
        hash = <uint64_t>self.columns[i].entry
        self.first[hash >> self.shift] -= 1
        self.names[self.first[hash >> self.shift]] = NameEntry(hash, <uint32_t>i, <uint32_t>i)
    for bucket in range(n_buckets):
        start, end = self.first[bucket], self.first[bucket + 1]
        if end - start < 2:
            continue
        sort_names(self, self.names + start, end - start)
        for i in range(start + 1, end):
            entry = &self.names[i]
            if compare_entries(self, entry, entry - 1) == 0:
                self.twins = True
                entry.leader = (entry - 1).leader
                self.columns[entry.field].leader = entry.leader


# ---- copies --------------------------------------------------------------------------------------


cdef inline bint take_tables(Decoder *self, void *small, const Column *columns,
                             const uint8_t *schema, int64_t schema_size) noexcept nogil:
    """Copy the columns and the schema, and reserve room for the names. `small` has SMALL words."""
    cdef int64_t n = self.n_columns, n_first, size, of_schema = (schema_size + 7) & ~7
    cdef uint8_t *at
    self.shift = 63
    while <int64_t>1 << (64 - self.shift) < n:
        self.shift -= 1
    n_first = (<int64_t>1 << (64 - self.shift)) + 1
    size = (n * <int64_t>(sizeof(Column) + sizeof(NameEntry)) + of_schema
            + (n_first + n + 1) * <int64_t>sizeof(uint32_t))
    self.allocated = malloc(size) if size > 8 * SMALL else NULL
    at = <uint8_t *>(self.allocated if size > 8 * SMALL else small)
    if at == NULL:
        return False
    self.columns = <Column *>at
    self.names = <NameEntry *>(self.columns + n)
    self.schema = <uint8_t *>(self.names + n)
    self.first = <uint32_t *>(self.schema + of_schema)
    self.after = <int32_t *>(self.first + n_first)
    copy_once(self.columns, columns, n * <int64_t>sizeof(Column))
    copy_once(<void *>self.schema, schema, schema_size)
    return True


cdef inline void leave_tables(const Decoder *self, Column *columns) noexcept nogil:
    """Write the lengths of the columns to the caller's table, and free the copies."""
    cdef int64_t i
    for i in range(self.n_columns):
        columns[i].length = self.columns[i].length
        columns[i].data_length = self.columns[i].data_length
    free(self.allocated)
