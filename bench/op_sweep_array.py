"""Ops that move, pick and count elements; random numbers."""
import numpy as np

from op_cases import Case, Input
from op_sweep_math import RANDOM, SIDE, between, kind, whole


def below(limit, *shape, dtype=np.int32):
    return Input(RANDOM.integers(0, limit, shape).astype(dtype))


def ordered(limit, count):
    return Input(np.sort(RANDOM.integers(0, limit, count).astype(np.int32)))


def one(name, given, graph):
    return Case(name, {"x": given}, graph, None, 5)


def two(name, x, i, graph):
    return Case(name, {"x": x, "i": i}, graph, None, 5)


def joined(name, op, axis, count, *shape):
    inputs = {f"x{k}": between(-1, 1, *shape) for k in range(count)}
    return Case(name, inputs, lambda r, **x: getattr(r, op)(values=list(x.values()), axis=axis), None, 5)


def transposed(order, *shape):
    return one("Transpose_" + "".join(map(str, order)), between(-1, 1, *shape),
               lambda r, x: r.Transpose(x=x, perm=order))


def segments():
    rows = between(-1, 1, 10_000, 32)
    for op in ("SegmentSum", "SegmentMean", "SegmentMax", "SegmentMin", "SegmentProd"):
        yield two(op, rows, ordered(500, 10_000), lambda r, x, i, op=op: getattr(r, op)(data=x, segment_ids=i))
    for op in ("UnsortedSegmentSum", "UnsortedSegmentMax", "UnsortedSegmentProd"):
        yield two(op, rows, below(500, 10_000),
                  lambda r, x, i, op=op: getattr(r, op)(data=x, segment_ids=i, num_segments=500))
    for op in ("SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"):
        yield Case(op, {"x": rows, "i": below(10_000, 8000), "s": ordered(1000, 8000)},
                   lambda r, x, i, s, op=op: getattr(r, op)(data=x, indices=i, segment_ids=s), None, 5)
    yield two("SegmentSum_of_numbers", between(-1, 1, 200_000), ordered(500, 200_000),
              lambda r, x, i: r.SegmentSum(data=x, segment_ids=i))


def moves():
    image = between(-1, 1, 200, 200, 3)
    yield from (transposed(*turn) for turn in (
        ([0, 2, 1], 64, 64, 64), ([1, 0, 2], 64, 64, 64), ([2, 1, 0], 64, 64, 64), ([0, 3, 1, 2], 8, 128, 128, 3),
        ([0, 2, 3, 1], 8, 3, 128, 128), ([4, 3, 2, 1, 0], 16, 16, 8, 8, 8), ([0, 2, 4, 1, 3, 5], 8, 8, 8, 8, 8, 8)))
    yield joined("Concat_of_many", "ConcatV2", 1, 40, 512, 8)
    yield joined("Concat_of_columns", "ConcatV2", 1, 40, 1024, 1)
    yield joined("Pack_last", "Pack", 2, 3, *SIDE)
    yield joined("Pack_middle", "Pack", 1, 3, *SIDE)
    yield one("Unpack_last", image, lambda r, x: r.Unpack(value=x, num=3, axis=2))
    yield one("Split_narrow", between(-1, 1, 4096, 32), lambda r, x: r.Split(axis=1, value=x, num_split=16))
    yield one("Tile_narrow", between(-1, 1, 512, 8), lambda r, x: r.Tile(input=x, multiples=[1, 50]))
    yield one("BroadcastTo", between(-1, 1, 512, 1), lambda r, x: r.BroadcastTo(input=x, shape=[512, 512]))
    for axis in (0, 1, 2):
        yield one(f"Reverse_{axis}", image, lambda r, x, axis=axis: r.ReverseV2(tensor=x, axis=[axis]))
    yield one("Reverse_bytes", kind("byte", 200, 200, 3), lambda r, x: r.ReverseV2(tensor=x, axis=[1]))
    yield one("Roll", between(-1, 1, *SIDE), lambda r, x: r.Roll(input=x, shift=[3, 100], axis=[0, 1]))
    yield one("MirrorPad", between(-1, 1, 8, 64, 64, 16),
              lambda r, x: r.MirrorPad(input=x, paddings=[[0, 0], [2, 2], [2, 2], [0, 0]], mode="REFLECT"))
    yield one("Pad_images", between(-1, 1, 8, 100, 100, 3),
              lambda r, x: r.Pad(input=x, paddings=[[0, 0], [3, 3], [3, 3], [0, 0]]))
    yield one("SpaceToBatchND", between(-1, 1, 8, 32, 32, 32),
              lambda r, x: r.SpaceToBatchND(input=x, block_shape=[2, 2], paddings=[[0, 0], [0, 0]]))
    yield one("DepthToSpace", between(-1, 1, 8, 32, 32, 64), lambda r, x: r.DepthToSpace(input=x, block_size=2))
    yield one("ExtractImagePatches", between(-1, 1, 4, 32, 32, 16),
              lambda r, x: r.ExtractImagePatches(images=x, ksizes=[1, 3, 3, 1], strides=[1, 1, 1, 1],
                                                 rates=[1, 1, 1, 1], padding="SAME"))
    yield one("MatrixDiag", between(-1, 1, 64, 128), lambda r, x: r.MatrixDiag(diagonal=x))
    yield one("MatrixBandPart", between(-1, 1, 16, 128, 128),
              lambda r, x: r.MatrixBandPart(input=x, num_lower=-1, num_upper=0))


