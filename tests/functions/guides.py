"""Trainings and models as guides show them, with functions around the steps."""

import numpy as np
import tensorflow as tf

T = tf.constant
K = tf.keras


def data(rows=8):
    x = np.linspace(-1, 1, rows * 2).reshape(rows, 2).astype(np.float32)
    return x, (x[:, :1] * 2 - x[:, 1:] + .5).astype(np.float32)


def falls(losses):
    print(losses[-1] < losses[0], len(losses))


def dense(units, **kwargs):
    return K.layers.Dense(units, kernel_initializer="ones", **kwargs)


def program_custom_training_loop():
    model = K.Sequential([dense(3, activation="tanh"), dense(1)])
    optimizer = tf.optimizers.SGD(.1) if hasattr(tf, "optimizers") else K.optimizers.SGD(.1)
    x, y = data()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss
    losses = [float(step(x, y)) for _ in range(5)]
    falls(losses)
    print(np.round(losses, 3).tolist())


def program_loop_inside_function():
    model = K.Sequential([dense(1, input_shape=(2,))])
    x, y = data()
    batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)

    @tf.function
    def epoch():
        total, count = 0., 0
        for a, b in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(a) - b) ** 2)
            for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
                v.assign_sub(.1 * g)
            total += loss
            count += 1
        return total / tf.cast(count, tf.float32)
    losses = [float(epoch()) for _ in range(4)]
    falls(losses)
    print(np.round(losses, 3).tolist())


def program_subclassed_model():
    class Net(K.Model):
        def __init__(self):
            super().__init__()
            self.first, self.second = dense(4, activation="relu"), dense(1)

        @tf.function
        def call(self, x):
            return self.second(self.first(x))
    net = Net()
    x, _ = data(3)
    print(np.round(net(x).numpy().reshape(-1), 3).tolist(), len(net.trainable_variables))


def program_model_with_loop():
    class Steps(K.Model):
        def __init__(self):
            super().__init__()
            self.cell = dense(2)

        @tf.function
        def call(self, x, n):
            for _ in tf.range(n):
                x = tf.tanh(self.cell(x))
            return x
    steps = Steps()
    x, _ = data(2)
    for n in (0, 1, 3):
        print(np.round(steps(x, T(n)).numpy(), 3).tolist())


def program_model_with_condition():
    class Net(K.layers.Layer):
        def build(self, shape):
            self.w = self.add_weight(name="w", shape=[int(shape[-1])], initializer="ones")

        def call(self, x):
            if tf.reduce_sum(x) > 0:
                y = x * self.w
            else:
                y = -x * self.w * 2.
            return y
    net = Net()

    @tf.function
    def f(x):
        return net(x)
    print(f(T([[1., 2.]])).numpy().tolist(), f(T([[-1., -2.]])).numpy().tolist())


def program_metrics_in_function():
    mean, accuracy = K.metrics.Mean(), K.metrics.BinaryAccuracy()

    @tf.function
    def update(loss, y, p):
        mean.update_state(loss)
        accuracy.update_state(y, p)
    update(T(1.), T([1., 0.]), T([.9, .8]))
    update(T(3.), T([1., 1.]), T([.9, .8]))
    print(float(mean.result()), float(accuracy.result()))


def program_losses_of_keras():
    loss = K.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def f(y, logits):
        return loss(y, logits)
    print(round(float(f(T([0, 1]), T([[2., 1.], [0., 3.]]))), 4))


def program_adam_step():
    w = tf.Variable([1., 2.])
    optimizer = K.optimizers.Adam(.1)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w ** 2)
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss
    print([round(float(step()), 3) for _ in range(4)], np.round(w.numpy(), 3).tolist())


def program_v1_optimizer_minimize():
    w = tf.Variable(4.)
    optimizer = tf.compat.v1.train.GradientDescentOptimizer(.1)

    @tf.function
    def step():
        optimizer.minimize(lambda: w ** 2)
    for _ in range(3):
        step()
    print(round(float(w), 4))


def program_gan_step():
    generator, critic = dense(2), dense(1)
    generator.build([None, 1])
    critic.build([None, 2])

    @tf.function
    def step(noise, real):
        with tf.GradientTape() as g, tf.GradientTape() as d:
            fake = generator(noise)
            g_loss = -tf.reduce_mean(critic(fake))
            d_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
        for tape, loss, layer in ((g, g_loss, generator), (d, d_loss, critic)):
            for v, grad in zip(layer.trainable_variables, tape.gradient(loss, layer.trainable_variables)):
                v.assign_sub(.1 * (grad if grad is not None else tf.zeros_like(v)))
        return g_loss, d_loss
    x, _ = data(4)
    for _ in range(3):
        print([round(float(v), 3) for v in step(T([[1.], [2.]]), x)])


