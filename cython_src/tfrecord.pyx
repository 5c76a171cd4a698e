# cython: freethreading_compatible=True, boundscheck=False, wraparound=False
"""TFRecord frames, and tf.train.Example decoded into columns: docs/records.md, step by step.

Shows:  bytes parsed without the GIL, with C structs for the state; errors as codes, which the caller
        turns into exceptions; memory described by a table of offsets.
Build:  cython -3 tfrecord.pyx, then the C compiler with -O3.
Bites:  boundscheck=False: every length that the data claims is compared with the bytes that are
        left before it is used. The caller checks the tables (cursor, columns, schema) first.
"""

from libc.stdint cimport INT32_MAX, INT32_MIN, INT64_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

cdef enum:  # error codes: c_src/cookbook/errors.h
    OK = 0
    TRUNCATED_HEADER = 1
    LENGTH_CRC = 2
    LENGTH_LIMIT = 3
    TRUNCATED_DATA = 4
    TRUNCATED_FOOTER = 5
    DATA_CRC = 6
    WIRE_TYPE = 7
    VARINT = 8
    SUBMESSAGE_LENGTH = 9
    FLOAT_LENGTH = 10
    TYPE_MISMATCH = 11
    MISSING = 12
    DENSE_LENGTH = 13
    CAPACITY = 14
    DATA_CAPACITY = 15
    RANGE = 21

cdef enum:  # bytes before and after the data of a record
    HEADER = 12
    FOOTER = 4

cdef struct Fault:
    int64_t code, offset, field, expected, actual


cdef bint fail(Fault *fault, int64_t code, int64_t offset, int64_t expected=0,
               int64_t actual=0) noexcept nogil:
    """Describe a fault, and return False."""
    fault.code, fault.offset, fault.expected, fault.actual = code, offset, expected, actual
    return False


cdef tuple described(const Fault *fault):
    """Return (code, offset, expected, actual, field), or None if there is no fault."""
    if fault.code == OK:
        return None
    return fault.code, fault.offset, fault.expected, fault.actual, fault.field


# ---- CRC-32C -------------------------------------------------------------------------------------

cdef uint32_t[8][256] crc_table  # of a byte that has 0 to 7 bytes after it


cdef void fill_crc_table() noexcept:
    cdef uint32_t crc
    cdef int byte, after
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (<uint32_t>0x82F63B78 if crc & 1 else 0)
        crc_table[0][byte] = crc
    for after in range(1, 8):
        for byte in range(256):
            crc = crc_table[after - 1][byte]
            crc_table[after][byte] = crc_table[0][crc & 0xFF] ^ crc >> 8


fill_crc_table()


cdef uint32_t checksum(const uint8_t *data, int64_t size) noexcept nogil:
    """Return the CRC-32C of some data, eight bytes at a time."""
    cdef uint32_t crc = 0xFFFFFFFF, low, high
    cdef int64_t i
    for i in range(0, size - 7, 8):
        low = crc ^ load32(data + i)
        high = load32(data + i + 4)
        crc = (crc_table[7][low & 0xFF] ^ crc_table[6][low >> 8 & 0xFF]
               ^ crc_table[5][low >> 16 & 0xFF] ^ crc_table[4][low >> 24]
               ^ crc_table[3][high & 0xFF] ^ crc_table[2][high >> 8 & 0xFF]
               ^ crc_table[1][high >> 16 & 0xFF] ^ crc_table[0][high >> 24])
    for i in range(size - size % 8, size):
        crc = crc_table[0][(crc ^ data[i]) & 0xFF] ^ crc >> 8
    return ~crc


cdef uint32_t masked(uint32_t crc) noexcept nogil:
    """Return a CRC as TFRecord stores it."""
    return (crc >> 15 | crc << 17) + <uint32_t>0xA282EAD8


cdef uint32_t load32(const uint8_t *at) noexcept nogil:
    """Return a little-endian integer."""
    return (at[0] | <uint32_t>at[1] << 8 | <uint32_t>at[2] << 16 | <uint32_t>at[3] << 24)


cdef uint64_t load64(const uint8_t *at) noexcept nogil:
    return load32(at) | <uint64_t>load32(at + 4) << 32


# ---- frames --------------------------------------------------------------------------------------

cdef int64_t MAX_SIZE = INT64_MAX - HEADER - FOOTER

cdef struct Input:
    const uint8_t *data
    int64_t size
    bint verify, final  # check the CRCs; the file ends where the data ends

cdef struct Bytes:  # a part of the input
    int64_t at, end


