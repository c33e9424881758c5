"""Frames of signals, windows, spectra over time."""
import numpy as np
import tensorflow as tf

from program import feeds

WAVE = np.sin(np.arange(40) * 0.7) + np.arange(40) * 0.01
WAVES = np.stack([WAVE, WAVE[::-1]])


def outside(build):
    """The values of nodes that TensorFlow 2 makes otherwise, in a graph that is not compared."""
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(build())


def program_windows():
    return {"hann": tf.signal.hann_window(8), "odd": tf.signal.hann_window(7),
            "hamming": tf.signal.hamming_window(8, periodic=False, dtype=tf.float64, name="h"),
            "one": tf.signal.hann_window(1), "odd_hamming": tf.signal.hamming_window(5)}


def program_window_of_tensor():
    n = tf.placeholder(tf.int32, [], name="n")
    y = tf.signal.hann_window(n)
    return [feeds({n: 6}, y=y), feeds({n: 1}, y=y)]


def program_window_periodic_tensor():
    p = tf.placeholder(tf.bool, [], name="p")
    y = tf.signal.hamming_window(6, periodic=p)
    return [feeds({p: True}, y=y), feeds({p: False}, y=y)]


def program_frames():
    x = tf.placeholder(tf.float32, [2, 40], name="x")
    return feeds({x: WAVES}, y=tf.signal.frame(x, 8, 4), z=tf.signal.frame(x, 7, 3, name="f"))


def program_frames_padded():
    x = tf.placeholder(tf.float32, [2, 10], name="x")
    return feeds({x: WAVES[:, :10]}, y=tf.signal.frame(x, 5, 3, pad_end=True, pad_value=1))


def program_frames_first_axis():
    x = tf.placeholder(tf.int32, [10, 2], name="x")
    return feeds({x: np.arange(20).reshape(10, 2)}, y=tf.signal.frame(x, 4, 2, axis=0))


def program_frames_unknown():
    x = tf.placeholder(tf.float32, [None, 10], name="x")
    return feeds({x: WAVES[:, :10]}, y=tf.signal.frame(x, 4, 2))


def program_frames_unknown_axis():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    return feeds({x: WAVES.T[:10]}, y=tf.signal.frame(x, 4, 3, axis=0))


def program_frames_padded_unknown():
    x = tf.placeholder(tf.float32, [2, None], name="x")
    return feeds({x: WAVES[:, :10]}, y=tf.signal.frame(x, 4, 3, pad_end=True))


def program_frames_any_rank():
    x = tf.placeholder(tf.float32, None, name="x")
    return feeds({x: WAVES[:, :10]}, y=tf.signal.frame(x, 4, 2, pad_end=True))


def program_frames_too_long():
    x = tf.placeholder(tf.float32, [5], name="x")
    return feeds({x: WAVE[:5]}, y=tf.signal.frame(x, 8, 4))


def program_frames_by_tensor():
    x = tf.placeholder(tf.float32, [12], name="x")
    n, s = tf.placeholder(tf.int32, [], name="n"), tf.placeholder(tf.int32, [], name="s")
    y = tf.signal.frame(x, n, s)
    return [feeds({x: WAVE[:12], n: 4, s: 2}, y=y), feeds({x: WAVE[:12], n: 6, s: 4}, y=y)]


def program_sums():
    x = tf.placeholder(tf.float32, [2, 4, 6], name="x")
    return feeds({x: np.arange(48).reshape(2, 4, 6)}, y=tf.signal.overlap_and_add(x, 2),
                 odd=tf.signal.overlap_and_add(x, 4, name="odd"), apart=tf.signal.overlap_and_add(x, 6))


def program_sums_of_matrix():
    x = tf.placeholder(tf.float64, [4, 6], name="x")
    return feeds({x: np.arange(24).reshape(4, 6)}, y=tf.signal.overlap_and_add(x, 3))


def program_sums_by_tensor():
    def build():
        x = tf.placeholder_with_default(np.arange(48, dtype=np.float32).reshape(2, 4, 6), [None, 4, None])
        return tf.signal.overlap_and_add(x, tf.placeholder_with_default(2, []))
    return {"y": outside(build)}


