"""One tf.train.Example or SequenceExample into columns. docs/records.md is the specification.

A record is walked twice, unless it is a plain one. The first walk finds the entry of every field of
the schema; the second decodes these entries in the order of the schema.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from example_feature cimport decode_entry
from example_names cimport field_named, is_named
from example_schema cimport DENSE, Column, Decoder, SchemaField, member_of, schema_field
from example_values cimport Values, append_list, has_room, is_wanted, values_of
from frame cimport OK
from wire cimport WIRE_BYTES, Fault, Field, Wire, next_field

# ---- the first walk: entries ---------------------------------------------------------------------


cdef inline void remember(Decoder *self, Wire key, Wire entry, bint of_lists) noexcept nogil:
    cdef int64_t i = field_named(self, key.at, key.end - key.at, of_lists)
    if i >= 0:
        self.columns[i].entry = entry.at - self.buffer
        self.columns[i].entry_size = entry.end - entry.at


cdef inline void find_entries(Decoder *self, Wire example, Fault *fault) noexcept nogil:
    cdef Field features, entry, part
    cdef Wire key, rest
    cdef Column *leader
    cdef int64_t i
    cdef bint of_lists
    for i in range(self.n_columns):
        self.columns[i].entry = -1
    while next_field(&example, &features, fault):
        of_lists = features.tag == (2 << 3 | WIRE_BYTES)
        if features.tag != (1 << 3 | WIRE_BYTES) and not (of_lists and self.lists):
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
            remember(self, key, entry.body, of_lists)
        if fault.code != OK:
            return
    if self.twins:
        for i in range(self.n_columns):
            leader = &self.columns[self.columns[i].leader]
            self.columns[i].entry = leader.entry
            self.columns[i].entry_size = leader.entry_size


# ---- one walk ------------------------------------------------------------------------------------


cdef inline bint only_field(Wire *message, uint32_t number, Wire *body,
                            Fault *fault) noexcept nogil:
    """Read the next field, if it has this tag and is length-delimited; else return False."""
    cdef Field field
    if not next_field(message, &field, fault) or field.tag != (number << 3 | WIRE_BYTES):
        return False
    body[0] = field.body
    return True


cdef inline bint decode_plain(Decoder *self, Wire record) noexcept nogil:
    """Decode in one walk an Example in the form that nearly every writer uses: one Features; in it,
    entries of a key and a Feature, in this order; in each Feature, one list; and no key twice.
    Records of one writer have their features in one order, so the field that came next in the last
    record is tried first. All other records, and every fault, go to the two walks."""
    cdef const uint8_t *start = record.at
    cdef Wire features, entry, key, feature, list
    cdef Fault fault
    cdef Values values
    cdef SchemaField schema
    cdef int64_t i, size, found = 0, before = 0
    cdef int kind
    fault.code = OK
    if (self.twins or self.lists or not only_field(&record, 1, &features, &fault) or record.at != record.end):
        return False
    for i in range(self.n_columns):
        self.columns[i].entry = -1
    while features.at != features.end:
        if (not only_field(&features, 1, &entry, &fault) or not only_field(&entry, 1, &key, &fault)
                or not only_field(&entry, 2, &feature, &fault) or entry.at != entry.end):
            return False
        size = key.end - key.at
        i = self.after[before]
        if i < 0 or not is_named(self, i, key.at, size):
            i = field_named(self, key.at, size, False)
            if i < 0:
                continue
            self.after[before] = <int32_t>i
        schema = schema_field(self.schema, i)
        kind = member_of(schema.kind)
        if (self.columns[i].entry >= 0 or not only_field(&feature, kind, &list, &fault)
                or feature.at != feature.end):
            return False
        values = values_of(self, &self.columns[i], &schema)
        if (not append_list(self, &values, schema.kind, list, &fault)
                or not is_wanted(&schema, kind, list.at, values.n, start, &fault)
                or not has_room(self, i, &values, start, &fault)):
            return False
        found += 1
        before = i + 1
    if found < self.n_columns:
        for i in range(self.n_columns):
            if self.columns[i].entry < 0:
                if schema_field(self.schema, i).form == DENSE:
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
        if schema_field(self.schema, i).form != DENSE:
            (<int64_t *>(self.arena + column.row_offsets))[row + 1] = column.length
    return True
