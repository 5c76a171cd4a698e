"""The messages of an Example for protobuf, in which every submessage is bytes.

A record can thus be parsed in steps: parts that are not read are not checked, and entries are seen
before they become a map. If implementations of protobuf differ, `parse` follows docs/records.md.
"""

from __future__ import annotations

import re
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from support import wire

KINDS = {"bytes": "BYTES", "float32": "FIXED32", "int64": "INT64"}  # NaNs keep their payload
_MAX_DEPTH = 64  # of groups
_LONG = re.compile(rb"[\x80-\xff]{5}")  # the start of a varint of more than 5 bytes


def _make() -> dict[str, Any]:
    described = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="lazy.proto", package="lazy", syntax="proto3")

    def message(name: str, *types: str, oneof: bool = False) -> None:
        """Add a message whose fields 1, 2 ... have these types: scalars or messages."""
        made = file.message_type.add(name=name)
        if oneof:
            made.oneof_decl.add(name="kind")
        for number, type in enumerate(types, 1):
            field = made.field.add(name=f"field_{number}", number=number)
            field.label = described.LABEL_OPTIONAL if oneof else described.LABEL_REPEATED
            if oneof:
                field.oneof_index = 0
            if type.isupper():
                field.type = described.Type.Value(f"TYPE_{type}")
            else:
                field.type, field.type_name = described.TYPE_MESSAGE, f".lazy.{type}"

    message("Example", "Map", "BYTES")
    message("SequenceExample", "Map", "Map")
    message("Map", "Entry")
    message("Entry", "BYTES", "BYTES")
    message("FeatureList", "BYTES")
    for i, (kind, scalar) in enumerate(KINDS.items()):
        message(f"list_{kind}", scalar)
        members = ["BYTES"] * i + [f"list_{kind}"] + ["BYTES"] * (2 - i)
        message(f"feature_{kind}", *members, oneof=True)
        message(f"every_{kind}", *members)  # including members that a later one replaces
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    types = {it.name: pool.FindMessageTypeByName(f"lazy.{it.name}") for it in file.message_type}
    return {name: message_factory.GetMessageClass(type) for name, type in types.items()}


MESSAGES = _make()


# ---- parsing ----------------------------------------------------------------------------------


def parse(name: str, data: bytes) -> tuple[Any, bytes]:
    """Return the message and the data it was parsed from, with lengths shortened if necessary."""
    message = MESSAGES[name]
    try:
        found = message.FromString(data)
    except DecodeError:  # also raised for a length of more than 5 bytes
        data = _with_short_lengths(message.DESCRIPTOR, data)
        found = message.FromString(data)
    _check_groups(found)
    return found, data


def _check_groups(message: Any) -> None:
    """Refuse what only protobuf accepts: a field 0 in a group, and groups nested too deeply."""
    for field in UnknownFieldSet(message):
        if field.wire_type == 3:
            _check_group(field.data, 1)
    for descriptor, parts in message.ListFields():
        if descriptor.message_type:
            for part in parts:
                _check_groups(part)


def _check_group(group: Any, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise DecodeError("groups nested too deep")
    for field in group:
        if field.field_number == 0:
            raise DecodeError("field 0 in a group")
        if field.wire_type == 3:
            _check_group(field.data, depth + 1)


def _with_short_lengths(message: Any, data: bytes) -> bytes:
    """Return the message with lengths in as few bytes as possible, up to its first fault."""
    if not _LONG.search(data):
        return data
    out, depth = b"", 0
    for tag, head, content in wire.split(data):
        out += head
        depth += (tag & 7 == 3) - (tag & 7 == 4)
        if content is not None:
            field = None if depth else message.fields_by_number.get(tag >> 3)
            if field and field.message_type:
                content = _with_short_lengths(field.message_type, content)
            out += wire.varint(len(content)) + content
    return out
