"""The messages of tf.train.Example for protobuf, the oracle, made without generated code."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_FIELD = descriptor_pb2.FieldDescriptorProto
_REPEATED = _FIELD.LABEL_REPEATED


def _make(real: int) -> list[Any]:
    file = descriptor_pb2.FileDescriptorProto(
        name="cookbook_test/example.proto", package="cookbook_test", syntax="proto3"
    )

    def message(name: str, *fields: dict[str, Any]) -> Any:
        made = file.message_type.add(name=name)
        for field in fields:
            made.field.add(**{"label": _FIELD.LABEL_OPTIONAL, **field})
        return made

    def nested(name: str, number: int, kind: str, **more: Any) -> dict[str, Any]:
        type_name = f".cookbook_test.{kind}"
        return {
            "name": name,
            "number": number,
            "type": _FIELD.TYPE_MESSAGE,
            "type_name": type_name,
            **more,
        }

    def map_of(name: str, field: str, kind: str) -> None:
        entry_name = "".join(map(str.capitalize, field.split("_"))) + "Entry"
        made = message(name, nested(field, 1, f"{name}.{entry_name}", label=_REPEATED))
        entry = made.nested_type.add(name=entry_name)
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, type=_FIELD.TYPE_STRING, label=_FIELD.LABEL_OPTIONAL)
        entry.field.add(**{"label": _FIELD.LABEL_OPTIONAL, **nested("value", 2, kind)})

    def values(kind: int) -> dict[str, Any]:
        return {"name": "value", "number": 1, "type": kind, "label": _REPEATED}

    message("BytesList", values(_FIELD.TYPE_BYTES))
    message("FloatList", values(real))
    message("Int64List", values(_FIELD.TYPE_INT64))
    feature = message(
        "Feature",
        nested("bytes_list", 1, "BytesList", oneof_index=0),
        nested("float_list", 2, "FloatList", oneof_index=0),
        nested("int64_list", 3, "Int64List", oneof_index=0),
    )
    feature.oneof_decl.add(name="kind")
    map_of("Features", "feature", "Feature")
    message("Example", nested("features", 1, "Features"))
    message("FeatureList", nested("feature", 1, "Feature", label=_REPEATED))
    map_of("FeatureLists", "feature_list", "FeatureList")
    message(
        "SequenceExample",
        nested("context", 1, "Features"),
        nested("feature_lists", 2, "FeatureLists"),
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    names = ("Example", "SequenceExample", "Feature", "FeatureList")
    types = [pool.FindMessageTypeByName(f"cookbook_test.{name}") for name in names]
    return [message_factory.GetMessageClass(type) for type in types]


Example, SequenceExample, Feature, FeatureList = _make(_FIELD.TYPE_FLOAT)
BitsExample, BitsSequenceExample, *_ = _make(_FIELD.TYPE_FIXED32)
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
