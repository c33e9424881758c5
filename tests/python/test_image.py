"""Errors of tf.image and tf.signal, and what TensorFlow 2.15 cannot be asked for."""
import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def value(tensor, feeds=None):
    with tf.Session() as session:
        return session.run(tensor, feeds)


def image(*shape, dtype=tf.float32):
    return tf.placeholder(dtype, list(shape))


def nodes(graph):
    return [node.name for node in graph.as_graph_def().node]


@pytest.mark.parametrize("call, error, phrase", [
    (lambda: tf.image.flip_left_right(image(4, 5)), ValueError, "must be at least three-dimensional"),
    (lambda: tf.image.flip_up_down(image(4, 0, 3)), ValueError, "inner 3 dims of 'image.shape' must be > 0"),
    (lambda: tf.image.flip_up_down(image(1, 2, 3, 4, 5)), ValueError, "must have either 3 or 4 dimensions"),
    (lambda: tf.image.flip_left_right(None), ValueError, "None values not supported"),
    (lambda: tf.image.rot90(image(4, 5, 3), k=[1, 2]), ValueError, "must have rank 0"),
    (lambda: tf.image.central_crop(image(4, 5, 3), 1.5), ValueError, "central_fraction must be within (0, 1]"),
    (lambda: tf.image.central_crop(image(4, 5, 3), 0.0), ValueError, "central_fraction must be within (0, 1]"),
    (lambda: tf.image.central_crop(tf.placeholder(tf.float32), 0.5), ValueError,
     "rank = 3 or rank = 4. Had rank = None"),
    (lambda: tf.image.crop_to_bounding_box(image(4, 6, 3), 1, 2, 2, 9), ValueError,
     "width must be >= target + offset."),
    (lambda: tf.image.crop_to_bounding_box(image(4, 6, 3), 3, 2, 2, 2), ValueError,
     "height must be >= target + offset."),
    (lambda: tf.image.crop_to_bounding_box(image(4, 6, 3), 0, -1, 2, 2), ValueError, "offset_width must be >= 0."),
    (lambda: tf.image.crop_to_bounding_box(image(4, 6, 3), 0, 0, 0, 2), ValueError, "target_height must be > 0."),
    (lambda: tf.image.crop_to_bounding_box(image(4, 6), 0, 0, 1, 1), ValueError, "must have either 3 or 4 dimensions"),
    (lambda: tf.image.pad_to_bounding_box(image(4, 6, 3), -1, 2, 7, 9), ValueError, "offset_height must be >= 0"),
    (lambda: tf.image.pad_to_bounding_box(image(4, 6, 3), 1, 2, 3, 9), ValueError, "height must be <= target - offset"),
    (lambda: tf.image.pad_to_bounding_box(image(4, 6, 3), 1.5, 2, 3, 9), TypeError, "integer"),
    (lambda: tf.image.pad_to_bounding_box(image(4, 6, 3), 0, -2 ** 62, 5, 2 ** 62), ValueError, "are too large"),
    (lambda: tf.signal.frame(image(9), 2 ** 40, 1), ValueError, "is too large"),
    (lambda: tf.image.resize_image_with_crop_or_pad(image(4, 6, 3), 0, 4), ValueError, "target_height must be > 0."),
    (lambda: tf.image.resize_image_with_pad(image(4, 6, 3), 4, -1), ValueError, "target_width must be > 0."),
    (lambda: tf.image.resize_images(tf.placeholder(tf.float32), [3, 3]), ValueError, "'images' contains no shape."),
    (lambda: tf.image.resize_images(image(4, 3), [3, 3]), ValueError, "'images' must have either 3 or 4 dimensions."),
    (lambda: tf.image.resize_images(image(4, 3, 3), [3, 3, 3]), ValueError,
     "'size' must be a 1-D Tensor of 2 elements"),
    (lambda: tf.image.resize_images(image(4, 3, 3), [3.5, 3]), ValueError, "'size' must be a 1-D int32 Tensor"),
    (lambda: tf.image.resize_images(image(4, 3, 3), [2, 2], method=7), ValueError,
     "Resize method is not implemented: 7"),
    (lambda: tf.image.grayscale_to_rgb(image(2, 2, 3)), ValueError,
     "Last dimension of a grayscale image should be size 1."),
    (lambda: tf.image.grayscale_to_rgb(image(5)), ValueError, "must be at least two-dimensional"),
    (lambda: tf.image.rgb_to_yuv(image(2, 2, 3, dtype=tf.uint8)), TypeError, "Expected uint8"),
    (lambda: tf.image.adjust_gamma(image(2, 2, 3), -1), ValueError, "Gamma should be a non-negative real number."),
    (lambda: tf.image.random_brightness(image(2, 2, 3), -1), ValueError, "max_delta must be non-negative."),
    (lambda: tf.image.random_contrast(image(2, 2, 3), 1, 0.5), ValueError, "upper must be > lower."),
    (lambda: tf.image.random_saturation(image(2, 2, 3), -1, 0), ValueError, "lower must be non-negative."),
    (lambda: tf.image.random_hue(image(2, 2, 3), 1), ValueError, "max_delta must be <= 0.5."),
    (lambda: tf.image.random_jpeg_quality(image(2, 2, 3), -1, 0), ValueError, "range must be between 0 and 100"),
    (lambda: tf.image.random_jpeg_quality(image(2, 2, 3), 50, 10), ValueError, "must be less than `max_jpeg_quality`"),
    (lambda: tf.image.psnr(image(2, 2), image(2, 2), 1), ValueError, "Invalid reduction dimension -3"),
    (lambda: tf.image.ssim(image(2, 8, 8, 3), image(2, 8, 7, 3), 1), ValueError, "Two images are not compatible"),
    (lambda: tf.image.total_variation(image(2, 3)), ValueError, "'images' must be either 3 or 4-dimensional."),
    (lambda: tf.image.image_gradients(image(2, 2, 3)), ValueError, "image_gradients expects a 4D tensor"),
    (lambda: tf.image.crop_and_resize(image(1, 2, 2, 3), [[0., 0, 1, 1]], [0], [2, 2], box_indices=[0]), ValueError,
     "Cannot specify both"),
    (lambda: tf.image.decode_image(b"", channels=2), ValueError, "channels must be in (None, 0, 1, 3, 4)"),
    (lambda: tf.signal.hann_window(4, dtype=tf.int32), ValueError, "dtype must be a floating point type"),
    (lambda: tf.signal.hann_window([4]), ValueError, "must have rank 0"),
    (lambda: tf.signal.frame(tf.placeholder(tf.float32, []), 2, 1), ValueError, "must have rank at least 1"),
    (lambda: tf.signal.frame(image(9), 2, 0), ValueError, "frame_step must be positive"),
    (lambda: tf.signal.overlap_and_add(image(4), 2), ValueError, "must have rank at least 2"),
    (lambda: tf.signal.overlap_and_add(image(4, 4), 2.0), ValueError, "frame_step must be an integer"),
    (lambda: tf.signal.stft(tf.placeholder(tf.float32, []), 8, 4), ValueError, "must have rank at least 1"),
    (lambda: tf.signal.inverse_stft(tf.placeholder(tf.complex64, [9]), 8, 4), ValueError, "must have rank at least 2"),
    (lambda: tf.signal.rfft2d(image(4)), ValueError, "must have rank at least 2"),
    (lambda: tf.signal.rfft(image(4, dtype=tf.float64)), ValueError, "dtype"),
    (lambda: tf.signal.dct(image(2, 8), type=5), ValueError, "Types I, II, III and IV"),
    (lambda: tf.signal.dct(image(2, 8), type=1, norm="ortho"), ValueError, "not supported for the Type-I DCT"),
    (lambda: tf.signal.dct(image(2, 1), type=1), ValueError, "requires the dimension to be greater than one"),
    (lambda: tf.signal.dct(image(2, 8), norm="x"), ValueError, "Unknown normalization"),
    (lambda: tf.signal.dct(image(2, 8), n=0), ValueError, "n should be a positive integer or None"),
    (lambda: tf.signal.dct(image(2, 8), axis=0), NotImplementedError, "axis must be -1. Got: 0"),
    (lambda: tf.signal.linear_to_mel_weight_matrix(0), ValueError, "num_mel_bins must be positive. Got: 0"),
    (lambda: tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=-1), ValueError,
     "lower_edge_hertz must be non-negative"),
    (lambda: tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=5000), ValueError, ">= upper_edge_hertz"),
    (lambda: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000), ValueError, "Nyquist frequency"),
    (lambda: tf.signal.linear_to_mel_weight_matrix(sample_rate=0), ValueError, "sample_rate must be positive"),
    (lambda: tf.signal.linear_to_mel_weight_matrix(dtype=tf.int32), ValueError, "dtype must be a floating point type"),
    (lambda: tf.signal.mfccs_from_log_mel_spectrograms(image(0)), ValueError, "num_mel_bins must be positive"),
])
def test_errors(call, error, phrase):
    with pytest.raises(error) as caught:
        call()
    assert phrase in str(caught.value)


