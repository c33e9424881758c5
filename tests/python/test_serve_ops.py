"""Every op that can reach for files, the network or the process is one that models may not simply run.

Which ops those are is found in the sources: what their kernels include, and what is behind that.
"""
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPS = ROOT / "rill/ops"
# Headers and functions of whoever reaches out.
ACCESS_HEADERS = {"rill/base/file_system.h", "rill/base/files.h", "rill/base/mapped_file.h", "rill/kernel/host_functions.h"}
CALLS = re.compile(r"\b(fopen|popen|dlopen|fork|execv\w*|std::system|std::exit|std::abort|abort|sqlite3_open\w*|"
                   r"mdb_env_open|socket|grpc_\w*channel_create\w*|std::[io]?fstream)\s*\(|#include <grpc")
# Kernels that have neighbours which reach out, and do not do it themselves: writers and readers are made by ops that
# are refused.
HARMLESS = re.compile(
    r"(AnonymousMemoryCache|DeleteMemoryCache|(Experimental)?DatasetCardinality|Copy|CopyHost|Sharded(Filename|Filespec)|"
    r"Assert|Print|Timestamp|InitializeTable(V2)?|LookupTable\w+|DecodeCompressed|DecodeJSONExample|ParseTensor|"
    r"SerializeTensor|Decode(Padded)?Raw|(All|Learned\w+|LogUniform|ThreadUnsafe\w+|Uniform)CandidateSampler|"
    r"IdentityReader(V2)?|Reader(Num|Read|Reset|Restore|Serialize)\w*|"
    r"(Close|Flush)SummaryWriter|SummaryWriter|ImportEvent|Write\w*Summary)")


@functools.cache
def text(path):
    return (ROOT / path).read_text() if (ROOT / path).exists() else ""


@functools.cache
def included(path):
    return set(re.findall(r'#include "([^"]+)"', text(path)))


@functools.cache
def sources_behind(header):
    """What may define what a header declares: the sources of its folder that include it, but kernels."""
    others = (str(source.relative_to(ROOT)) for source in (ROOT / header).parent.glob("*.cc")
              if not re.search(r"\.(cpu|op|cases)\.cc$|_(test|fuzz|bench)\.cc$", source.name))
    return [source for source in others if header in included(source)]


def reaches_out(kernels):
    seen, left = set(), [kernels]
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        if included(path) & ACCESS_HEADERS or CALLS.search(text(path)):
            return True
        for header in included(path):
            if header.startswith(("rill/ops/", "rill/io/")):
                left += [header, *sources_behind(header)]
    return False


def op_names():
    """Wire names by the constants that declare ops."""
    declared = re.compile(r'OpDecl\s+(k\w+)\s*(?:\{\s*\.name = |=\s*\w+\(\s*[\w:]+,\s*)"([^"]+)"')
    return {name: wire for source in OPS.rglob("*.op.cc") for name, wire in declared.findall(source.read_text())}


def test_no_op_is_forgotten():
    names = op_names()
    assert len(names) > 1000
    listed = set(re.findall(r'"(\w+)"', text("rill/serve/model/op_policy.cc")))
    found, forgotten = set(), set()
    for source in OPS.rglob("*.cpu.cc"):
        if reaches_out(str(source.relative_to(ROOT))):
            ops = {names[name] for name in re.findall(r"\bk[A-Z]\w*", source.read_text()) if name in names}
            found |= ops & listed
            forgotten |= {op for op in ops - listed if not HARMLESS.fullmatch(op)}
    assert not forgotten, forgotten
    assert {"ReadFile", "RestoreV2", "PyFunc", "Rpc", "SqlDataset", "ImmutableConst", "Skipgram"} <= found