cdef bint crc_is_right(const Input *input, int64_t code, int64_t at, int64_t end,
                       Fault *fault) noexcept nogil:
    """Compare the CRC of a part of the input with the one that is stored after it."""
    cdef uint32_t stored = load32(input.data + end)
    cdef uint32_t computed = masked(checksum(input.data + at, end - at))
    return stored == computed or fail(fault, code, at, stored, computed)


cdef bint next_frame(const Input *input, int64_t position, Bytes *record,
                     Fault *fault) noexcept nogil:
    """Find the data of the record at `position`. Return False at the end, and for a fault."""
    cdef int64_t start = position + HEADER, left = input.size - position
    cdef uint64_t size
    if left < HEADER:
        if left > 0 and input.final:
            fail(fault, TRUNCATED_HEADER, position, HEADER, left)
        return False
    if input.verify and not crc_is_right(input, LENGTH_CRC, position, position + 8, fault):
        return False
    size = load64(input.data + position)
    if size > <uint64_t>(MAX_SIZE):
        return fail(fault, LENGTH_LIMIT, position, MAX_SIZE, <int64_t>size)
    left -= HEADER
    if <int64_t>size > left:
        return input.final and fail(fault, TRUNCATED_DATA, start, size, left)
    record.at, record.end = start, start + <int64_t>size
    left -= <int64_t>size
    if left < FOOTER:
        return input.final and fail(fault, TRUNCATED_FOOTER, record.end, FOOTER, left)
    return not input.verify or crc_is_right(input, DATA_CRC, start, record.end, fault)


# ---- protobuf ------------------------------------------------------------------------------------

cdef enum:  # wire types
    WIRE_VARINT = 0
    WIRE_FIXED64 = 1
    WIRE_BYTES = 2
    WIRE_START = 3
    WIRE_END = 4
    WIRE_FIXED32 = 5

cdef enum:
    MAX_DEPTH = 64  # of groups

cdef struct Field:
    uint32_t number
    int type
    int64_t tag, value  # where the tag begins, and where it ends
    Bytes body


cdef bint read_varint(const uint8_t *data, Bytes *message, uint64_t *value,
                      Fault *fault) noexcept nogil:
    cdef int64_t i
    cdef uint8_t byte
    value[0] = 0
    for i in range(min(message.end - message.at, 10)):
        byte = data[message.at + i]
        value[0] |= <uint64_t>(byte & 0x7F) << 7 * i
        if byte < 0x80:
            message.at += i + 1
            return True
    return fail(fault, VARINT, message.at)


cdef bint read_tag(const uint8_t *data, Bytes *message, Field *field, Fault *fault) noexcept nogil:
    cdef uint64_t tag
    field.tag = message.at
    if not read_varint(data, message, &tag, fault):
        return False
    if message.at - field.tag > 5 or tag >> 32 != 0:
        return fail(fault, VARINT, field.tag)
    field.number, field.type, field.value = tag >> 3, tag & 7, message.at
    if field.number == 0 or field.type > WIRE_FIXED32:
        return fail(fault, WIRE_TYPE, field.tag)
    return True


cdef bint read_value(const uint8_t *data, Bytes *message, Field *field,
                     Fault *fault) noexcept nogil:
    """Read a value that is not a group."""
    cdef uint64_t size = 0
    cdef int64_t left
    field.body.at = message.at
    if field.type == WIRE_VARINT:
        if not read_varint(data, message, &size, fault):
            return False
        field.body.end = message.at
        return True
    if field.type == WIRE_BYTES:
        if not read_varint(data, message, &size, fault):
            return False
    elif field.type == WIRE_FIXED32 or field.type == WIRE_FIXED64:
        size = 4 if field.type == WIRE_FIXED32 else 8
    else:
        return fail(fault, WIRE_TYPE, field.tag)
    left = message.end - message.at
    if size > <uint64_t>left:
        return fail(fault, SUBMESSAGE_LENGTH, field.value, left, <int64_t>size)
    field.body = Bytes(message.at, message.at + <int64_t>size)
    message.at = field.body.end
    return True


cdef bint skip_group(const uint8_t *data, Bytes *message, const Field *start,
                     Fault *fault) noexcept nogil:
    """Skip to the end tag that matches the start tag that was read."""
    cdef Field[MAX_DEPTH] open
    cdef Field field
    cdef int depth = 1
    open[0] = start[0]
    while depth > 0:
        if message.at == message.end:
            return fail(fault, WIRE_TYPE, open[depth - 1].tag)
        if not read_tag(data, message, &field, fault):
            return False
        if field.type == WIRE_START and depth < MAX_DEPTH:
            open[depth] = field
            depth += 1
        elif field.type == WIRE_END and field.number == open[depth - 1].number:
            depth -= 1
        elif not read_value(data, message, &field, fault):
            return False
    return True


