"""Ops that move elements."""
from op_cases import Case, floats, ints, state

IMAGE = (8, 56, 56, 64)


def moved(name, graph, torch, shape=(1024, 1024), repeat=10):
    return Case(name, {"x": floats(*shape)}, graph, torch, repeat)


def transposed(name, order, shape):
    return moved(name, lambda r, x: r.Transpose(x=x, perm=order),
                 lambda t, x: x.permute(order).contiguous(), shape, 5)


def joined(name, axis):
    return Case(name, {"x": floats(512, 1024), "y": floats(512, 1024)},
                lambda r, x, y: r.ConcatV2(values=[x, y], axis=axis),
                lambda t, x, y: t.cat([x, y], axis), 10)


def picked(name, shape, ids, op):
    return Case(name, {"x": floats(*shape), "i": ids}, *op, 10)


def strided(r, x):
    return r.StridedSlice(input=x, begin=[0, 0], end=[1024, 1024], strides=[2, 2])


CASES = [
    transposed("transpose_matrix", [1, 0], (1024, 1024)),
    transposed("transpose_to_nchw", [0, 3, 1, 2], IMAGE),
    transposed("transpose_to_nhwc", [0, 2, 3, 1], (8, 64, 56, 56)),
    transposed("transpose_heads", [0, 2, 1, 3], (16, 128, 8, 64)),
    joined("concat_rows", 0),
    joined("concat_columns", 1),
    moved("split_columns", lambda r, x: r.Split(axis=1, value=x, num_split=4),
          lambda t, x: [part.contiguous() for part in x.split(256, 1)]),
    moved("slice", lambda r, x: r.Slice(input=x, begin=[100, 100], size=[800, 800]),
          lambda t, x: x[100:900, 100:900].contiguous()),
    moved("strided_slice", strided, lambda t, x: x[::2, ::2].contiguous()),
    moved("reverse", lambda r, x: r.ReverseV2(tensor=x, axis=[1]), lambda t, x: x.flip(1)),
    moved("pad", lambda r, x: r.Pad(input=x, paddings=[[1, 1], [1, 1]]),
          lambda t, x: t.nn.functional.pad(x, (1, 1, 1, 1))),
    moved("tile", lambda r, x: r.Tile(input=x, multiples=[2, 3]),
          lambda t, x: x.repeat(2, 3), (512, 512)),
    moved("pack", lambda r, x: r.Pack(values=[x, x, x, x], axis=0),
          lambda t, x: t.stack([x, x, x, x]), (512, 512)),
    picked("embedding_lookup", (100_000, 64), ints(4096, below=100_000),
           (lambda r, x, i: r.GatherV2(params=x, indices=i, axis=0), lambda t, x, i: x[i])),
    picked("gather_columns", (1024, 1024), ints(512, below=1024),
           (lambda r, x, i: r.GatherV2(params=x, indices=i, axis=1),
            lambda t, x, i: x.index_select(1, i))),
    picked("gather_nd", (1024, 1024), ints(100_000, 2, below=1024),
           (lambda r, x, i: r.GatherNd(params=x, indices=i),
            lambda t, x, i: x[i[:, 0], i[:, 1]])),
    picked("scatter_nd", (4096, 64), ints(4096, 1, below=10_000),
           (lambda r, x, i: r.ScatterNd(indices=i, updates=x, shape=[10_000, 64]),
            lambda t, x, i: t.zeros(10_000, 64).index_add_(0, i[:, 0], x))),
    Case("scatter_add", {"v": state(10_000, 64), "i": ints(4096, below=10_000),
                         "x": floats(4096, 64)},
         lambda r, v, i, x: r.ResourceScatterAdd(resource=v, indices=i, updates=x),
         lambda t, v, i, x: v.index_add_(0, i, x), 10),
    picked("segment_sum", (16_384, 64), ints(16_384, below=1000, ordered=True),
           (lambda r, x, i: r.SegmentSum(data=x, segment_ids=i),
            lambda t, x, i: t.zeros(1000, 64).index_add_(0, i, x))),
    picked("unsorted_segment_sum", (16_384, 64), ints(16_384, below=1000),
           (lambda r, x, i: r.UnsortedSegmentSum(data=x, segment_ids=i, num_segments=1000),
            lambda t, x, i: t.zeros(1000, 64).index_add_(0, i, x))),
    Case("one_hot", {"i": ints(1024, below=1000)},
         lambda r, i: r.OneHot(indices=i, depth=1000, on_value=1.0, off_value=0.0),
         lambda t, i: t.zeros(1024, 1000).scatter_(1, i[:, None], 1.0), 10),
    moved("top_k", lambda r, x: r.TopKV2(input=x, k=10), lambda t, x: x.topk(10), repeat=2),
    moved("top_1", lambda r, x: r.TopKV2(input=x, k=1), lambda t, x: x.topk(1), repeat=2),
]
