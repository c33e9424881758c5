"""A queue that holds what steps put there. The C++ twin is fifo_queue.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

queue = tf.queue.FIFOQueue(3, [tf.float32], shapes=[[]])
init = queue.enqueue_many(([0.0, 0.1, 0.2],))
x = queue.dequeue()
increment = queue.enqueue([x + 1])
with tf.Session() as sess:
    sess.run(init)
    for _ in range(4):
        sess.run(increment)
    show("size", sess.run(queue.size()))
    for _ in range(3):
        show("x", sess.run(x))
