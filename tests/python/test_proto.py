"""The descriptors hold what the fact tables say, and the classes behave as generated ones do."""

import importlib
import pathlib
import pickle
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python/compat"), str(ROOT / "tools")]

import protogen  # noqa: E402
from rill import _compat_protos, proto  # noqa: E402

ROWS = list(protogen.read_rows([*protogen.TENSORFLOW_TABLES, protogen.LATER_TABLE]))  # KServe's messages are for C++ alone
MESSAGES = {row.full_scope: row for row in ROWS if row.type == "message"}
ENUMS = {row.full_scope: row for row in ROWS if row.type == "enum"}
SERVICES = {row.full_scope: row for row in ROWS if row.type == "service"}
FIELDS = [row for row in ROWS if row.full_scope in MESSAGES and row.name]
VALUES = [row for row in ROWS if row.type == "enum value"]
RPCS = [row for row in ROWS if row.type.startswith("rpc ")]


def descriptor(row):
    """The descriptor of the message or enum that `row` is about or belongs to."""
    file = proto.module(row.file).DESCRIPTOR
    found, *nested = row.scope.split(".")
    scope = file.message_types_by_name.get(found) or file.enum_types_by_name[found]
    for name in nested:
        scope = scope.nested_types_by_name.get(name) or scope.enum_types_by_name[name]
    return scope


def field(row):
    return descriptor(row).fields_by_name[row.name]


def is_map(found):
    return bool(found.message_type and found.message_type.GetOptions().map_entry)


def is_repeated(found):
    if hasattr(found, "is_repeated"):  # newer protobuf has no label
        return found.is_repeated
    return found.label == found.LABEL_REPEATED


def type_names(found):
    """The names that a table may give to the type of a field."""
    if found.message_type or found.enum_type:
        parts = (found.message_type or found.enum_type).full_name.split(".")
        return {".".join(parts[start:]) for start in range(len(parts))}
    scalar_types = {getattr(found, "TYPE_" + name.upper()): name for name in protogen.SCALARS}
    return {scalar_types[found.type]}


def test_the_committed_files_are_current():
    committed = {path: (protogen.OUTPUT / path).read_text() for path in protogen.generate()}
    assert committed == protogen.generate()


def test_the_tables_were_read_whole():
    assert (len(MESSAGES), len(ENUMS), len(SERVICES)) == (431, 30, 9)
    assert (len(FIELDS), len(VALUES), len(RPCS)) == (1538, 170, 49)


@pytest.mark.parametrize("row", MESSAGES.values(), ids=MESSAGES.keys())
def test_message(row):
    found = descriptor(row)
    rows = [other for other in FIELDS if other.full_scope == row.full_scope]
    assert found.full_name == row.full_scope
    assert {f.name for f in found.fields} == {r.name for r in rows}


def test_field_numbers():
    assert [str(field(row).number) for row in FIELDS] == [row.number for row in FIELDS]


@pytest.mark.parametrize("row", FIELDS, ids=lambda row: row.full_name)
def test_field_type(row):
    found = field(row)
    wanted = [name.lstrip(".") for name in row.referenced_types()]
    assert is_map(found) == row.type.startswith("map<")
    if is_map(found):
        entry = found.message_type.fields_by_name
        assert wanted[0] in type_names(entry["key"]) and wanted[1] in type_names(entry["value"])
    else:
        assert wanted[0] in type_names(found)
        assert bool(found.enum_type) == ("enum" in row.notes)
        assert is_repeated(found) == row.type.startswith("repeated ")


@pytest.mark.parametrize("row", FIELDS, ids=lambda row: row.full_name)
def test_field_presence_and_options(row):
    found = field(row)
    oneof = found.containing_oneof.name if found.containing_oneof else None
    explicit = row.type.startswith("optional (explicit) ")
    assert oneof == (f"_{row.name}" if explicit else row.oneof)
    options = found.GetOptions()
    assert options.deprecated == ("deprecated=true" in row.notes)
    assert options.HasField("packed") == ("packed=true" in row.notes)


@pytest.mark.parametrize("row", ENUMS.values(), ids=ENUMS.keys())
def test_enum(row):
    rows = [other for other in VALUES if other.full_scope == row.full_scope]
    assert [(v.name, str(v.number)) for v in descriptor(row).values] == [
        (r.name, r.number) for r in rows]


@pytest.mark.parametrize("row", RPCS, ids=lambda row: row.full_name)
def test_rpc(row):
    service = proto.module(row.file).DESCRIPTOR.services_by_name[row.scope]
    method = service.methods_by_name[row.name]
    request, response = row.referenced_types()
    assert (method.input_type.name, method.output_type.name) == (request, response)
    if hasattr(method, "client_streaming"):
        streaming = row.notes == ["bidirectional streaming"]
        assert (method.client_streaming, method.server_streaming) == (streaming, streaming)


def test_a_module_has_what_protoc_would_generate():
    types = proto.module("tensorflow/core/framework/types.proto")
    assert types.DT_FLOAT == 1 and types.DataType.Name(101) == "DT_FLOAT_REF"
    assert types.DESCRIPTOR.name == "tensorflow/core/framework/types.proto"
    config = proto.module("tensorflow/core/protobuf/config.proto")
    assert config.RunOptions.FULL_TRACE == config.RunOptions.TraceLevel.Value("FULL_TRACE")
    assert config.ConfigProto.Experimental(executor_type="x").executor_type == "x"
    with pytest.raises(KeyError, match="no such proto file: a.proto"):
        proto.module("a.proto")


def test_compat_imports():
    from tensorflow.core.framework import graph_pb2
    import tensorflow.core.framework.node_def_pb2 as node_def_pb2
    from tensorflow_serving.apis import predict_pb2
    from google.protobuf import any_pb2

    graph = graph_pb2.GraphDef(node=[node_def_pb2.NodeDef(name="x", op="NoOp")])
    assert graph_pb2.GraphDef.FromString(graph.SerializeToString()).node[0].op == "NoOp"
    assert graph_pb2.GraphDef is proto.module("tensorflow/core/framework/graph.proto").GraphDef
    assert predict_pb2.PredictRequest(model_spec={"name": "m"}).model_spec.name == "m"
    importlib.import_module("tensorflow.core.protobuf.meta_graph_pb2").CollectionDef(
        any_list={"value": [any_pb2.Any(type_url="u")]})


def test_messages_can_be_pickled():
    _compat_protos.install()
    attr = importlib.import_module("tensorflow.core.framework.attr_value_pb2").AttrValue
    value = attr(list=attr.ListValue(i=[1, 2]))
    assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(value.list)) == value.list


def test_unknown_imports_fail_as_usual():
    _compat_protos.install()
    with pytest.raises(ModuleNotFoundError, match="tensorflow.core.framework.nothing_pb2"):
        importlib.import_module("tensorflow.core.framework.nothing_pb2")
