"""How alike images are, boxes in them, and files of them."""
import numpy as np
import tensorflow as tf

from program import feeds

RGB = (np.arange(36, dtype=np.float32).reshape(3, 4, 3) * 7 % 37) / 37
A = (np.arange(2 * 12 * 12).reshape(2, 12, 12, 1) * 7 % 101 / 101).astype(np.float32)
B = (A * 0.8 + (np.arange(2 * 12 * 12).reshape(2, 12, 12, 1) * 11 % 23 / 115)).astype(np.float32)
BOXES = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1],
                  [0, 100, 1, 101]], np.float32)
SCORES = np.array([0.9, 0.75, 0.6, 0.95, 0.5, 0.3], np.float32)


def outside(build):
    """The values of nodes that TensorFlow 2 makes otherwise, in a graph that is not compared."""
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(build())


def pair(dtype=tf.float32):
    return tf.placeholder(dtype, [2, 12, 12, 1], name="a"), tf.placeholder(dtype, [2, 12, 12, 1], name="b")


def program_noise():
    a, b = pair()
    return feeds({a: A, b: B}, y=tf.image.psnr(a, b, 1.0), z=tf.image.psnr(a, b, max_val=2, name="noise"))


def program_noise_of_bytes():
    a, b = pair(tf.uint8)
    return feeds({a: A * 255, b: B * 255}, y=tf.image.psnr(a, b, 255))


def program_noise_any_rank():
    a, b = tf.placeholder(tf.float32, None, name="a"), tf.placeholder(tf.float32, None, name="b")
    return feeds({a: A, b: B}, y=tf.image.psnr(a, b, 1.0))


def program_structure():
    a, b = pair()
    return feeds({a: A, b: B}, y=tf.image.ssim(a, b, 1.0))


def program_structure_small_filter():
    a, b = pair(tf.uint8)
    return feeds({a: A * 255, b: B * 255},
                 y=tf.image.ssim(a, b, 255, filter_size=5, filter_sigma=0.9, k1=0.02, k2=0.05))


def program_structure_scales():
    return {"y": outside(lambda: tf.image.ssim_multiscale(
        tf.constant(A), tf.constant(B), 1.0, power_factors=(0.3, 0.4, 0.3), filter_size=3))}


def program_structure_odd_scales():
    odd = np.tile(A, [1, 2, 2, 2])[:, :23, :21]
    other = np.tile(B, [1, 2, 2, 2])[:, :23, :21]
    return {"y": outside(lambda: tf.image.ssim_multiscale(
        tf.constant(odd), tf.constant(other), 1.0, power_factors=(0.5, 0.5), filter_size=5, k1=0.02))}


def program_variation():
    x, y = tf.placeholder(tf.float32, [3, 4, 3], name="x"), tf.placeholder(tf.float32, [None, 3, 4, 3], name="y")
    return feeds({x: RGB, y: [RGB, RGB * 2]}, one=tf.image.total_variation(x),
                 all=tf.image.total_variation(y, name="v"))


def program_edges():
    x = tf.placeholder(tf.float32, [1, 3, 4, 3], name="x")
    return feeds({x: [RGB]}, y=tf.image.sobel_edges(x))


def program_edges_unknown():
    x = tf.placeholder(tf.float32, [None, None, None, None], name="x")
    return feeds({x: [RGB]}, y=tf.image.sobel_edges(x))


def program_steps():
    x = tf.placeholder(tf.float32, [1, 3, 4, 3], name="x")
    dy, dx = tf.image.image_gradients(x)
    return feeds({x: [RGB]}, dy=dy, dx=dx)


def program_steps_unknown():
    x = tf.placeholder(tf.float32, [None, None, None, 3], name="x")
    dy, dx = tf.image.image_gradients(x)
    return feeds({x: [RGB]}, dy=dy, dx=dx)


def boxes():
    return tf.placeholder(tf.float32, [6, 4], name="boxes"), tf.placeholder(tf.float32, [6], name="scores")


def program_best_boxes():
    b, s = boxes()
    return feeds({b: BOXES, s: SCORES}, y=tf.image.non_max_suppression(b, s, 3),
                 few=tf.image.non_max_suppression(b, s, 3, 0.3, score_threshold=0.4, name="few"))


def program_best_boxes_by_tensor():
    b, s = boxes()
    n = tf.placeholder(tf.int32, [], name="n")
    return feeds({b: BOXES, s: SCORES, n: 2}, y=tf.image.non_max_suppression(b, s, n, tf.constant(0.5)))


def program_best_boxes_scores():
    b, s = boxes()
    indices, scores = tf.image.non_max_suppression_with_scores(b, s, 6, soft_nms_sigma=0.5, score_threshold=0.1)
    return feeds({b: BOXES, s: SCORES}, indices=indices, scores=scores)


def program_best_boxes_overlaps():
    o = tf.placeholder(tf.float32, [6, 6], name="o")
    s = tf.placeholder(tf.float32, [6], name="s")
    overlaps = np.exp(-np.abs(np.subtract.outer(BOXES[:, 1], BOXES[:, 1])))
    return feeds({o: overlaps, s: SCORES}, y=tf.image.non_max_suppression_overlaps(o, s, 3))


def program_best_boxes_padded():
    def build():
        indices, count = tf.image.non_max_suppression_padded(
            tf.constant(BOXES), tf.constant(SCORES), 5, pad_to_max_output_size=True)
        return count
    return {"y": outside(build)}