@pytest.mark.parametrize("build, wrong, phrase", [
    (lambda x: tf.image.flip_left_right(x), [[1.0, 2.0]], "at least three-dimensional"),
    (lambda x: tf.image.crop_to_bounding_box(x, 1, 0, 2, 2), np.zeros([2, 3, 1]), "height must be >= target + offset."),
    (lambda x: tf.image.pad_to_bounding_box(x, 0, 0, 2, 2), np.zeros([2, 3, 1]), "width must be <= target - offset"),
    (lambda x: tf.image.grayscale_to_rgb(x), np.zeros([2, 3, 3]), "should be size 1"),
    (lambda x: tf.image.ssim(x, x, 1.0), np.zeros([1, 5, 5, 1]), "assertion failed"),
])
def test_errors_of_steps(build, wrong, phrase):
    x = tf.placeholder(tf.float32)
    y = build(x)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        value(y, {x: wrong})
    assert phrase in str(caught.value)


def test_random_flips_are_one_branch_of_two(graph):
    """As TensorFlow 1.15 makes them; 2.15 multiplies random numbers once less."""
    x = tf.placeholder(tf.float32, [4, 5, 3], name="x")
    tf.image.random_flip_left_right(x, seed=3)
    names = [name.removeprefix("random_flip_left_right/") for name in nodes(graph)[1:]]
    assert names == [
        "control_dependency", "random_uniform/shape", "random_uniform/min", "random_uniform/max",
        "random_uniform/RandomUniform", "random_uniform/sub", "random_uniform/mul", "random_uniform", "Less/y", "Less",
        "Switch", "switch_t", "switch_f", "pred_id", "ReverseV2/axis", "ReverseV2", "ReverseV2/Switch",
        "Switch_1", "Merge"]