cdef bint next_field(const uint8_t *data, Bytes *message, Field *field,
                     Fault *fault) noexcept nogil:
    """Read the next field of a message. Return False at its end, and for a fault."""
    if message.at == message.end or not read_tag(data, message, field, fault):
        return False
    if field.type != WIRE_START:
        return read_value(data, message, field, fault)
    if not skip_group(data, message, field, fault):
        return False
    field.body = Bytes(message.at, message.at)
    return True


cdef bint next_message(const uint8_t *data, Bytes *message, uint32_t number, Bytes *body,
                       Fault *fault) noexcept nogil:
    """Read on to the next length-delimited field with this number. Return False as above."""
    cdef Field field
    while next_field(data, message, &field, fault):
        if field.number == number and field.type == WIRE_BYTES:
            body[0] = field.body
            return True
    return False


# ---- columns -------------------------------------------------------------------------------------

cdef enum:  # the kind of a column's values; the first three are members of Feature's oneof
    BYTES = 1
    FLOAT = 2
    INT64 = 3
    INT32 = 4
    UINT16 = 5
    SPANS = 6

cdef enum:  # the form of a column; the last three are of feature lists
    RAGGED = 0
    DENSE = 1
    LIST = 2
    DENSE_LIST = 3
    STEPS = 4

cdef struct Schema:  # ck_field, of which a schema buffer has one for each column, then the names
    int32_t name_offset, name_size, kind, form
    int64_t length

cdef struct Column:  # ck_column
    int64_t row_offsets, values, capacity, length, data, data_capacity, data_length
    int64_t[3] scratch

cdef struct Added:  # by one record to one column, which counts them when the whole record is valid
    int64_t n, data_size  # values and their bytes; in a column of steps: steps and their values
    Bytes entry  # the last entry of the record with the column's name; -1: there is none

cdef struct Decoder:
    const uint8_t *data
    int64_t base  # the offset in the file of data[0]
    const uint8_t *schema
    uint8_t *arena
    Column *columns
    Added *added
    int64_t n
    bint lists  # some column is of a feature list


cdef Schema *schema_of(const Decoder *self, int64_t i) noexcept nogil:
    return <Schema *>self.schema + i


cdef int member_of(int kind) noexcept nogil:
    """Return the member of Feature's oneof that holds values of this kind."""
    if kind == SPANS:
        return BYTES
    return INT64 if kind == INT32 or kind == UINT16 else kind


cdef void *place_of(const Decoder *self, int64_t i, int64_t n, int64_t size) noexcept nogil:
    """Return the place of the next n values, `size` bytes each, or NULL if there is no room.

    A value without a place is counted all the same: the number needed is part of the error.
    """
    cdef Column *column = &self.columns[i]
    cdef int64_t first = column.length + self.added[i].n
    if n > column.capacity - first:
        return NULL
    return self.arena + column.values + first * size


cdef void add_end(Decoder *self, int64_t i, int64_t size) noexcept nogil:
    """Add a value that is described by its end: bytes, or a step."""
    cdef int64_t *end = <int64_t *>place_of(self, i, 1, sizeof(int64_t))
    self.added[i].n += 1
    self.added[i].data_size += size
    if end != NULL:
        end[1] = self.columns[i].data_length + self.added[i].data_size


cdef void add_bytes(Decoder *self, int64_t i, Bytes value) noexcept nogil:
    cdef Column *column = &self.columns[i]
    cdef int64_t size = value.end - value.at
    cdef int64_t start = column.data_length + self.added[i].data_size
    cdef int64_t *span
    if schema_of(self, i).kind == BYTES:
        if size <= column.data_capacity - start:
            memcpy(self.arena + column.data + start, self.data + value.at, size)
        add_end(self, i, size)
        return
    span = <int64_t *>place_of(self, i, 1, 2 * sizeof(int64_t))
    self.added[i].n += 1
    if span != NULL:
        span[0], span[1] = self.base + value.at, size