def program_best_boxes_combined():
    b = tf.placeholder(tf.float32, [1, 6, 1, 4], name="b")
    s = tf.placeholder(tf.float32, [1, 6, 2], name="s")
    found = tf.image.combined_non_max_suppression(b, s, 3, 4, score_threshold=0.2, clip_boxes=False)
    return feeds({b: BOXES.reshape(1, 6, 1, 4), s: np.stack([SCORES, SCORES[::-1]], 1)[None]},
                 boxes=found.nmsed_boxes, scores=found.nmsed_scores, classes=found.nmsed_classes,
                 count=found.valid_detections)


def program_random_box():
    b = tf.placeholder(tf.float32, [1, 1, 4], name="b")
    begin, size, box = tf.image.sample_distorted_bounding_box([20, 30, 3], b, seed=3)
    return [feeds({b: [[[0.2, 0.2, 0.8, 0.9]]]}, begin=begin, size=size, box=box) for _ in range(2)]


def program_random_box_with_options():
    b = tf.placeholder(tf.float32, [1, 0, 4], name="b")
    found = tf.image.sample_distorted_bounding_box(
        tf.constant([20, 30, 3], tf.int64), b, seed=3, seed2=4, min_object_covered=0.3, aspect_ratio_range=[0.5, 2],
        area_range=[0.2, 0.9], max_attempts=20, use_image_if_no_bounding_boxes=True, name="part")
    return feeds({b: np.zeros([1, 0, 4])}, begin=found.begin, size=found.size)


def program_drawn_boxes():
    x, b = tf.placeholder(tf.float32, [1, 3, 4, 3], name="x"), tf.placeholder(tf.float32, [1, 2, 4], name="b")
    return feeds({x: [RGB], b: [[[0, 0, 0.5, 0.5], [0.2, 0.2, 1, 1]]]}, y=tf.image.draw_bounding_boxes(x, b),
                 z=tf.image.draw_bounding_boxes(x, b, colors=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]))


def program_cropped_boxes():
    x, b = tf.placeholder(tf.float32, [1, 3, 4, 3], name="x"), tf.placeholder(tf.float32, [2, 4], name="b")
    fed = {x: [RGB], b: [[0, 0, 0.5, 0.5], [0.2, 0.2, 1.2, 1]]}
    return feeds(fed, y=tf.image.crop_and_resize(x, b, [0, 0], [2, 2]),
                 z=tf.image.crop_and_resize(x, b, box_indices=[0, 0], crop_size=[2, 3], method="nearest",
                                            extrapolation_value=0.5, name="near"))


def program_glimpse():
    x, o = tf.placeholder(tf.float32, [1, 3, 4, 3], name="x"), tf.placeholder(tf.float32, [1, 2], name="o")
    return feeds({x: [RGB], o: [[0.0, 0.2]]}, y=tf.image.extract_glimpse(x, [2, 2], o, name="seen"))


def program_patches():
    x = tf.placeholder(tf.float32, [1, 3, 4, 3], name="x")
    return feeds({x: [RGB]}, y=tf.image.extract_image_patches(x, [1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1], "SAME"),
                 z=tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 2, 1], "VALID", name="p"))


def program_files():
    x = tf.placeholder(tf.uint8, [3, 4, 3], name="x")
    png = tf.image.encode_png(x, compression=3)
    jpeg = tf.image.encode_jpeg(x, quality=90, name="stored")
    return feeds({x: RGB * 255}, back=tf.image.decode_png(png), grey=tf.image.decode_png(png, channels=1),
                 wide=tf.image.decode_png(png, dtype=tf.uint16), is_jpeg=tf.image.is_jpeg(jpeg),
                 not_jpeg=tf.image.is_jpeg(png, name="n"), shape=tf.image.extract_jpeg_shape(jpeg))


def program_any_file():
    """decode_image is one op in TensorFlow 2."""
    def build():
        x = tf.constant((RGB * 255).astype(np.uint8))
        png = tf.image.encode_png(x)
        return [tf.image.decode_image(png), tf.image.decode_image(png, channels=1),
                tf.image.decode_image(png, dtype=tf.float32), tf.image.decode_image(png, channels=4, dtype=tf.uint16)]
    return {f"v{i}": value for i, value in enumerate(outside(build))}


def program_any_gif():
    gif = (b"GIF89a\x02\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\xff\x00,\x00\x00\x00\x00\x02\x00\x01\x00\x00"
           b"\x02\x02D\n\x00;")
    return {"all": outside(lambda: tf.image.decode_image(gif)),
            "first": outside(lambda: tf.image.decode_image(gif, expand_animations=False))}


def program_any_bmp():
    bmp = (b"BM" + (54 + 8).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little") + (40).to_bytes(4, "little")
           + (2).to_bytes(4, "little") + (1).to_bytes(4, "little") + b"\x01\x00\x18\x00" + bytes(24)
           + b"\x01\x02\x03\x04\x05\x06\x00\x00")
    return {"y": outside(lambda: tf.image.decode_image(bmp)), "z": outside(lambda: tf.image.decode_bmp(bmp))}


def program_stored_quality():
    smooth = np.add.outer(np.arange(16), np.arange(16)).reshape(16, 16, 1).repeat(3, 2) / 32
    changed = outside(lambda: tf.image.adjust_jpeg_quality(tf.constant(smooth, tf.float32), 80))
    return {"is_near": bool(np.abs(changed - smooth).max() < 0.1), "shape": list(changed.shape)}


def program_stored_quality_nodes():
    x = tf.placeholder(tf.uint8, [8, 8, 3], name="x")
    y = tf.placeholder(tf.float32, [8, 8, 1], name="y")
    tf.image.adjust_jpeg_quality(x, 50)
    tf.image.random_jpeg_quality(y, 20, 90, seed=3)
    tf.image.adjust_jpeg_quality(y, tf.placeholder(tf.int32, [], name="q"), name="worse")
    return {}
