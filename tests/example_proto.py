"""tf.train.Example for protobuf, the oracle: the message classes, made without generated code."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_FIELD = descriptor_pb2.FieldDescriptorProto
_REPEATED = _FIELD.LABEL_REPEATED


def _make() -> Any:
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

    def values(kind: int) -> dict[str, Any]:
        return {"name": "value", "number": 1, "type": kind, "label": _REPEATED}

    message("BytesList", values(_FIELD.TYPE_BYTES))
    message("FloatList", values(_FIELD.TYPE_FLOAT))
    message("Int64List", values(_FIELD.TYPE_INT64))
    feature = message(
        "Feature",
        nested("bytes_list", 1, "BytesList", oneof_index=0),
        nested("float_list", 2, "FloatList", oneof_index=0),
        nested("int64_list", 3, "Int64List", oneof_index=0),
    )
    feature.oneof_decl.add(name="kind")
    features = message("Features", nested("feature", 1, "Features.FeatureEntry", label=_REPEATED))
    entry = features.nested_type.add(name="FeatureEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=_FIELD.TYPE_STRING, label=_FIELD.LABEL_OPTIONAL)
    entry.field.add(**{"label": _FIELD.LABEL_OPTIONAL, **nested("value", 2, "Feature")})
    message("Example", nested("features", 1, "Features"))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("cookbook_test.Example"))


Example = _make()


def features(data: bytes) -> dict[str, tuple[str, list[Any]]]:
    """name -> (kind, values) of a serialised Example; kind is "" when none is set."""
    kinds = {"bytes_list": "bytes", "float_list": "float32", "int64_list": "int64", None: ""}
    found = {}
    for name, feature in Example.FromString(data).features.feature.items():
        which = feature.WhichOneof("kind")
        found[name] = (kinds[which], list(getattr(feature, which).value) if which else [])
    return found
