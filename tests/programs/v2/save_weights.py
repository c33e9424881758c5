import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

import tempfile, os
mk = lambda: tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(2,))])
m = mk(); d = tempfile.mkdtemp(); p = os.path.join(d, "w.h5"); m.save_weights(p); n = mk(); n.load_weights(p)
print(np.allclose(m.get_weights()[0], n.get_weights()[0]))
