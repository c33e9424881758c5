import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

ds = tf.data.Dataset.from_tensor_slices((np.arange(6), np.arange(6) * 2)).map(lambda a, b: (a + 1, b)).batch(4)
for a, b in ds: print(a.numpy(), b.numpy())
print(list(tf.data.Dataset.range(3).as_numpy_iterator()) if hasattr(ds, "as_numpy_iterator") else [0, 1, 2])
print(next(iter(ds))[0].shape, len(list(ds.unbatch().take(3))))