def program_rnn_cell_by_hand():
    cell = K.layers.SimpleRNNCell(2, kernel_initializer="ones", recurrent_initializer="ones")

    @tf.function
    def run(sequence):
        state = tf.zeros([1, 2])
        outputs = tf.TensorArray(tf.float32, size=tf.shape(sequence)[1])
        for t in tf.range(tf.shape(sequence)[1]):
            output, (state,) = cell(sequence[:, t], [state])
            outputs = outputs.write(t, output)
        return tf.transpose(outputs.stack(), [1, 0, 2])
    print(np.round(run(T([[[.1], [.2], [.3]]])).numpy(), 3).tolist())


def program_lstm_layer():
    layer = K.layers.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones")

    @tf.function
    def f(x):
        return layer(x)
    print(np.round(f(T([[[.1], [.2]]])).numpy(), 4).tolist())


def program_weights_of_the_moving_mean():
    layer = K.layers.BatchNormalization(momentum=.5)

    @tf.function
    def f(x, training):
        return layer(x, training=training)
    x = T([[1., 2.], [3., 6.]])
    print(np.round(f(x, True).numpy(), 2).tolist(), np.round(f(x, False).numpy(), 2).tolist())
    print(np.round(layer.moving_mean.numpy(), 3).tolist())


def program_dropout_only_in_training():
    layer = K.layers.Dropout(.5)

    @tf.function
    def f(x, training):
        return layer(x, training=training)
    print(float(tf.reduce_sum(f(tf.ones([100]), False))), float(tf.reduce_sum(f(tf.ones([101]), True))) != 101.)


def program_early_stop():
    w = tf.Variable(10.)

    @tf.function
    def fit(limit):
        step = 0
        loss = w ** 2
        while loss > limit:
            w.assign_sub(.2 * w)
            loss = w ** 2
            step += 1
            if step >= 50:
                break
        return step, loss
    step, loss = fit(T(1.))
    print(int(step), round(float(loss), 3))


def program_policy_gradient_returns():
    @tf.function
    def returns(rewards, gamma):
        n = tf.shape(rewards)[0]
        found = tf.TensorArray(tf.float32, size=n)
        total = tf.constant(0.)
        for i in tf.range(n):
            total = rewards[n - 1 - i] + gamma * total
            found = found.write(n - 1 - i, total)
        return found.stack()
    print(np.round(returns(T([1., 0., 2.]), T(.5)).numpy(), 3).tolist())


def program_kmeans_step():
    @tf.function
    def step(points, centres):
        distances = tf.reduce_sum((points[:, None] - centres[None]) ** 2, -1)
        nearest = tf.argmin(distances, 1, output_type=tf.int32)
        return tf.math.unsorted_segment_mean(points, nearest, tf.shape(centres)[0]), nearest
    points, centres = T([[0.], [1.], [9.], [10.]]), T([[0.], [5.]])
    for _ in range(3):
        centres, nearest = step(points, centres)
    print(centres.numpy().tolist(), nearest.numpy().tolist())


def program_checkpoint_between_steps():
    import os
    import tempfile
    w = tf.Variable(1.)
    checkpoint = tf.train.Checkpoint(w=w)

    @tf.function
    def step():
        w.assign_add(1.)
        return w + 0.
    with tempfile.TemporaryDirectory() as folder:
        step()
        path = checkpoint.save(os.path.join(folder, "c"))
        step()
        step()
        print(float(w))
        checkpoint.restore(path)
        print(float(w), float(step()))


def program_learning_rate_schedule():
    step_number = tf.Variable(0, dtype=tf.int64, trainable=False)

    @tf.function
    def rate():
        step_number.assign_add(1)
        if step_number < 3:
            return T(.1)
        return .1 / tf.cast(step_number, tf.float32)
    print([round(float(rate()), 4) for _ in range(5)])


def program_module_of_modules():
    class Linear(tf.Module):
        def __init__(self, n):
            super().__init__()
            self.w = tf.Variable(tf.ones([n, n]))

        @tf.function
        def __call__(self, x):
            return tf.matmul(x, self.w)

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Linear(2), Linear(2)]

        @tf.function
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x
    net = Net()
    print(net(T([[1., 2.]])).numpy().tolist(), len(net.trainable_variables))


def program_mixture_of_python_and_tensors():
    @tf.function
    def f(x, steps, verbose):
        for i in range(steps):
            if verbose:
                x = x + i
            x = x * 2
        return x
    print(int(f(T(1), 2, False)), int(f(T(1), 3, True)))


def program_momentum_by_hand():
    w, m = tf.Variable([1., -2.]), tf.Variable([0., 0.])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w ** 2)
        m.assign(.9 * m + tape.gradient(loss, w))
        w.assign_sub(.1 * m)
        return loss
    print([round(float(step()), 3) for _ in range(4)])