cdef void add_floats(Decoder *self, int64_t i, Bytes values) noexcept nogil:
    cdef int64_t size = values.end - values.at
    cdef void *place = place_of(self, i, size // 4, 4)
    self.added[i].n += size // 4
    if place != NULL:
        memcpy(place, self.data + values.at, size)


cdef bint add_integers(Decoder *self, int64_t i, int kind, Bytes values,
                       Fault *fault) noexcept nogil:
    cdef uint64_t bits
    cdef int64_t at, value, low = 0, high = 0xFFFF
    cdef int size = 8 if kind == INT64 else 4 if kind == INT32 else 2
    cdef void *place
    if kind == INT32:
        low, high = INT32_MIN, INT32_MAX
    while values.at < values.end:
        at = values.at
        if not read_varint(self.data, &values, &bits, fault):
            return False
        value = <int64_t>bits
        if kind != INT64 and not low <= value <= high:
            return fail(fault, RANGE, at, low if value < low else high, value)
        place = place_of(self, i, 1, size)
        self.added[i].n += 1
        if place != NULL:
            memcpy(place, &value, size)
    return True


# ---- features ------------------------------------------------------------------------------------

cdef struct Feature:
    int kind  # the member of the oneof that is set; 0: none yet
    int64_t kind_at
    int64_t n, data_size  # what the record had added before this feature


cdef bint add_list(Decoder *self, int64_t i, Bytes message, Fault *fault) noexcept nogil:
    """Add the values of a BytesList, FloatList or Int64List."""
    cdef int kind = schema_of(self, i).kind, member = member_of(kind)
    cdef int64_t size
    cdef Field item
    while next_field(self.data, &message, &item, fault):
        size = item.body.end - item.body.at
        if item.number != 1:
            continue
        if member == BYTES and item.type == WIRE_BYTES:
            add_bytes(self, i, item.body)
        elif member == FLOAT and (item.type == WIRE_BYTES or item.type == WIRE_FIXED32):
            if size % 4 != 0:
                return fail(fault, FLOAT_LENGTH, item.value, 0, size)
            add_floats(self, i, item.body)
        elif member == INT64 and (item.type == WIRE_BYTES or item.type == WIRE_VARINT):
            if not add_integers(self, i, kind, item.body, fault):
                return False
    return fault.code == OK


cdef bint add_feature(Decoder *self, int64_t i, Feature *feature, Bytes message,
                      Fault *fault) noexcept nogil:
    """Add the values of a Feature; they merge with those that came before, if these are as kind."""
    cdef Field member
    while next_field(self.data, &message, &member, fault):
        if member.type != WIRE_BYTES or not BYTES <= member.number <= INT64:
            continue
        if <int>member.number != feature.kind:
            feature.kind, feature.kind_at = member.number, member.tag
            self.added[i].n, self.added[i].data_size = feature.n, feature.data_size
        if feature.kind == member_of(schema_of(self, i).kind):
            if not add_list(self, i, member.body, fault):
                return False
    return fault.code == OK


cdef bint is_wanted(const Decoder *self, int64_t i, const Feature *feature, int64_t record,
                    Fault *fault) noexcept nogil:
    """Compare the kind and the number of a feature's values with the schema."""
    cdef const Schema *schema = schema_of(self, i)
    cdef int member = member_of(schema.kind)
    cdef int64_t n = self.added[i].n - feature.n
    if feature.kind != 0 and feature.kind != member:
        return fail(fault, TYPE_MISMATCH, feature.kind_at, member, feature.kind)
    if schema.form != DENSE and schema.form != DENSE_LIST:
        return True
    if feature.kind == 0 or n == 0 and schema.length > 0:
        return fail(fault, MISSING, record, schema.length)
    return n == schema.length or fail(fault, DENSE_LENGTH, record, schema.length, n)


cdef bint add_steps(Decoder *self, int64_t i, Bytes message, int64_t record,
                    Fault *fault) noexcept nogil:
    """Add the values of each Feature of a FeatureList or, to a column of steps, their number."""
    cdef bint count = schema_of(self, i).form == STEPS
    cdef Column column = self.columns[i]
    cdef Added before
    cdef Feature feature
    cdef Bytes step
    cdef int64_t n
    while next_message(self.data, &message, 1, &step, fault):
        before = self.added[i]
        feature = Feature(0, 0, before.n, before.data_size)
        if count:  # the values have no place
            self.columns[i].capacity = self.columns[i].data_capacity = 0
        if (not add_feature(self, i, &feature, step, fault)
                or not is_wanted(self, i, &feature, record, fault)):
            return False
        if count:
            n = self.added[i].n - before.n
            self.columns[i], self.added[i] = column, before
            add_end(self, i, n)
    return fault.code == OK


# ---- records -------------------------------------------------------------------------------------


cdef void remember(Decoder *self, Bytes key, Bytes entry, bint of_list) noexcept nogil:
    """Note the entry for each column of this name; a later entry replaces an earlier one."""
    cdef const Schema *schema
    cdef int64_t i, size = key.end - key.at
    for i in range(self.n):
        schema = schema_of(self, i)
        if (schema.name_size == size and (schema.form >= LIST) == of_list
                and memcmp(self.schema + schema.name_offset, self.data + key.at, size) == 0):
            self.added[i].entry = entry


cdef bint find_entries(Decoder *self, Bytes record, Fault *fault) noexcept nogil:
    """Walk over the whole record, and note the entry of each column."""
    cdef Field part
    cdef Bytes entry, rest, key
    cdef int64_t i
    for i in range(self.n):
        self.added[i] = Added(0, 0, Bytes(-1, -1))
    while next_field(self.data, &record, &part, fault):
        if part.type != WIRE_BYTES or part.number != 1 and not (part.number == 2 and self.lists):
            continue
        while next_message(self.data, &part.body, 1, &entry, fault):
            rest, key = entry, Bytes(entry.at, entry.at)
            while next_message(self.data, &rest, 1, &key, fault):
                pass
            if fault.code != OK:
                return False
            remember(self, key, entry, part.number == 2)
        if fault.code != OK:
            return False
    return fault.code == OK


cdef bint add_entry(Decoder *self, int64_t i, int64_t record, Fault *fault) noexcept nogil:
    """Add the values of a column from its entry in the record."""
    cdef bint of_list = schema_of(self, i).form >= LIST
    cdef Feature feature = Feature(0, 0, 0, 0)
    cdef Bytes entry = self.added[i].entry, value
    while entry.at >= 0 and next_message(self.data, &entry, 2, &value, fault):
        if of_list and not add_steps(self, i, value, record, fault):
            return False
        if not of_list and not add_feature(self, i, &feature, value, fault):
            return False
    return fault.code == OK and (of_list or is_wanted(self, i, &feature, record, fault))


cdef bint has_room(const Decoder *self, int64_t i, int64_t header, Fault *fault) noexcept nogil:
    cdef const Schema *schema = schema_of(self, i)
    cdef Column *column = &self.columns[i]
    cdef int64_t needed = column.length + self.added[i].n
    if needed > column.capacity:
        return fail(fault, CAPACITY, header, needed, column.capacity)
    needed = column.data_length + self.added[i].data_size
    if schema.kind == BYTES and schema.form != STEPS and needed > column.data_capacity:
        return fail(fault, DATA_CAPACITY, header, needed, column.data_capacity)
    return True


cdef bint decode_record(Decoder *self, Bytes record, int64_t row, Fault *fault) noexcept nogil:
    """Append a record to the columns; none of it counts before all of it is valid."""
    cdef Column *column
    cdef int64_t i
    if not find_entries(self, record, fault):
        return False
    for i in range(self.n):
        if (not add_entry(self, i, record.at, fault)
                or not has_room(self, i, record.at - HEADER, fault)):
            fault.field = i
            return False
    for i in range(self.n):
        column = &self.columns[i]
        column.length += self.added[i].n
        column.data_length += self.added[i].data_size
        if schema_of(self, i).form != DENSE:
            (<int64_t *>(self.arena + column.row_offsets))[row + 1] = column.length
    return True


def decode(const uint8_t[::1] data, const uint8_t[::1] schema, uint8_t[::1] arena,
           int64_t[:, ::1] columns, int64_t[::1] cursor, int64_t max_records, bint verify,
           bint final):
    """Decode the records from the cursor (base, position, record, rows) on; return the fault.

    The tables fit the schema and the arena: the caller has checked them.
    """
    cdef Input input = Input(&data[0], data.shape[0], verify, final)
    cdef Fault fault = Fault(OK, 0, -1, 0, 0)
    cdef int64_t n = columns.shape[0], i
    cdef uint8_t[::1] work = bytearray(n * sizeof(Added))
    cdef Decoder self = Decoder(&data[0], cursor[0], &schema[0], &arena[0],
                                <Column *>&columns[0, 0], <Added *>&work[0], n, False)
    cdef Bytes record
    with nogil:
        for i in range(n):
            self.lists = self.lists or schema_of(&self, i).form >= LIST
        while (cursor[3] < max_records and next_frame(&input, cursor[1], &record, &fault)
                and decode_record(&self, record, cursor[3], &fault)):
            cursor[1] = record.end + FOOTER
            cursor[2] += 1
            cursor[3] += 1
    return described(&fault)