def program_sums_any_rank():
    def build():
        x = tf.placeholder_with_default(np.arange(48, dtype=np.float32).reshape(2, 4, 6), None)
        return [tf.signal.overlap_and_add(x, 3), tf.signal.overlap_and_add(x, 6)]
    values = outside(build)
    return {"y": values[0], "z": values[1]}


def program_spectra():
    x = tf.placeholder(tf.float32, [2, 40], name="x")
    return feeds({x: WAVES}, y=tf.signal.stft(x, 6, 3, fft_length=8, name="z"))


def program_spectra_without_window():
    x = tf.placeholder(tf.float32, [40], name="x")
    return feeds({x: WAVE}, y=tf.signal.stft(x, 8, 4, fft_length=16, window_fn=None, pad_end=True))


def program_spectra_other_window():
    x = tf.placeholder(tf.float32, [40], name="x")
    window = lambda length, dtype: tf.ones([length], dtype) * 0.5  # noqa: E731
    return feeds({x: WAVE}, y=tf.signal.stft(x, 10, 5, window_fn=window))


def program_spectra_unknown():
    x = tf.placeholder(tf.float32, [None, None], name="x")
    return feeds({x: WAVES}, y=tf.signal.stft(x, 8, 4))


def program_spectra_back():
    x = tf.placeholder(tf.complex64, [5, 5], name="x")
    spectra = np.fft.rfft(WAVE.reshape(5, 8))
    return feeds({x: spectra}, y=tf.signal.inverse_stft(x, 8, 4), z=tf.signal.inverse_stft(x, 8, 8, window_fn=None))


def program_spectra_back_longer():
    x = tf.placeholder(tf.complex64, [5, 5], name="x")
    spectra = np.fft.rfft(WAVE.reshape(5, 8))
    return feeds({x: spectra}, y=tf.signal.inverse_stft(x, 12, 4, fft_length=8, window_fn=None))


def program_there_and_back():
    def build():
        x = tf.constant(WAVES, tf.float32)
        window = tf.signal.inverse_stft_window_fn(4)
        other = tf.signal.inverse_stft_window_fn(3, forward_window_fn=tf.signal.hamming_window, name="w")
        return [tf.signal.inverse_stft(tf.signal.stft(x, 8, 4), 8, 4, window_fn=window),
                tf.signal.inverse_stft(tf.signal.stft(x, 9, 3, window_fn=tf.signal.hamming_window), 9, 3,
                                       window_fn=other)]
    values = outside(build)
    return {"y": values[0], "z": values[1]}


def program_spectra_back_unknown():
    def build():
        x = tf.placeholder_with_default(np.fft.rfft(WAVE.reshape(5, 8)).astype(np.complex64), [None, 5])
        n = tf.placeholder_with_default(8, [])
        return [tf.signal.inverse_stft(x, 8, 4), tf.signal.inverse_stft(x, n, 4), tf.signal.inverse_stft(x, n, n)]
    return {f"v{i}": value for i, value in enumerate(outside(build))}


def program_spectra_by_tensor():
    def build():
        n = tf.placeholder_with_default(6, [])
        return tf.signal.stft(tf.constant(WAVE, tf.float32), n, 3)
    return {"y": outside(build)}


def program_mel():
    """linspace is many nodes in TensorFlow 2."""
    values = outside(lambda: [tf.signal.linear_to_mel_weight_matrix(4, 9, 8000),
                              tf.signal.linear_to_mel_weight_matrix(5, 17, 16000.0, 20.0, 7000.0, dtype=tf.float64),
                              tf.signal.linear_to_mel_weight_matrix(3, 9, tf.constant(8000), name="m")])
    return {f"v{i}": value for i, value in enumerate(values)}


def program_cepstra():
    x = tf.placeholder(tf.float32, [2, 3, 8], name="x")
    return feeds({x: np.log(np.arange(1, 49)).reshape(2, 3, 8)}, y=tf.signal.mfccs_from_log_mel_spectrograms(x))


def program_cepstra_unknown():
    def build():
        x = tf.placeholder_with_default(np.log(np.arange(1, 49, dtype=np.float32)).reshape(2, 3, 8), [None, None, None])
        return tf.signal.mfccs_from_log_mel_spectrograms(x, name="c")
    return {"y": outside(build)}
