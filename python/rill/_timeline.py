"""The statistics of a step as a page of Chrome's trace viewer."""

import json
import re


def _parsed(label):
    """(name, op, inputs) of "name = Op(input, input)"."""
    found = re.match(r"(.*) = (.*)\((.*)\)", label)
    if found is None:
        return label, label.partition(":")[2] or label, []
    name, op, inputs = found.groups()
    return name, op, [] if inputs == "" else inputs.split(", ")


class Timeline:
    """What ran when and where in one step: Timeline(run_metadata.step_stats)."""

    def __init__(self, step_stats, graph=None):
        self._step_stats = step_stats
        self._graph = graph

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False, op_time="schedule"):
        """JSON for chrome://tracing; `show_dataflow` draws arrows from who makes a tensor to who reads it."""
        if show_memory:
            raise NotImplementedError("Timeline with show_memory: steps do not record when memory is freed")
        if op_time not in ("schedule", "all"):
            raise NotImplementedError(f"Timeline with op_time={op_time!r}")
        events, ends, reads = [], {}, []
        for pid, device in enumerate(self._step_stats.dev_stats):
            events.append({"name": "process_name", "ph": "M", "pid": pid,
                           "args": {"name": f"{device.device} Compute"}})
            free_from = []  # of every row: when its last op ended
            for node in sorted(device.node_stats, key=lambda node: node.all_start_micros):
                begin, length = node.all_start_micros, max(node.all_end_rel_micros, 1)
                row = next((i for i, end in enumerate(free_from) if end <= begin), len(free_from))
                free_from[row:row + 1] = [begin + length]
                name, op, inputs = _parsed(node.timeline_label or node.node_name)
                args = {"name": node.node_name or name, "op": op}
                args.update({f"input{i}": text for i, text in enumerate(inputs)})
                events.append({"ph": "X", "cat": "Op", "name": op, "pid": pid, "tid": row, "ts": begin,
                               "dur": length, "args": args})
                ends[args["name"]] = pid, row, begin + length
                reads += [(text.lstrip("^").partition(":")[0], pid, row, begin) for text in inputs]
        if show_dataflow:
            events += self._arrows(ends, reads)
        return json.dumps({"traceEvents": events}, indent=4, separators=(",", ": "))

    @staticmethod
    def _arrows(ends, reads):
        for number, (source, pid, row, time) in enumerate(reads):
            if source in ends:
                from_pid, from_row, end = ends[source]
                yield {"ph": "s", "cat": "DataFlow", "name": source, "id": number, "pid": from_pid,
                       "tid": from_row, "ts": end}
                yield {"ph": "t", "cat": "DataFlow", "name": source, "id": number, "pid": pid, "tid": row,
                       "ts": time}
