"""What was measured, as a table of ratios and as JSON."""
import dataclasses
import math

NEAR_PEAK, EQUAL_AT_PEAK = 0.85, 1.05  # a rival this near the machine's peak is equalled at this ratio
UNITS = {"s": (("s", 1), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)), "MiB": (("MiB", 1),), "MB": (("MB", 1),)}


@dataclasses.dataclass
class Row:
    group: object
    workload: object
    values: dict  # framework: best decile, None where it does not run
    shapes: dict  # framework: of its result

    def rival(self):
        """The better one's value."""
        return min((v for f, v in self.values.items() if f in self.group.rivals and v), default=None)

    def ratio(self):
        ours, rival = self.values.get("rill"), self.rival()
        return ours / rival if ours and rival else None

    def wanted(self, peaks):
        """The ratio that is good enough."""
        if self.workload.wanted:
            return self.workload.wanted
        rival = self.rival()
        if peaks and rival and peaks.shortest(self.workload) >= NEAR_PEAK * rival:
            return max(self.group.wanted, EQUAL_AT_PEAK)
        return self.group.wanted

    def is_slow(self, peaks):
        ours, most = self.values.get("rill"), self.workload.most
        too_much = round(self.ratio() or 0, 2) > self.wanted(peaks)  # as it is printed
        return ours is None or too_much or (most is not None and ours > most)

    def shapes_differ(self):
        return len({tuple(shape) for shape in self.shapes.values() if shape is not None}) > 1


def best_decile(samples):
    known = sorted(value for value in samples if value is not None)
    return known[len(known) // 10] if known else None


def geometric_mean(ratios):
    known = [ratio for ratio in ratios if ratio]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else None


def human(value, unit):
    if value is None:
        return "-"
    name, size = next(((n, s) for n, s in UNITS[unit] if value >= s), UNITS[unit][-1])
    return f"{value / size:.2f} {name}"


def print_group(group, rows, peaks):
    print(f"\n{group.name}: {group.doc}")
    print(f"  {'':34}" + "".join(f"{framework:>14}" for framework in group.frameworks) + f"{'ratio':>8}")
    for row in rows:
        cells = "".join(f"{human(row.values.get(f), group.unit):>14}" for f in group.frameworks)
        ratio = "-" if row.ratio() is None else f"{row.ratio():.2f}"
        mark = (" *" if row.is_slow(peaks) else "") + (" shapes differ" if row.shapes_differ() else "")
        print(f"  {row.workload.name:34}{cells}{ratio:>8}{mark}")
    mean = geometric_mean(row.ratio() for row in rows)
    if mean is not None:
        aim = f", {'at most' if mean <= group.mean else 'above'} {group.mean}" if group.mean else ""
        print(f"  {'geometric mean':34}{'':{14 * len(group.frameworks)}}{mean:8.2f}{aim}")


def print_refusals(workers):
    for worker in workers:
        for variable, value in worker.limits.items():
            print(f"  {worker.framework} ended with an illegal instruction or the like; it went on with {variable}={value}")
        for name, reason in worker.refused.items():
            if "nothing that does the same" not in reason:
                print(f"  {worker.framework} does not run {name}: {reason}")


def print_summary(rows, peaks):
    compared = [row for row in rows if row.ratio() is not None]
    slow = [row for row in rows if row.is_slow(peaks)]
    timed = geometric_mean(row.ratio() for row in compared if row.group.unit == "s")
    mean = "" if timed is None else f"; the geometric mean of all times is {timed:.2f}"
    print(f"\n{len(compared)} workloads beside rivals, {len(slow)} above what is wanted (*){mean}.")


def as_json(rows, about):
    groups = {}
    for row in rows:
        group = groups.setdefault(row.group.name, {"unit": row.group.unit, "rivals": row.group.rivals, "rows": {}})
        group["rows"][row.workload.name] = {**row.values, "ratio": row.ratio()}
    for group in groups.values():
        group["geometric_mean"] = geometric_mean(row["ratio"] for row in group["rows"].values())
    return {"about": about, "groups": groups}
