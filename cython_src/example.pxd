"""One tf.train.Example into columns. docs/records.md is the specification.

A record is walked twice, unless it is a plain one. The first walk finds the entry of every field of
the schema; the second decodes these entries in the schema's order."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from example_schema cimport (
    BYTES, INT64, N_BUCKETS, Column, Decoder, SchemaField, bucket_of, is_named, member_of, named,
    schema_field
)
from example_values cimport Values, accept, append_list, values_of
from frame cimport OK
from wire cimport WIRE_BYTES, Fault, Field, Wire, next_field

# ---- the first walk: entries ---------------------------------------------------------------------


cdef inline void remember(Decoder *self, Wire key, Wire entry) noexcept nogil:
    cdef int64_t size = key.end - key.at
    cdef int64_t i = named(self, self.first[bucket_of(key.at, size)], key.at, size)
    while i >= 0:
        self.columns[i].entry = entry.at - self.buffer
        self.columns[i].entry_size = entry.end - entry.at
        i = named(self, self.columns[i].next, key.at, size)


cdef inline void find_entries(Decoder *self, Wire example, Fault *fault) noexcept nogil:
    cdef Field features, entry, part
    cdef Wire key, rest
    cdef int64_t i
    for i in range(self.n_columns):
        self.columns[i].entry = -1
    while next_field(&example, &features, fault):
        if features.tag != (1 << 3 | WIRE_BYTES):
            continue
        while next_field(&features.body, &entry, fault):
            if entry.tag != (1 << 3 | WIRE_BYTES):
                continue
            rest = entry.body
            key = Wire(rest.at, rest.at)
            while next_field(&rest, &part, fault):
                if part.tag == (1 << 3 | WIRE_BYTES):
                    key = part.body
            if fault.code != OK:
                return
            remember(self, key, entry.body)
        if fault.code != OK:
            return


# ---- the second walk: values ---------------------------------------------------------------------


cdef inline bint decode_entry(Decoder *self, int64_t i, Wire record, Fault *fault) noexcept nogil:
    cdef SchemaField schema = schema_field(self.schema, i)
    cdef Column *column = &self.columns[i]
    cdef Values values = values_of(self, column, schema.kind)
    cdef int kind = 0, number  # of the Feature; 0: none yet
    cdef int member_wanted = member_of(schema.kind)
    cdef const uint8_t *kind_at = NULL
    cdef const uint8_t *at
    cdef Wire entry
    cdef Field value, member
    if column.entry >= 0:
        at = self.buffer + column.entry
        entry = Wire(at, at + column.entry_size)
        while next_field(&entry, &value, fault):
            if value.tag != (2 << 3 | WIRE_BYTES):
                continue
            while next_field(&value.body, &member, fault):
                number = member.tag >> 3
                if member.tag & 7 != WIRE_BYTES or not BYTES <= number <= INT64:
                    continue
                if number != kind:
                    kind = number
                    kind_at = member.at
                    values.n = values.data_size = 0
                if (kind == member_wanted
                        and not append_list(self, &values, schema.kind, member.body, fault)):
                    return False
            if fault.code != OK:
                return False
        if fault.code != OK:
            return False

    return accept(self, i, &values, kind, kind_at, record.at, fault)


# ---- one walk ------------------------------------------------------------------------------------


cdef inline bint only_field(Wire *message, uint32_t number, Wire *body,
                            Fault *fault) noexcept nogil:
    """Reads a field, if it is this one and length-delimited."""
    cdef Field field
    if not next_field(message, &field, fault) or field.tag != (number << 3 | WIRE_BYTES):
        return False
    body[0] = field.body
    return True


cdef inline bint decode_plain(Decoder *self, Wire record) noexcept nogil:
    """The way nearly every writer writes an Example: one Features, in it entries of a key and a
    Feature, in this order, in that one list, and no key twice. Records of one writer have their
    features in one order, so the field that came next in the last record is the first to be tried.
    Whatever is not so, and every fault, is left to the two walks."""
    cdef const uint8_t *start = record.at
    cdef Wire features, entry, key, feature, list
    cdef Fault fault
    cdef Values values
    cdef int64_t i, size, found = 0, before = 0
    cdef int kind
    fault.code = OK
    if (self.twins or not only_field(&record, 1, &features, &fault) or record.at != record.end):
        return False
    for i in range(self.n_columns):
        self.columns[i].entry = -1
    while features.at != features.end:
        if (not only_field(&features, 1, &entry, &fault) or not only_field(&entry, 1, &key, &fault)
                or not only_field(&entry, 2, &feature, &fault) or entry.at != entry.end):
            return False
        size = key.end - key.at
        i = self.after[before] if before < N_BUCKETS else -1
        if i < 0 or not is_named(self, i, key.at, size):
            i = named(self, self.first[bucket_of(key.at, size)], key.at, size)
            if i < 0:
                continue
            if before < N_BUCKETS:
                self.after[before] = i
        kind = schema_field(self.schema, i).kind
        if (self.columns[i].entry >= 0 or not only_field(&feature, member_of(kind), &list, &fault)
                or feature.at != feature.end):
            return False
        values = values_of(self, &self.columns[i], kind)
        if (not append_list(self, &values, kind, list, &fault)
                or not accept(self, i, &values, member_of(kind), list.at, start, &fault)):
            return False
        found += 1
        before = i + 1
    if found < self.n_columns:
        for i in range(self.n_columns):
            if self.columns[i].entry < 0:
                if schema_field(self.schema, i).dense:
                    return False
                self.columns[i].entry = self.columns[i].length
                self.columns[i].entry_size = self.columns[i].data_length
    return True


# ---- a record ------------------------------------------------------------------------------------


cdef inline bint decode_record(Decoder *self, Wire record, int64_t row, Fault *fault,
                               int64_t *field) noexcept nogil:
    cdef Column *column
    cdef int64_t i
    field[0] = -1
    if not decode_plain(self, record):
        find_entries(self, record, fault)
        if fault.code != OK:
            return False
        for i in range(self.n_columns):
            field[0] = i
            if not decode_entry(self, i, record, fault):
                return False
    for i in range(self.n_columns):
        column = &self.columns[i]
        column.length = column.entry
        column.data_length = column.entry_size
        if not schema_field(self.schema, i).dense:
            (<int64_t *>(self.arena + column.row_offsets))[row + 1] = column.length
    return True