def test_decode_image_asks_for_each_format(graph):
    tf.image.decode_image(tf.placeholder(tf.string, []))
    names = nodes(graph)
    assert "decode_image/is_jpeg/Equal" in names
    assert "decode_image/cond_jpeg/cond_png/Switch" in names
    assert "decode_image/cond_jpeg/cond_png/cond_gif/Merge" in names


def test_decode_image_refuses_other_bytes():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unable to decode bytes as JPEG, PNG, GIF, or BMP"):
        value(tf.image.decode_image(b"other bytes"))
    gif = tf.image.decode_image(b"GIF89a", channels=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="when decoding GIF images"):
        value(gif)


def test_padded_suppression():
    boxes, scores = tf.constant([[0., 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3]]), tf.constant([0.9, 0.8, 0.7])
    indices, count = tf.image.non_max_suppression_padded(boxes, scores, 3, pad_to_max_output_size=True)
    assert value(indices).tolist() == [0, 2, 0] and value(count) == 2
    assert indices.op.type == "NonMaxSuppressionV4"


def test_windows_are_called_with_length_and_type():
    seen = []

    def window(length, dtype):
        seen.append((value(length), dtype))
        return tf.ones([8], dtype)

    tf.signal.stft(tf.placeholder(tf.float32, [40]), 8, 4, window_fn=window)
    assert seen == [(8, tf.float32)]


