"""Images mirrored, turned, cropped, padded and resized."""
import numpy as np
import tensorflow as tf

from program import feeds

ONE = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
TWO = np.arange(48, dtype=np.float32).reshape(2, 3, 4, 2)


def one(dtype=tf.float32):
    return tf.placeholder(dtype, [3, 4, 2], name="x")


def two(dtype=tf.float32):
    return tf.placeholder(dtype, [2, 3, 4, 2], name="x")


def any_rank():
    return tf.placeholder(tf.float32, None, name="x")


def program_flips_of_one():
    x = one()
    return feeds({x: ONE}, lr=tf.image.flip_left_right(x), ud=tf.image.flip_up_down(x),
                 t=tf.image.transpose_image(x), named=tf.image.transpose(x, name="turned"))


def program_flips_of_batch():
    x = two()
    return feeds({x: TWO}, lr=tf.image.flip_left_right(x), ud=tf.image.flip_up_down(x),
                 t=tf.image.transpose(x))


def program_flip_any_rank():
    x = any_rank()
    y = tf.image.flip_left_right(x)
    return [feeds({x: ONE}, y=y), feeds({x: TWO}, y=y)]


def program_flip_up_down_any_rank():
    x = any_rank()
    y = tf.image.flip_up_down(x)
    return [feeds({x: ONE}, y=y), feeds({x: TWO}, y=y)]


def program_transpose_any_rank():
    x = any_rank()
    return {"name": tf.image.transpose(x).name}  # TensorFlow 2.15 fails to run it


def program_flip_unknown_size():
    x = tf.placeholder(tf.float32, [None, None, 2], name="x")
    return feeds({x: ONE}, y=tf.image.flip_left_right(x))


def program_flip_of_array():
    return {"y": tf.image.flip_left_right([[[1], [2]], [[3], [4]]])}


def program_turned():
    x = one()
    return feeds({x: ONE}, y=tf.image.rot90(x))


def program_turned_back():
    x = one()
    return feeds({x: ONE}, y=tf.image.rot90(x, k=-1, name="back"))


def program_turned_by_tensor():
    x, k = two(), tf.placeholder(tf.int32, [], name="k")
    y = tf.image.rot90(x, k=k)
    return [feeds({x: TWO, k: n}, y=y) for n in range(5)]


def program_turned_any_rank():
    x = any_rank()
    return {"name": tf.image.rot90(x, k=3).name}  # nor this


