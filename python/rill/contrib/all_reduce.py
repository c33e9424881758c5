"""tf.contrib.all_reduce: the values of several devices as one on each of them.

The algorithms differ in what they send; here values are reduced on the first device and copied to the others.
"""



def _all_reduce(input_tensors, red_op, un_op):
    import rill
    tensors = [rill.convert_to_tensor(one) for one in input_tensors]
    if not tensors:
        raise ValueError("input_tensors must not be empty")
    with rill.device(tensors[0].device):
        total = tensors[0]
        for one in tensors[1:]:
            total = red_op(total, one)
        if un_op is not None:
            total = un_op(total)
    results = []
    for one in tensors:
        with rill.device(one.device):
            results.append(rill.identity(total))
    return results


def build_ring_all_reduce(input_tensors, num_workers, num_subchunks, gpu_perm, red_op, un_op=None):
    """Of devices in a ring."""
    if len(input_tensors) < 2:
        raise ValueError("input_tensors must be length 2 or longer")
    return _all_reduce(input_tensors, red_op, un_op)


def build_recursive_hd_all_reduce(input_tensors, red_op, un_op=None):
    """By halving and doubling: of a power of 2 devices."""
    count = len(input_tensors)
    if count == 0 or count & (count - 1):
        raise ValueError("input_tensors must be of length 2^N")
    return _all_reduce(input_tensors, red_op, un_op)


def build_shuffle_all_reduce(input_tensors, gather_devices, red_op, un_op=None):
    """By pieces that some devices reduce."""
    return _all_reduce(input_tensors, lambda a, b: red_op([a, b]), un_op)


def build_shuffle_then_ring(input_tensors, gather_devices, subdiv, red_n_op, red_op, un_op=None):
    """By pieces within machines, in a ring between them."""
    return _all_reduce(input_tensors, red_op, un_op)


def build_shuffle_then_shuffle(input_tensors, first_gather_devices, second_gather_devices, red_op, un_op=None):
    """By pieces within machines and between them."""
    return _all_reduce(input_tensors, lambda a, b: red_op([a, b]), un_op)


def _no_nccl(name):
    def refuse(*args, **kwargs):
        from rill import errors
        raise errors.UnimplementedError(None, None, f"{name} needs NCCL, and GPUs")
    refuse.__name__, refuse.__doc__ = name, "Needs NCCL, and GPUs."
    return refuse


build_nccl_all_reduce = _no_nccl("build_nccl_all_reduce")
build_nccl_then_ring = _no_nccl("build_nccl_then_ring")
build_nccl_then_recursive_hd = _no_nccl("build_nccl_then_recursive_hd")
build_nccl_then_shuffle = _no_nccl("build_nccl_then_shuffle")