def test_method_names():
    assert [tf.image.ResizeMethod.BILINEAR, tf.image.ResizeMethod.NEAREST_NEIGHBOR, tf.image.ResizeMethod.BICUBIC,
            tf.image.ResizeMethod.AREA] == [0, 1, 2, 3]
    assert tf.image.resize is tf.image.resize_images
    assert tf.spectral.rfft is tf.signal.rfft


# --- tf.contrib -------------------------------------------------------------------------------------

SQUARE = np.arange(16, dtype=np.float32).reshape(4, 4)


def test_rotations():
    quarter = tf.contrib.image.rotate(tf.constant(SQUARE), np.pi / 2)
    np.testing.assert_array_equal(value(quarter), np.rot90(SQUARE))
    batch = tf.contrib.image.rotate(tf.constant(np.stack([SQUARE, SQUARE])[..., None]), [0.0, np.pi], "BILINEAR")
    np.testing.assert_allclose(value(batch)[..., 0], [SQUARE, SQUARE[::-1, ::-1]], atol=1e-4)


def test_translations():
    moved = value(tf.contrib.image.translate(tf.constant(SQUARE[..., None]), [1, -2]))[..., 0]
    wanted = np.zeros_like(SQUARE)
    wanted[:2, 1:] = SQUARE[2:, :3]
    np.testing.assert_array_equal(moved, wanted)


def test_transforms_and_matrices():
    one, two = [1.0, 0, 2, 0, 1, 0, 0, 0], [1.0, 0, 0, 0, 1, 3, 0, 0]
    both = tf.contrib.image.compose_transforms(tf.constant(one), tf.constant([two]))
    np.testing.assert_allclose(value(both), [[1, 0, 2, 0, 1, 3, 0, 0]])
    matrices = tf.contrib.image.flat_transforms_to_matrices(tf.constant([one]))
    assert value(matrices).tolist() == [[[1, 0, 2], [0, 1, 0], [0, 0, 1]]]
    back = tf.contrib.image.matrices_to_flat_transforms(2 * matrices)
    np.testing.assert_allclose(value(back), [one])
    angle = tf.contrib.image.angles_to_projective_transforms(0.0, 4.0, 4.0)
    np.testing.assert_allclose(value(angle), [[1, 0, 0, 0, 1, 0, 0, 0]], atol=1e-6)


def test_transform_of_other_size_and_its_gradient():
    x = tf.constant(SQUARE)
    y = tf.contrib.image.transform(x, [1, 0, 1, 0, 1, 1, 0, 0], output_shape=[2, 3])
    np.testing.assert_array_equal(value(y), SQUARE[1:3, 1:4])
    slope = value(tf.gradients(tf.reduce_sum(y), x)[0])
    wanted = np.zeros_like(SQUARE)
    wanted[1:3, 1:4] = 1
    np.testing.assert_array_equal(slope, wanted)


def test_warp_and_its_gradient():
    """A pixel is taken from where its flow comes from; what lies outside is the border."""
    x = tf.constant(SQUARE.reshape(1, 4, 4, 1))
    flow = np.zeros([1, 4, 4, 2], np.float32)
    flow[..., 0] = -0.5  # half a row from below
    flow[0, 0, 0] = [9, 0.25]
    y = tf.contrib.image.dense_image_warp(x, tf.constant(flow))
    wanted = np.minimum(SQUARE + 2, [[12, 13, 14, 15]])
    wanted[0, 0] = 0
    np.testing.assert_allclose(value(y)[0, ..., 0], wanted)
    assert y.shape.as_list() == [1, 4, 4, 1]
    slope = value(tf.gradients(tf.reduce_sum(y), x)[0])
    assert slope.sum() == 16 and slope[0, 3, 0, 0] == 1.5
    unknown = tf.placeholder(tf.float32, [None, None, None, 1])
    np.testing.assert_allclose(value(tf.contrib.image.dense_image_warp(unknown, flow), {unknown: value(x)}), value(y))


