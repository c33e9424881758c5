"""tf.contrib.slim.prefetch_queue: batches that are made ahead."""


def prefetch_queue(tensors, capacity=8, num_threads=1, dynamic_pad=False, shared_name=None, name=None):
    """A queue that threads fill with the tensors, a list or a dict; dequeue() gives the next ones."""
    from rill import FIFOQueue, PaddingFIFOQueue, cast, float32, name_scope, summary, train
    names = sorted(tensors) if isinstance(tensors, dict) else None
    listed = tensors if names is None else [tensors[key] for key in names]
    with name_scope(name, "prefetch_queue", listed):
        queue = (PaddingFIFOQueue if dynamic_pad else FIFOQueue)(
            capacity=capacity, dtypes=[t.dtype for t in listed], shapes=[t.get_shape() for t in listed],
            names=names, shared_name=shared_name)
        train.add_queue_runner(train.QueueRunner(queue, [queue.enqueue(tensors)] * num_threads))
        summary.scalar(f"fraction_of_{capacity}_full", cast(queue.size(), float32) * (1.0 / capacity))
        return queue
