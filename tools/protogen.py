#!/usr/bin/env python3
"""Writes rill/proto/**/*.proto from the fact tables in tests/facts.

With --check nothing is written; the exit status says whether the committed files are current.
"""

import argparse
import csv
import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENSORFLOW_TABLES = [ROOT / "tests/facts/tf1_protos.tsv", ROOT / "tests/facts/tf_serving_protos.tsv"]
# Fields that later TensorFlow added, as far as something reads them.
LATER_TABLE = ROOT / "tests/facts/later_protos.tsv"
TABLES = [*TENSORFLOW_TABLES, LATER_TABLE, ROOT / "tests/facts/kserve_protos.tsv"]
OUTPUT = ROOT / "rill/proto"
HEADER = "// Generated from the fact tables in tests/facts by tools/protogen.py; do not edit.\n"

# Regular expressions of files that nothing reads or writes at run time, each with its reason.
SKIPPED_FILES = {
    r"tensorflow/core/protobuf/tpu/.*": "TPUs are not supported",
    r"tensorflow/core/protobuf/conv_autotuning\.proto": "a cache of one vendor's library",
    r"tensorflow/stream_executor/.*": "only conv_autotuning uses it",
    r"tensorflow/core/framework/graph_transfer_info\.proto": "Hexagon DSPs are not supported",
    r"tensorflow/core/framework/remote_fused_graph_execute_info\.proto": "as above",
    r"tensorflow/core/util/test_log\.proto": "a benchmark report of TensorFlow's own tests",
    r".*_test\.proto": "test only",
    r".*/test_util/.*": "test only",
    r".*/tfrt_[a-z_]*\.proto": "configures a runtime that is not this one",
    r"tensorflow_serving/session_bundle/oss/manifest\.proto":
        "same messages as tensorflow/contrib/session_bundle/manifest.proto",
    r"tensorflow_serving/sources/storage_path/file_system_storage_path_source\.proto":
        "an older place of tensorflow_serving/config/file_system_storage_path_source.proto",
}
# Fields that cannot be declared. On the wire they survive as unknown fields.
SKIPPED_FIELDS = {
    "tensorflow.serving.SavedModelConfig.tfrt_runtime_config": "its type is in no table",
    "tensorflow.serving.SessionOverrides.batch_op_rewriter_config": "as above",
    "tensorflow.serving.SessionBundleConfig.in_graph_batching_parameters": "as above",
    "tensorflow.serving.SessionBundleConfig.use_tflite_model": "renamed; number 783 is taken",
}
# Vendor additions are left out: later TensorFlow gave their field numbers other meanings.
SKIPPED_NOTE = "not in stock 1.15.5"
# Messages that travel per step, request, record or node get parsing code of their own; all others
# share protobuf's reflective code, which halves what the C++ compiler has to work through.
FAST_FILES = re.compile(r"""
    tensorflow/core/example/(example|feature)
  | tensorflow/core/framework/(attr_value|function|graph|node_def|summary|tensor|tensor_shape
        |tensor_slice)
  | tensorflow/core/protobuf/(named_tensor|tensor_bundle)
  | tensorflow/core/util/event
  | tensorflow_serving/apis/(classification|input|model|predict|regression)
  | inference/grpc_inference_service
""", re.VERBOSE)

OWN_FOLDERS = ("rill_serving", "rill_cluster")  # messages of our own, which no table has
SCALARS = set("double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 "
              "sfixed64 bool string bytes".split())
FIELD_OPTIONS = ("packed=true", "deprecated=true", "lazy=true")


@dataclasses.dataclass
class Row:
    """One line of a table."""
    file: str
    package: str
    scope: str  # dotted name of the enclosing message, enum or service
    name: str  # field, value or rpc; empty where the row is about the scope itself
    number: str
    type: str
    notes: list

    @property
    def full_scope(self):
        return f"{self.package}.{self.scope}"

    @property
    def full_name(self):
        return f"{self.full_scope}.{self.name}"

    @property
    def oneof(self):
        return self.type.split()[1] if self.type.startswith("oneof ") else None

    def options(self):
        return [note.replace("=", " = ") for note in self.notes if note in FIELD_OPTIONS]

    def referenced_types(self):
        if self.type.startswith("rpc "):
            return self.type[4:].split(" -> ")
        if self.type.startswith("map<"):
            return self.type[4:-1].split(",")
        return [self.type.split()[-1]]


@dataclasses.dataclass
class Scope:
    """A message, enum or service with its rows and nested scopes, in table order."""
    kind: str
    notes: list
    members: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class File:
    package: str
    scopes: dict = dataclasses.field(default_factory=dict)  # dotted name -> Scope

    def top_level(self):
        return [name for name in self.scopes if "." not in name]


def skipped(row):
    if SKIPPED_NOTE in row.notes or row.full_name in SKIPPED_FIELDS:
        return True
    return any(re.fullmatch(pattern, row.file) for pattern in SKIPPED_FILES)