@pytest.mark.parametrize("call, error, phrase", [
    (lambda: tf.contrib.image.transform(tf.placeholder(tf.float32), [1.0] * 8), TypeError, "must be statically known"),
    (lambda: tf.contrib.image.transform(image(3), [1.0] * 8), TypeError, "rank between 2 and 4"),
    (lambda: tf.contrib.image.transform(image(3, 3, dtype=tf.complex64), [1.0] * 8), TypeError, "Invalid dtype"),
    (lambda: tf.contrib.image.transform(image(3, 3), [[[1.0] * 8]]), TypeError, "rank 1 or 2, but got rank 3"),
    (lambda: tf.contrib.image.transform(image(3, 3), [1.0] * 7), ValueError, "8 numbers"),
    (lambda: tf.contrib.image.rotate(image(3, 3), [[1.0]]), TypeError, "rank 0 or 1"),
    (lambda: tf.contrib.image.dense_image_warp(image(1, 1, 3, 1), np.zeros([1, 1, 3, 2], np.float32)), ValueError,
     "at least 2x2"),
    (lambda: tf.contrib.image.compose_transforms(), ValueError, "cannot be empty"),
    (lambda: tf.contrib.resampler.resampler(image(1, 3, 3, 1), [[[1.0, 2.0, 3.0]]]), ValueError, "exactly size 2"),
])
def test_contrib_errors(call, error, phrase):
    with pytest.raises(error) as caught:
        call()
    assert phrase in str(caught.value)


def test_resampler_and_its_gradients(graph):
    data = tf.constant(SQUARE.reshape(1, 4, 4, 1))
    warp = tf.constant([[[0.5, 0.0], [1.0, 2.5], [-3.0, 0.0]]])
    y = tf.contrib.resampler.resampler(data, warp)
    assert y.op.name == "resampler/Resampler"
    np.testing.assert_allclose(value(y)[0, :, 0], [0.5, 11, 0])
    for_data, for_warp = value(tf.gradients(y, [data, warp]))
    assert for_data[0, 0, :2, 0].tolist() == [0.5, 0.5] and for_data.sum() == 2
    np.testing.assert_allclose(for_warp[0], [[1, 4], [1, 4], [0, 0]])


def test_contrib_signal():
    assert tf.contrib.signal.stft is tf.signal.stft


def test_a_branch_chosen_by_chance_resizes():
    """As programs that distort images for training do."""
    from tensorflow.python.ops import control_flow_ops
    image = tf.placeholder(tf.float32, [None, None, 3])
    chosen = tf.random_uniform([], maxval=4, dtype=tf.int32)
    sizes = [tf.image.resize_images(control_flow_ops.switch(image, tf.equal(chosen, method))[1], [5, 6], method)
             for method in range(4)]
    resized = control_flow_ops.merge(sizes)[0]
    resized.set_shape([5, 6, 3])
    distorted = tf.clip_by_value(tf.image.random_hue(tf.image.random_flip_left_right(resized), 0.2), 0.0, 1.0)
    for _ in range(4):
        assert value(distorted, {image: np.random.rand(9, 7, 3)}).shape == (5, 6, 3)


def test_pairs_of_rows_and_columns():
    distances = tf.constant([[0.5, 0.1, 0.8], [0.3, 0.2, 0.9]])
    both = tf.contrib.image.bipartite_match(distances, [-1.0])
    one = tf.contrib.image.bipartite_match(distances, num_valid_rows=2, top_k=1)
    first = tf.contrib.image.bipartite_match(distances, [1.0])
    with tf.Session() as session:
        got = session.run([both, one, first])
    assert [[part.tolist() for part in pair] for pair in got] == [
        [[1, 0], [1, 0, -1]], [[1, -1], [-1, 0, -1]], [[1, -1], [-1, 0, -1]]]
    assert both[0].op.name == "bipartite_match" and both[1].shape.as_list() == [3]
    with pytest.raises(ValueError, match="rank 2"):
        tf.contrib.image.bipartite_match([1.0], 1)
