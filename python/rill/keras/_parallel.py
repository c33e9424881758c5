"""tf.keras.utils.multi_gpu_model: copies of a model that each take a part of the batch."""

from rill import _framework


def _gpus(gpus):
    if isinstance(gpus, (list, tuple)):
        if len(gpus) <= 1:
            raise ValueError("For multi-gpu usage to be effective, call `multi_gpu_model` with `len(gpus) >= 2`. "
                             f"Received: `gpus={gpus}`")
        return list(gpus)
    if gpus <= 1:
        raise ValueError("For multi-gpu usage to be effective, call `multi_gpu_model` with `gpus >= 2`. "
                         f"Received: `gpus={gpus}`")
    return list(range(gpus))


def _require_devices(gpus, ids):
    there = ["/" + ":".join(device.name.lower().rsplit(":", 2)[-2:]) for device in _framework.list_local_devices()]
    wanted = ["/cpu:0"] + [f"/gpu:{i}" for i in ids]
    if not set(wanted) <= set(there):
        raise ValueError(f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be "
                         f"available: {wanted}. However this machine only has: {there}. Try reducing `gpus`.")


def _part(x, i, parts):
    """Part i of the examples; the last one has what is left."""
    import rill as tf
    count = tf.shape(x)[0]
    size = count // parts
    begin = i * size
    return x[begin:] if i == parts - 1 else x[begin:begin + size]


def multi_gpu_model(model, gpus, cpu_merge=True, cpu_relocation=False):
    """A model whose batches are split among copies of `model` on several GPUs, which share its weights."""
    import rill as tf
    from rill.keras import layers, models
    ids = _gpus(gpus)
    _require_devices(gpus, ids)
    if cpu_relocation:
        with tf.device("/cpu:0"):
            model = models.clone_model(model)
    outputs = [[] for _ in model.outputs]
    for i, gpu in enumerate(ids):
        with tf.device(f"/gpu:{gpu}"), tf.name_scope(f"replica_{gpu}"):
            parts = [layers.Lambda(_part, output_shape=tuple(x.shape.as_list()[1:]),
                                   arguments={"i": i, "parts": len(ids)})(x) for x in model.inputs]
            made = model(parts if len(parts) > 1 else parts[0])
            for all_parts, part in zip(outputs, made if isinstance(made, list) else [made]):
                all_parts.append(part)
    with tf.device("/cpu:0" if cpu_merge else f"/gpu:{ids[0]}"):
        merged = [layers.concatenate(parts, axis=0, name=name) for name, parts in zip(model.output_names, outputs)]
    return models.Model(model.inputs, merged)
