"""One field of a record: a Feature, or every step of a FeatureList, each of which is a Feature too.

docs/records.md is the specification.
"""

from libc.stdint cimport int64_t, uint8_t

from example_schema cimport (
    BYTES, INT64, LIST, SPANS, STEPS, Column, Decoder, SchemaField, member_of, schema_field
)
from example_values cimport Values, append_end, append_list, has_room, is_wanted, values_of
from frame cimport OK
from wire cimport WIRE_BYTES, Fault, Field, Wire, next_field

cdef struct Feature:
    int kind  # the member of the oneof that is set; 0: none yet
    const uint8_t *kind_at
    int64_t n, data_size  # the values and bytes that the column had before


cdef inline bint append_feature(const Decoder *self, Values *values, Feature *feature, int kind,
                                Wire message, Fault *fault) noexcept nogil:
    """Append the values of a Feature; they merge with those that came before."""
    cdef Field member
    cdef int number
    while next_field(&message, &member, fault):
        number = member.tag >> 3
        if member.tag & 7 != WIRE_BYTES or not BYTES <= number <= INT64:
            continue
        if number != feature.kind:
            feature.kind = number
            feature.kind_at = member.at
            values.n, values.data_size = feature.n, feature.data_size
        if number == member_of(kind) and not append_list(self, values, kind, member.body, fault):
            return False
    return fault.code == OK


cdef inline bint append_steps(const Decoder *self, Values *values, const SchemaField *schema,
                              Wire list, const uint8_t *record, Fault *fault) noexcept nogil:
    """Append the steps of a FeatureList. For a column of steps their values are only counted."""
    cdef bint count = schema.form == STEPS
    cdef int kind = SPANS if count and schema.kind == BYTES else schema.kind
    cdef Values counted
    cdef Values *into = &counted if count else values
    cdef Feature feature
    cdef Field step
    while next_field(&list, &step, fault):
        if step.tag != (1 << 3 | WIRE_BYTES):
            continue
        counted = Values(0, 0, NULL, NULL, 0, 0, 0)
        feature = Feature(0, NULL, into.n, into.data_size)
        if (not append_feature(self, into, &feature, kind, step.body, fault)
                or not is_wanted(schema, feature.kind, feature.kind_at, into.n - feature.n, record,
                                 fault)):
            return False
        if count:
            append_end(values, counted.n)
    return fault.code == OK


cdef inline bint decode_entry(Decoder *self, int64_t i, Wire record, Fault *fault) noexcept nogil:
    cdef SchemaField schema = schema_field(self.schema, i)
    cdef Column *column = &self.columns[i]
    cdef Values values = values_of(self, column, &schema)
    cdef Feature feature = Feature(0, NULL, 0, 0)
    cdef bint good
    cdef const uint8_t *at
    cdef Wire entry
    cdef Field value
    if column.entry >= 0:
        at = self.buffer + column.entry
        entry = Wire(at, at + column.entry_size)
        while next_field(&entry, &value, fault):
            if value.tag != (2 << 3 | WIRE_BYTES):
                continue
            if schema.form >= LIST:
                good = append_steps(self, &values, &schema, value.body, record.at, fault)
            else:
                good = append_feature(self, &values, &feature, schema.kind, value.body, fault)
            if not good:
                return False
        if fault.code != OK:
            return False
    if schema.form < LIST and not is_wanted(&schema, feature.kind, feature.kind_at, values.n,
                                            record.at, fault):
        return False
    return has_room(self, i, &values, record.at, fault)
