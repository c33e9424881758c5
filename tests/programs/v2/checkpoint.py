import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

import tempfile, os
d = tempfile.mkdtemp(); v = tf.Variable(5.); ck = tf.train.Checkpoint(v=v)
p = ck.save(os.path.join(d, "c")); v.assign(0.); ck.restore(p); print(v.numpy(), os.path.basename(p))
m = tf.train.CheckpointManager(ck, d, max_to_keep=2)
for _ in range(3): m.save()
print([os.path.basename(c) for c in m.checkpoints], os.path.basename(m.latest_checkpoint))