def picks():
    yield two("Gather_numbers", between(-1, 1, 100_000), below(100_000, 100_000),
              lambda r, x, i: r.GatherV2(params=x, indices=i, axis=0))
    yield two("Gather_columns", between(-1, 1, 2000, 100), below(100, 10),
              lambda r, x, i: r.GatherV2(params=x, indices=i, axis=1))
    yield two("ScatterNd_numbers", between(-1, 1, 50_000), below(100_000, 50_000, 1),
              lambda r, x, i: r.ScatterNd(indices=i, updates=x, shape=[100_000]))
    yield one("Where", kind("bool", *SIDE), lambda r, x: r.Where(condition=x))
    yield one("Where_of_floats", between(-1, 1, *SIDE), lambda r, x: r.Where(condition=x))
    yield one("Unique", below(5000, 100_000), lambda r, x: r.Unique(x=x))
    yield two("ListDiff", below(100_000, 50_000), below(100_000, 50_000), lambda r, x, i: r.ListDiff(x=x, y=i))
    yield two("DynamicPartition", between(-1, 1, 100_000), below(8, 100_000),
              lambda r, x, i: r.DynamicPartition(data=x, partitions=i, num_partitions=8))
    yield one("OneHot_first", below(100, 2000),
              lambda r, x: r.OneHot(indices=x, depth=100, on_value=1.0, off_value=0.0, axis=0))
    for k in (1, 10, 100, 1000):
        yield one(f"TopK_{k}", between(-1, 1, 100, 1000), lambda r, x, k=k: r.TopKV2(input=x, k=k))
    yield two("InTopK", between(-1, 1, 512, 1000), below(1000, 512),
              lambda r, x, i: r.InTopK(predictions=x, targets=i, k=5))
    yield two("UpperBound", Input(np.sort(RANDOM.random((16, 1000)).astype(np.float32))), between(0, 1, 16, 5000),
              lambda r, x, i: r.UpperBound(sorted_inputs=x, values=i))
    yield two("Bincount", between(0, 1, 100_000), below(1000, 100_000),
              lambda r, x, i: r.Bincount(arr=i, size=1000, weights=x))
    yield one("HistogramFixedWidth", between(-1, 1, 100_000),
              lambda r, x: r.HistogramFixedWidth(values=x, value_range=[-1.0, 1.0], nbins=100))
    yield two("SelectV2_rows", between(-1, 1, *SIDE), kind("bool", 512, 1),
              lambda r, x, i: r.SelectV2(condition=i, t=x, e=x))


def randoms():
    shaped = {"RandomUniform": {"dtype": "float32"}, "RandomStandardNormal": {"dtype": "float32"},
              "TruncatedNormal": {"dtype": "float32"}}
    for op, more in shaped.items():
        yield one(op, between(0, 1, *SIDE), lambda r, x, op=op, more=more: getattr(r, op)(
            shape=r.Shape(input=x), seed=1, seed2=2, **more))
    yield one("RandomShuffle", whole(100, 100_000), lambda r, x: r.RandomShuffle(value=x, seed=1, seed2=2))
    yield one("Multinomial", between(-1, 1, 64, 100),
              lambda r, x: r.Multinomial(logits=x, num_samples=100, seed=1, seed2=2))
    yield one("RandomGamma", between(0.1, 1, 100),
              lambda r, x: r.RandomGamma(shape=[200], alpha=x, seed=1, seed2=2))


CASES = [*moves(), *picks(), *segments(), *randoms()]
