"""The schema of a batch of tf.train.Examples: its fields, its columns, and which field has a name.

docs/records.md is the specification."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memcmp, memcpy

from bytes_le cimport load64

cdef enum:  # kinds; the first three are also the field numbers of Feature's oneof
    BYTES = 1
    FLOAT = 2
    INT64 = 3
    INT32 = 4
    UINT16 = 5
    SPANS = 6

cdef enum:  # forms; the last three are of feature lists
    RAGGED = 0
    DENSE = 1
    LIST = 2
    DENSE_LIST = 3
    STEPS = 4

cdef enum:
    N_BUCKETS = 256

cdef struct SchemaField:
    int32_t name_offset, name_size, kind, form
    int64_t length

cdef struct Column:
    int64_t row_offsets, values, capacity, length, data, data_capacity, data_length
    int64_t entry, entry_size  # where the record has this field, entry < 0: nowhere
    int64_t next               # the next field whose name has the same hash

cdef struct Decoder:
    const uint8_t *buffer
    int64_t base  # offset in the file of buffer[0]
    const uint8_t *schema
    uint8_t *arena
    Column *columns
    int64_t n_columns
    int64_t[N_BUCKETS] first  # the first field whose name has this hash
    int64_t[N_BUCKETS] after  # which field came behind field i - 1 in the last record, if any
    bint twins                # two fields of the schema have one name
    bint lists                # some are of feature lists


cdef inline SchemaField schema_field(const uint8_t *schema, int64_t i) noexcept nogil:
    cdef SchemaField field
    memcpy(&field, schema + i * sizeof(SchemaField), sizeof(SchemaField))
    return field


cdef inline int member_of(int kind) noexcept nogil:
    """The member of Feature's oneof that holds such values."""
    return BYTES if kind == SPANS else INT64 if kind > INT64 else kind


cdef inline bint has_length(const SchemaField *field) noexcept nogil:
    """Whether every Feature must have `length` values."""
    return field.form == DENSE or field.form == DENSE_LIST


cdef inline bint has_data(const SchemaField *field) noexcept nogil:
    return field.kind == BYTES and field.form != STEPS


cdef inline bint has_offsets(const SchemaField *field) noexcept nogil:
    """Whether the column's values are offsets, behind a first 0."""
    return field.kind == BYTES or field.form == STEPS


cdef inline int item_shift(const SchemaField *field) noexcept nogil:
    """log2 of the size of an item."""
    cdef int kind = INT64 if field.form == STEPS else field.kind
    if kind == FLOAT or kind == INT32:
        return 2
    return 1 if kind == UINT16 else 4 if kind == SPANS else 3


# ---- is it sane? ---------------------------------------------------------------------------------


cdef inline bint fits(int64_t arena_size, int64_t offset, int64_t count, int64_t extra,
                      int shift) noexcept nogil:
    """Whether `count + extra` items of `1 << shift` bytes at `offset` lie within the arena."""
    return (0 <= offset <= arena_size and offset & 7 == 0 and count >= 0
            and count <= ((arena_size - offset) >> shift) - extra)


cdef inline bint is_sane_column(const Column *column, const SchemaField *field, int64_t arena_size,
                                int64_t max_records) noexcept nogil:
    if not 0 <= column.length <= column.capacity:
        return False
    if field.form != DENSE and not fits(arena_size, column.row_offsets, max_records, 1, 3):
        return False
    if not fits(arena_size, column.values, column.capacity, has_offsets(field), item_shift(field)):
        return False
    if has_data(field):
        return (0 <= column.data_length <= column.data_capacity
                and fits(arena_size, column.data, column.data_capacity, 0, 0))
    return field.form != STEPS or 0 <= column.data_length <= <int64_t>1 << 62  # no sum overflows


cdef inline bint is_sane_table(const Decoder *self, int64_t schema_size, int64_t arena_size,
                               int64_t max_records) noexcept nogil:
    cdef SchemaField field
    cdef int64_t i
    if <uintptr_t>self.arena & 7 or self.n_columns > schema_size // <int64_t>sizeof(SchemaField):
        return False
    for i in range(self.n_columns):
        field = schema_field(self.schema, i)
        if not (field.name_offset >= 0 and field.name_size >= 0
                and <int64_t>field.name_offset + field.name_size <= schema_size
                and BYTES <= field.kind <= SPANS and RAGGED <= field.form <= STEPS
                and (not has_length(&field) or field.length >= 0)
                and is_sane_column(&self.columns[i], &field, arena_size, max_records)):
            return False
    return True


# ---- names ---------------------------------------------------------------------------------------


cdef inline int bucket_of(const uint8_t *name, int64_t size) noexcept nogil:
    cdef uint64_t hash = size, multiplier = 0x9e3779b97f4a7c15
    cdef int64_t i
    if size >= 8:
        hash ^= load64(name) * multiplier ^ load64(name + size - 8)
    else:
        for i in range(size):
            hash = hash << 8 | name[i]
    return <int>(hash * multiplier >> 56)


cdef inline bint is_named(const Decoder *self, int64_t i, const uint8_t *name,
                          int64_t size) noexcept nogil:
    cdef SchemaField field = schema_field(self.schema, i)
    return field.name_size == size and memcmp(self.schema + field.name_offset, name, size) == 0


cdef inline int64_t named(const Decoder *self, int64_t i, const uint8_t *name,
                          int64_t size) noexcept nogil:
    """The first field of that name from field i on, among those with the same hash; or -1."""
    while i >= 0 and not is_named(self, i, name, size):
        i = self.columns[i].next
    return i


cdef inline void hash_names(Decoder *self) noexcept nogil:
    cdef SchemaField field
    cdef const uint8_t *name
    cdef int64_t i
    cdef int bucket
    self.twins = self.lists = False
    for i in range(N_BUCKETS):
        self.first[i] = self.after[i] = -1
    for i in range(self.n_columns):
        field = schema_field(self.schema, i)
        name = self.schema + field.name_offset
        bucket = bucket_of(name, field.name_size)
        if named(self, self.first[bucket], name, field.name_size) >= 0:
            self.twins = True
        if field.form >= LIST:
            self.lists = True
        self.columns[i].next = self.first[bucket]
        self.first[bucket] = i
