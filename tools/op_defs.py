"""OpDefs in the words of tests/facts/tf1_ops.tsv, and what TensorFlow 2.15 says otherwise.

  op_defs.py    writes tests/facts/tf215_differences.tsv anew, with TensorFlow 2.15's Python
"""
import csv
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests" / "facts"
DIFFERENCES = FACTS / "tf215_differences.tsv"
PARTS = ("inputs", "outputs", "attrs", "flags")

_FLAGS = (("is_stateful", "stateful"), ("is_commutative", "commutative"),
          ("is_aggregate", "aggregate"),
          ("allows_uninitialized_input", "allows_uninitialized_input"))


def _type_name(number):
    from tensorflow.core.framework import types_pb2
    return types_pb2.DataType.Name(number)[len("DT_"):].lower()


def _quoted(data):
    text = data.decode("utf-8", "backslashreplace")
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def _shape(shape):
    return "?" if shape.unknown_rank else "[%s]" % ",".join(str(d.size) for d in shape.dim)


def _tensor(tensor):
    import tensorflow as tf
    array = tf.make_ndarray(tensor)
    return "tensor(%s%s: %s)" % (_type_name(tensor.dtype), str(list(array.shape)),
                                 " ".join(str(v) for v in array.ravel()))


def _value(value, kind):
    if kind.startswith("list("):
        inner = kind[len("list("):-1]
        field = {"string": "s", "int": "i", "float": "f", "bool": "b", "type": "type",
                 "shape": "shape", "tensor": "tensor", "func": "func"}[inner]
        return "[%s]" % ",".join(_scalar(item, inner) for item in getattr(value.list, field))
    field = {"string": "s", "int": "i", "float": "f", "bool": "b"}.get(kind, kind)
    return _scalar(getattr(value, field), kind)


def _scalar(item, kind):
    formats = {"string": _quoted, "int": str, "float": lambda f: "%g" % f,
               "bool": lambda b: "true" if b else "false", "type": _type_name, "shape": _shape,
               "tensor": _tensor, "func": lambda f: f.name}
    return formats[kind](item)


def _allowed(attr):
    values = attr.allowed_values.list
    items = [_type_name(t) for t in values.type] + [_quoted(s) for s in values.s]
    return " {%s}" % ",".join(sorted(items)) if items else ""


def _attr(attr):
    text = "%s:%s" % (attr.name, attr.type)
    if attr.has_minimum:
        text += ">=%d" % attr.minimum
    if attr.HasField("default_value"):
        text += "=" + _value(attr.default_value, attr.type)
    return text + _allowed(attr)


def _arg(arg):
    kind = arg.type_list_attr or arg.type_attr or _type_name(arg.type)
    if arg.number_attr:
        kind = "%s*%s" % (arg.number_attr, kind)
    return "%s:%s" % (arg.name, "Ref(%s)" % kind if arg.is_ref else kind)


def describe(op_def):
    """An OpDef as {part: text}."""
    return {"inputs": "; ".join(map(_arg, op_def.input_arg)),
            "outputs": "; ".join(map(_arg, op_def.output_arg)),
            "attrs": "; ".join(map(_attr, op_def.attr)),
            "flags": ",".join(word for field, word in _FLAGS if getattr(op_def, field))}


def _sort_sets(text):
    return re.sub(r" \{([^}]*)\}",
                  lambda m: " {%s}" % ",".join(sorted(m.group(1).split(","))), text)


def _table_parts(row):
    note = row["note"]
    attrs = note[len("stock: "):] if note.startswith("stock: ") else row["attrs"]
    return {"inputs": row["inputs"], "outputs": row["outputs"], "attrs": _sort_sets(attrs),
            "flags": row["flags"]}


def read_table():
    """TensorFlow 1.15's ops, those of tf.contrib too, as {name: {part: text}}."""
    ops = {}
    for name in ("tf1_ops.tsv", "tf1_contrib_ops.tsv"):
        with (FACTS / name).open(newline="") as table:
            rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
            ops.update((row["op"], _table_parts(row)) for row in rows)
    return ops


def read_differences():
    """The (op, part) pairs in which TensorFlow 2.15 is not 1.15; part "all": it has no such op."""
    with DIFFERENCES.open(newline="") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["op"], row["part"]) for row in rows}


def oracle_op_defs():
    """Every op of the TensorFlow that this Python has, as {name: OpDef}."""
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.client import pywrap_tf_session
    buffer = pywrap_tf_session.TF_GetAllOpList()
    ops = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(buffer))
    pywrap_tf_session.TF_DeleteBuffer(buffer)
    return {op.name: op for op in ops.op}


def main():
    oracle = oracle_op_defs()
    rows = []
    for name, old in sorted(read_table().items()):
        if name not in oracle:
            rows.append((name, "all", "", ""))
            continue
        new = describe(oracle[name])
        rows += [(name, part, old[part], new[part]) for part in PARTS if old[part] != new[part]]
    with DIFFERENCES.open("w") as table:
        table.write("op\tpart\ttf_1_15\ttf_2_15\n")
        table.writelines("\t".join(row) + "\n" for row in rows)
    print(f"{len(rows)} differences written")


if __name__ == "__main__":
    main()
