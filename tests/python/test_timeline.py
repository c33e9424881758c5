"""Timelines of steps for Chrome's trace viewer: the events of a step told by hand, one by one."""
import json

import pytest

import rill as tf

CPU, STREAM = "/job:localhost/replica:0/task:0/device:CPU:0", "/job:localhost/replica:0/task:0/device:GPU:0/stream:all"


def step_stats():
    """Two nodes that overlap, one that reads through a receive, an odd label, and a kernel on a stream."""
    step = tf.RunMetadata().step_stats

    def add(device, name, label, start, end, sizes=(), allocator="cpu"):
        node = device.node_stats.add(node_name=name, timeline_label=label, all_start_micros=start, all_end_rel_micros=end)
        for slot, size in enumerate(sizes):
            description = node.output.add(slot=slot).tensor_description
            description.dtype = 1
            description.shape.dim.add(size=size)
            description.allocation_description.requested_bytes = 4 * size
            description.allocation_description.allocator_name = allocator
    cpu, stream = step.dev_stats.add(device=CPU), step.dev_stats.add(device=STREAM)
    add(cpu, "a", "[cpu 1.0MB 1.0MB] a = Const()", 100, 11, [3])
    add(cpu, "b", "b = Add(a, a:0, ^c)", 105, 21, [3])
    add(cpu, "c/_5", "c = Foo(b/_7, d:1)", 150, 6)
    add(cpu, "RecvTensor", "[1KB] of somebody", 160, 8)
    add(cpu, "odd", "no label", 170, 3, [1, 2])
    add(stream, "a:Const@@kernel", "", 100, 11, [3], "gpu")
    return step


def events(**options):
    from tensorflow.python.client import timeline
    return json.loads(timeline.Timeline(step_stats()).generate_chrome_trace_format(**options))["traceEvents"]


def test_processes_and_regions():
    assert [(e["pid"], e["args"]["name"]) for e in events() if e["ph"] == "M"] == [
        (0, "Allocators"), (1, f"{CPU} Compute"), (2, f"{CPU} Tensors"), (3, f"{STREAM} Compute"), (4, f"{STREAM} Tensors")]
    shown = [e for e in events() if e["ph"] == "X"]
    assert [(e["pid"], e["tid"], e["name"], e["ts"], e["dur"]) for e in shown] == [
        (1, 0, "Const", 100, 11), (1, 1, "Add", 105, 21), (1, 0, "Foo", 150, 6), (1, 0, "RecvTensor", 160, 8),
        (1, 0, "unknown", 170, 3), (3, 0, "Const@@kernel", 100, 11)]
    assert shown[1]["args"] == {"name": "b", "op": "Add", "input0": "a", "input1": "a:0", "input2": "^c"}
    assert list(shown[0]) == ["ph", "cat", "name", "pid", "tid", "ts", "dur", "args"]


def test_arrows_join_rows():
    arrows = [(e["ph"], e["id"], e["name"], e["tid"], e["ts"]) for e in events() if e["ph"] in "st"]
    assert arrows == [("s", 0, "a", 0, 111), ("t", 0, "a", 1, 105), ("s", 1, "b", 1, 126), ("t", 1, "b", 0, 150)]
    assert not [e for e in events(show_dataflow=False) if e["ph"] in "st"]


def test_tensors_and_counters():
    shown = events(show_dataflow=False, show_memory=True)
    assert [(e["name"], e["id"], e["ts"]) for e in shown if e["ph"] == "N"] == [
        ("a", 0, 100), ("b", 1, 105), ("odd", 2, 170), ("odd:1", 3, 170), ("a:Const@@kernel", 4, 100)]
    assert [(e["name"], e["ts"]) for e in shown if e["ph"] == "D"] == [
        ("a", 125), ("b", 155), ("odd", 173), ("odd:1", 173), ("a:Const@@kernel", 111)]
    assert [(e["name"], e["ts"], e["args"][e["name"]]) for e in shown if e["ph"] == "C"] == [
        ("cpu", 100, 12), ("cpu", 105, 24), ("cpu", 125, 12), ("cpu", 155, 0), ("cpu", 170, 4), ("cpu", 170, 12),
        ("cpu", 173, 4), ("cpu", 173, 0), ("gpu", 100, 12), ("gpu", 111, 0)]
    shot = next(e for e in shown if e["ph"] == "O")
    assert shot["ts"] == 110 and shot["args"]["snapshot"]["tensor_description"] == (
        "dtype: DT_FLOAT\nshape {\n  dim {\n    size: 3\n  }\n}\n"
        "allocation_description {\n  requested_bytes: 12\n  allocator_name: cpu\n}\n")


def test_the_most_memory_and_the_form_of_the_text():
    from tensorflow.python.client import timeline
    line = timeline.Timeline(step_stats())
    largest = line.analyze_step_stats().allocator_maximums
    assert largest == {"cpu": (105, 24, {"a", "b"}), "gpu": (100, 12, {"a:Const@@kernel"})}
    text = line.generate_chrome_trace_format(show_memory=True)
    assert text == json.dumps(json.loads(text), indent=4, separators=(",", ": "))
    with pytest.raises(NotImplementedError, match="gpu"):
        line.generate_chrome_trace_format(op_time="gpu")
