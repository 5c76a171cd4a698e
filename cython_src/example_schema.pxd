"""The schema of a batch of tf.train.Examples: its fields and its columns.

docs/records.md is the specification.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:  # kinds; the first three are also the field numbers of Feature's oneof
    BYTES = 1
    FLOAT = 2
    INT64 = 3
    INT32 = 4
    UINT16 = 5
    SPANS = 6

cdef enum:  # forms; the last three are for feature lists
    RAGGED = 0
    DENSE = 1
    LIST = 2
    DENSE_LIST = 3
    STEPS = 4

cdef struct SchemaField:
    int32_t name_offset, name_size, kind, form
    int64_t length

cdef struct Column:
    int64_t row_offsets, values, capacity, length, data, data_capacity, data_length
    int64_t entry, entry_size  # this field's place in the record; entry < 0: it has none
    int64_t leader             # the first field of the same name

cdef struct NameEntry:
    uint64_t hash
    uint32_t field, leader

cdef struct Decoder:
    const uint8_t *buffer
    int64_t base  # offset in the file of buffer[0]
    uint8_t *arena
    Column *columns        # a copy
    const uint8_t *schema  # a copy
    int64_t n_columns
    bint twins             # two fields have the same name
    bint lists             # some fields are feature lists
    NameEntry *names       # [n_columns], sorted: example_names.pxd
    uint32_t *first        # [n_buckets + 1]: the first entry of each bucket in `names`
    int shift              # hash >> shift is the bucket
    int32_t *after         # [n_columns + 1]: the field that followed field i - 1 in the last record
    void *allocated        # the block that holds these tables, unless they are small


cdef inline SchemaField schema_field(const uint8_t *schema, int64_t i) noexcept nogil:
    cdef SchemaField field
    memcpy(&field, schema + i * sizeof(SchemaField), sizeof(SchemaField))
    return field


cdef inline int member_of(int kind) noexcept nogil:
    """Return the member of Feature's oneof that holds values of this kind."""
    return BYTES if kind == SPANS else INT64 if kind > INT64 else kind


cdef inline bint has_length(const SchemaField *field) noexcept nogil:
    """Return True if every Feature must have `length` values."""
    return field.form == DENSE or field.form == DENSE_LIST


cdef inline bint has_data(const SchemaField *field) noexcept nogil:
    return field.kind == BYTES and field.form != STEPS


cdef inline bint has_offsets(const SchemaField *field) noexcept nogil:
    """Return True if the column's values are offsets, which follow a leading 0."""
    return field.kind == BYTES or field.form == STEPS


cdef inline int item_shift(const SchemaField *field) noexcept nogil:
    """Return log2 of the size of an item."""
    cdef int kind = INT64 if field.form == STEPS else field.kind
    if kind == FLOAT or kind == INT32:
        return 2
    return 1 if kind == UINT16 else 4 if kind == SPANS else 3


# ---- checks --------------------------------------------------------------------------------------


cdef inline bint take(int64_t arena_size, int64_t *taken, int64_t offset, int64_t count,
                      int64_t extra, int shift) noexcept nogil:
    """Return True if `count + extra` items of `1 << shift` bytes at `offset` lie within the arena,
    and not before `taken`, which becomes their end: no two parts of an arena share bytes."""
    if not (taken[0] <= offset <= arena_size and offset & 7 == 0
            and 0 <= count <= ((arena_size - offset) >> shift) - extra):
        return False
    taken[0] = offset + ((count + extra) << shift)
    return True


cdef inline bint is_sane_column(const Column *column, const SchemaField *field, int64_t arena_size,
                                int64_t *taken, int64_t max_records) noexcept nogil:
    """`taken` is the end of the columns before this one, and becomes its end."""
    if not 0 <= column.length <= column.capacity:
        return False
    if field.form != DENSE and not take(arena_size, taken, column.row_offsets, max_records,
                                          1, 3):
        return False
    if not take(arena_size, taken, column.values, column.capacity, has_offsets(field),
                item_shift(field)):
        return False
    if has_data(field):
        return (0 <= column.data_length <= column.data_capacity
                and take(arena_size, taken, column.data, column.data_capacity, 0, 0))
    return field.form != STEPS or 0 <= column.data_length <= <int64_t>1 << 62  # no sum overflows


cdef inline bint is_sane_table(const Decoder *self, int64_t schema_size, int64_t arena_size,
                               int64_t max_records) noexcept nogil:
    """Return True if the tables are consistent. Names may not share bytes, because a short schema
    could otherwise have many long ones."""
    cdef int64_t room = schema_size - self.n_columns * <int64_t>sizeof(SchemaField)
    cdef SchemaField field
    cdef int64_t i, taken = 0
    for i in range(self.n_columns):
        field = schema_field(self.schema, i)
        if not (field.name_offset >= 0 and 0 <= field.name_size <= room
                and <int64_t>field.name_offset + field.name_size <= schema_size
                and BYTES <= field.kind <= SPANS and RAGGED <= field.form <= STEPS
                and (not has_length(&field) or field.length >= 0)
                and is_sane_column(&self.columns[i], &field, arena_size, &taken, max_records)):
            return False
        room -= field.name_size
    return True
