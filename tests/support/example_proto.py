"""The messages of tf.train.Example for protobuf, the oracle, made without generated code."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_FIELD = descriptor_pb2.FieldDescriptorProto


def _make(real: str) -> list[Any]:
    file = descriptor_pb2.FileDescriptorProto(name="example.proto", package="tf", syntax="proto3")

    def add(message: Any, field: str, type: str, number: int = 1, repeated: bool = False) -> Any:
        label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
        made = message.field.add(name=field, number=number, label=label)
        if type.isupper():
            made.type = _FIELD.Type.Value(f"TYPE_{type}")
        else:
            made.type, made.type_name = _FIELD.TYPE_MESSAGE, f".tf.{type}"
        return made

    def add_map(name: str, field: str, entry_name: str, type: str) -> None:
        message = file.message_type.add(name=name)
        add(message, field, f"{name}.{entry_name}", repeated=True)
        entry = message.nested_type.add(name=entry_name)
        entry.options.map_entry = True
        add(entry, "key", "STRING")
        add(entry, "value", type, 2)

    feature = file.message_type.add(name="Feature")
    feature.oneof_decl.add(name="kind")
    for number, (kind, type) in enumerate(
        [("Bytes", "BYTES"), ("Float", real), ("Int64", "INT64")], 1
    ):
        add(file.message_type.add(name=f"{kind}List"), "value", type, repeated=True)
        add(feature, f"{kind.lower()}_list", f"{kind}List", number).oneof_index = 0
    add_map("Features", "feature", "FeatureEntry", "Feature")
    add_map("FeatureLists", "feature_list", "FeatureListEntry", "FeatureList")
    add(file.message_type.add(name="FeatureList"), "feature", "Feature", repeated=True)
    add(file.message_type.add(name="Example"), "features", "Features")
    sequence = file.message_type.add(name="SequenceExample")
    add(sequence, "context", "Features")
    add(sequence, "feature_lists", "FeatureLists", 2)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    names = ("Example", "SequenceExample", "Feature", "FeatureList")
    return [message_factory.GetMessageClass(pool.FindMessageTypeByName(f"tf.{it}")) for it in names]


Example, SequenceExample, Feature, FeatureList = _make("FLOAT")
BitsExample, BitsSequenceExample, *_ = _make("FIXED32")
"""The same on the wire, but floats are their bits: Python's lose the payload of a NaN."""

_KINDS = {"bytes_list": "bytes", "float_list": "float32", "int64_list": "int64", None: ""}


def features(data: bytes, message: Any = Example) -> dict[str, tuple[str, list[Any]]]:
    """Map each name of a serialised Example to its kind and values; the kind is "" for no value."""
    found = message.FromString(data).features.feature
    return {name: _values(feature) for name, feature in found.items()}


def feature_lists(
    data: bytes, message: Any = SequenceExample
) -> dict[str, list[tuple[str, list[Any]]]]:
    """Map each name of a serialised SequenceExample to its steps, each a kind and values."""
    found = message.FromString(data).feature_lists.feature_list
    return {name: [_values(step) for step in steps.feature] for name, steps in found.items()}


def _values(feature: Any) -> tuple[str, list[Any]]:
    which = feature.WhichOneof("kind")
    return _KINDS[which], list(getattr(feature, which).value) if which else []


def has_nan(data: bytes) -> bool:
    """Return True if a value is a NaN, whose payload protobuf loses through Python's floats."""
    lists = feature_lists(data).values()
    found = [*features(data).values(), *(step for steps in lists for step in steps)]
    return any(value != value for _, values in found for value in values)