def read_rows(tables=TABLES):
    """All rows of the tables that are not skipped."""
    for table in tables:
        with open(table, newline="") as lines:
            for cells in list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]:
                row = Row(*cells[:6], notes=cells[6].split("; ") if cells[6] else [])
                if not skipped(row):
                    yield row


def build_files(rows):
    files = {}
    for row in rows:
        file = files.setdefault(row.file, File(row.package))
        if row.type in ("message", "enum", "service"):
            file.scopes[row.scope] = Scope(row.type, row.notes)
            parent, _, _ = row.scope.rpartition(".")
            if parent:
                file.scopes[parent].members.append(row.scope)
        else:
            file.scopes[row.scope].members.append(row)
    return files


def home_files(files):
    """Full name of every message, enum and service -> path of its file."""
    return {f"{file.package}.{scope}": path
            for path, file in files.items() for scope in file.scopes}


def well_known_file(name):
    stem = name.rpartition(".")[2]
    return f"google/protobuf/{'wrappers' if stem.endswith('Value') else stem.lower()}.proto"


def home_of(name, scope, homes):
    """The file that declares `name` as seen from `scope`; inner scopes hide outer ones."""
    if name.startswith("google.protobuf."):
        return well_known_file(name)
    if name.startswith("."):
        return homes[name[1:]]
    while scope:
        if f"{scope}.{name}" in homes:
            return homes[f"{scope}.{name}"]
        scope = scope.rpartition(".")[0]
    return homes[name]


def imports_of(path, file, homes):
    imports = set()
    for scope in file.scopes.values():
        for row in scope.members:
            if isinstance(row, Row) and row.type not in ("reserved", "enum value"):
                types = [name for name in row.referenced_types() if name not in SCALARS]
                imports.update(home_of(name, row.full_scope, homes) for name in types)
    return sorted(imports - {path})


def rpc_text(row):
    request, response = row.referenced_types()
    mode = " ".join(row.notes)
    if mode in ("client streaming", "bidirectional streaming"):
        request = f"stream {request}"
    if mode in ("server streaming", "bidirectional streaming"):
        response = f"stream {response}"
    return f"rpc {row.name}({request}) returns ({response});"


def label_and_type(table_type):
    if table_type.startswith("optional (explicit) "):
        return table_type.replace(" (explicit)", "")
    return table_type.removeprefix("optional ")


def member_text(row):
    if row.type == "reserved":
        return f"reserved {'; '.join(row.notes)};"
    if row.type.startswith("rpc "):
        return rpc_text(row)
    options = f" [{', '.join(row.options())}]" if row.options() else ""
    declaration = f"{row.name} = {row.number}{options};"
    if row.type == "enum value":
        return declaration
    if row.oneof:
        return f"{row.referenced_types()[0]} {declaration}"
    return f"{label_and_type(row.type)} {declaration}"


def oneof_lines(group, scope, indent):
    rows = [row for row in scope.members if isinstance(row, Row) and row.oneof == group]
    yield f"{indent}oneof {group} {{"
    yield from (f"{indent}  {member_text(row)}" for row in rows)
    yield f"{indent}}}"


def scope_lines(name, file, indent=""):
    scope = file.scopes[name]
    yield f"{indent}{scope.kind} {name.rpartition('.')[2]} {{"
    if "allow_alias=true" in scope.notes:
        yield f"{indent}  option allow_alias = true;"
    oneofs_written = set()
    for member in scope.members:
        if isinstance(member, str):
            yield from scope_lines(member, file, indent + "  ")
        elif not member.oneof:
            yield f"{indent}  {member_text(member)}"
        elif member.oneof not in oneofs_written:
            oneofs_written.add(member.oneof)
            yield from oneof_lines(member.oneof, scope, indent + "  ")
    yield f"{indent}}}"


def file_text(path, file, homes):
    imports = [f'import "{name}";' for name in imports_of(path, file, homes)]
    parts = [HEADER + 'syntax = "proto3";', f"package {file.package};", "\n".join(imports)]
    if not FAST_FILES.fullmatch(path.removesuffix(".proto")):
        parts.append("option optimize_for = CODE_SIZE;")
    parts += ["\n".join(scope_lines(name, file)) for name in file.top_level()]
    return "\n\n".join(part for part in parts if part) + "\n"


def generate():
    """Path below OUTPUT -> text, for every file."""
    files = build_files(read_rows())
    homes = home_files(files)
    return {path: file_text(path, file, homes) for path, file in sorted(files.items())}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check_only = parser.parse_args().check
    wanted = {OUTPUT / path: text for path, text in generate().items()}
    present = {path: path.read_text() for path in OUTPUT.rglob("*.proto") if path.parent.name not in OWN_FOLDERS}
    if check_only:
        sys.exit(None if wanted == present else "rill/proto is stale; run tools/protogen.py")
    for path in present.keys() - wanted.keys():
        path.unlink()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