def flipped(flip, images, times, shape=None, dtype=tf.float32, **options):
    """The results of several runs, in a graph that is not compared: random numbers from 0 on are made of fewer nodes
    in TensorFlow 2."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(dtype, shape)
        y = flip(x, **options)
        return {f"y{i}": session.run(y, {x: images}) for i in range(times)}


def program_random_flip():
    return flipped(tf.image.random_flip_left_right, ONE, 4, [3, 4, 2], seed=3)


def program_random_flip_of_batch():
    return flipped(tf.image.random_flip_up_down, TWO, 3, [2, 3, 4, 2], seed=5)


def program_random_flip_of_bytes():
    return flipped(tf.image.random_flip_left_right, TWO, 2, [None, 3, 4, 2], tf.uint8, seed=7)


def program_random_flip_any_rank():
    return {**flipped(tf.image.random_flip_left_right, ONE, 2, seed=3),
            "batch": flipped(tf.image.random_flip_left_right, TWO, 1, seed=3)["y0"]}


def program_middle():
    x = tf.placeholder(tf.float32, [7, 9, 2], name="x")
    y = tf.placeholder(tf.float32, [2, 6, 8, 1], name="y")
    return feeds({x: np.arange(126).reshape(7, 9, 2), y: np.arange(96).reshape(2, 6, 8, 1)},
                 half=tf.image.central_crop(x, 0.5), most=tf.image.central_crop(y, 0.875),
                 all=tf.image.central_crop(x, 1.0))


def program_middle_of_unknown_size():
    x = tf.placeholder(tf.float32, [None, None, 2], name="x")
    return feeds({x: np.arange(126).reshape(7, 9, 2)}, y=tf.image.central_crop(x, 0.5))


def program_middle_of_unknown_width():
    x = tf.placeholder(tf.float32, [2, 6, None, 1], name="x")
    return feeds({x: np.arange(96).reshape(2, 6, 8, 1)}, y=tf.image.central_crop(x, 0.25))


def program_crop():
    x, y = one(), tf.placeholder(tf.uint8, [2, 3, 4, 2], name="y")
    return feeds({x: ONE, y: TWO}, a=tf.image.crop_to_bounding_box(x, 1, 2, 2, 1),
                 b=tf.image.crop_to_bounding_box(y, 0, 1, 2, 3))


def program_crop_any_rank():
    x = any_rank()
    return feeds({x: ONE}, y=tf.image.crop_to_bounding_box(x, 1, 2, 2, 1))


def program_crop_by_tensors():
    x, places = one(), [tf.placeholder(tf.int32, [], name=n) for n in "abcd"]
    return feeds({x: ONE, **dict(zip(places, (1, 2, 2, 1)))}, y=tf.image.crop_to_bounding_box(x, *places))


def program_pad():
    x, y = one(), two()
    return feeds({x: ONE, y: TWO}, a=tf.image.pad_to_bounding_box(x, 1, 2, 5, 7),
                 b=tf.image.pad_to_bounding_box(y, 0, 0, 3, 4))


def program_pad_unknown():
    x = tf.placeholder(tf.float32, [None, None, None, 2], name="x")
    return feeds({x: TWO}, y=tf.image.pad_to_bounding_box(x, 1, 0, 5, 5))


def program_pad_by_tensors():
    x, places = one(), [tf.placeholder(tf.int32, [], name=n) for n in "abcd"]
    return feeds({x: ONE, **dict(zip(places, (1, 2, 5, 7)))}, y=tf.image.pad_to_bounding_box(x, *places))


def program_crop_or_pad():
    x = one()
    return feeds({x: ONE}, y=tf.image.resize_image_with_crop_or_pad(x, 5, 2),
                 z=tf.image.resize_with_crop_or_pad(x, 2, 7))


def program_crop_or_pad_any_rank():
    x = any_rank()
    return feeds({x: ONE}, y=tf.image.resize_image_with_crop_or_pad(x, 5, 2))


def program_crop_or_pad_by_tensors():
    x, h, w = one(), tf.placeholder(tf.int32, [], name="h"), tf.placeholder(tf.int32, [], name="w")
    y = tf.image.resize_image_with_crop_or_pad(x, h, w)
    return [feeds({x: ONE, h: 5, w: 2}, y=y), feeds({x: ONE, h: 2, w: 6}, y=y)]


def program_resize_methods():
    x = one()
    return feeds({x: ONE}, **{f"m{m}": tf.image.resize_images(x, [5, 3], method=m) for m in range(4)},
                 corners=tf.image.resize_images(x, [2, 6], align_corners=True))


def program_resize_batch():
    x = two(tf.uint8)
    return feeds({x: TWO}, same=tf.image.resize_images(x, [3, 4]),
                 near=tf.image.resize_images(x, (6, 2), tf.image.ResizeMethod.NEAREST_NEIGHBOR),
                 area=tf.image.resize(x, [2, 2], tf.image.ResizeMethod.AREA, name="area"))


def program_resize_to_tensor():
    x, size = two(), tf.placeholder(tf.int32, [2], name="size")
    width = tf.placeholder(tf.int32, [], name="width")
    return feeds({x: TWO, size: [4, 5], width: 3}, y=tf.image.resize_images(x, size),
                 z=tf.image.resize_images(x, [2, width], method=tf.image.ResizeMethod.BICUBIC))


def program_resize_proportions():
    x = two()
    return feeds({x: TWO}, y=tf.image.resize_images(x, [6, 6], preserve_aspect_ratio=True))


def program_resize_unknown_proportions():
    x = tf.placeholder(tf.float32, [2, None, 4, 2], name="x")
    return feeds({x: TWO}, y=tf.image.resize_images(x, [6, 6], preserve_aspect_ratio=True))


def program_resize_ops():
    x = two()
    size = [5, 2]
    return feeds({x: TWO}, a=tf.image.resize_bilinear(x, size, half_pixel_centers=True),
                 b=tf.image.resize_nearest_neighbor(x, size, align_corners=True),
                 c=tf.image.resize_bicubic(x, size, name="cubic"), d=tf.image.resize_area(x, size))


def program_resize_with_pad():
    x = one()
    return feeds({x: ONE}, y=tf.image.resize_image_with_pad(x, 5, 5))


def program_resize_with_pad_unknown():
    x = tf.placeholder(tf.float32, [None, None, None, 2], name="x")
    return feeds({x: TWO}, y=tf.image.resize_image_with_pad(x, 4, 6, method=1, align_corners=True))


def program_resize_gradient():
    x = two()
    y = tf.reduce_sum(tf.square(tf.image.resize_bilinear(x, [5, 3])))
    return feeds({x: TWO}, y=y)


def program_random_part():
    x = one()
    return feeds({x: ONE}, y=tf.image.random_crop(x, [2, 2, 2], seed=4))


def program_names_and_scopes():
    x = one()
    with tf.name_scope("outer"):
        y = tf.image.flip_left_right(x)
        z = tf.image.resize_images(y, [2, 2], name="small")
    return feeds({x: ONE}, y=y, z=z)
