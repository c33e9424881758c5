"""tf.keras.preprocessing.image: pictures changed at random, normalised, and read from folders."""
import os

import numpy as np
import pytest
import rill as tf

image = tf.keras.preprocessing.image
PICTURE = np.arange(24, dtype="float32").reshape(4, 3, 2)


def moved(**how):
    return image.apply_affine_transform(PICTURE, **how)


def test_turned_by_a_right_angle():
    square = np.arange(18.0).reshape(3, 3, 2)
    np.testing.assert_allclose(image.apply_affine_transform(square, theta=90), np.rot90(square, -1), atol=1e-9)
    assert image.apply_affine_transform(square, theta=90).dtype == np.float64


@pytest.mark.parametrize("fill_mode, rows", [("nearest", [2, 3, 3, 3]), ("wrap", [2, 3, 1, 2]), ("reflect", [2, 3, 3, 2])])
def test_shifted_by_whole_pixels(fill_mode, rows):
    np.testing.assert_array_equal(moved(tx=2, fill_mode=fill_mode), PICTURE[rows])


def test_shifted_over_an_edge_of_one_value():
    found = moved(ty=-1, fill_mode="constant", cval=7)
    np.testing.assert_array_equal(found[:, 1:], PICTURE[:, :-1])
    assert (found[:, 0] == 7).all()


def test_places_between_pixels_are_interpolated():
    np.testing.assert_allclose(moved(tx=0.25)[:-1], 0.75 * PICTURE[:-1] + 0.25 * PICTURE[1:])
    np.testing.assert_array_equal(moved(tx=0.75, order=0)[:-1], PICTURE[1:])
    np.testing.assert_allclose(moved(tx=-0.5, fill_mode="reflect")[0], PICTURE[0])


def test_zoomed_about_the_middle():
    ramp = np.arange(5.0).reshape(5, 1, 1)
    np.testing.assert_allclose(image.apply_affine_transform(ramp, zx=0.5).ravel(), [1, 1.5, 2, 2.5, 3])
    np.testing.assert_allclose(image.apply_affine_transform(ramp, zx=2).ravel(), [0, 0, 2, 4, 4])


def test_channels_first():
    first = np.moveaxis(PICTURE, 2, 0)
    found = image.apply_affine_transform(first, theta=30, shear=10, zy=0.7, row_axis=1, col_axis=2, channel_axis=0)
    np.testing.assert_array_equal(found, np.moveaxis(moved(theta=30, shear=10, zy=0.7), 2, 0))


def test_brightness_is_that_of_eight_bits():
    x = np.array([0.0, 100.9, 200.0]).reshape(1, 3, 1)
    assert image.apply_brightness_shift(x, 1.5, scale=False).ravel().tolist() == [0, 150, 255]
    assert image.apply_brightness_shift(x, 0.5).ravel().tolist() == [0, 64, 127]
    assert image.apply_channel_shift(x, 50.0).ravel().tolist() == [50, 150.9, 200]


@pytest.mark.parametrize("how, error", [({"fill_mode": "mirror"}, ValueError), ({"row_axis": 5, "tx": 1}, ValueError),
                                        ({"order": 3, "tx": 1}, tf.errors.UnimplementedError),
                                        ({"row_axis": 1, "tx": 1}, ValueError)])
def test_refused(how, error):
    with pytest.raises(error):
        moved(**how)
    with pytest.raises(ValueError, match="three dimensions"):
        image.apply_affine_transform(np.ones([2, 2]), theta=3)


def test_what_is_drawn_is_keras():
    drawn = image.ImageDataGenerator(rotation_range=20, width_shift_range=.1, height_shift_range=[-2, 2], shear_range=5,
                                     zoom_range=.2, channel_shift_range=3., brightness_range=(.5, 1.5),
                                     horizontal_flip=True, vertical_flip=True).get_random_transform((10, 12, 3), seed=1)
    assert list(drawn) == ["theta", "tx", "ty", "shear", "zx", "zy", "flip_horizontal", "flip_vertical",
                           "channel_shift_intensity", "brightness"]
    np.testing.assert_allclose(drawn["theta"], 20 * (2 * np.random.RandomState(1).random_sample() - 1))


def test_fitted_statistics():
    x = np.random.RandomState(0).rand(40, 4, 5, 3)
    generator = image.ImageDataGenerator(featurewise_center=True, featurewise_std_normalization=True)
    generator.fit(x)
    np.testing.assert_allclose(generator.mean, x.mean((0, 1, 2)).reshape(1, 1, 3), rtol=1e-5)
    np.testing.assert_allclose(generator.std, x.std((0, 1, 2)).reshape(1, 1, 3), rtol=1e-5)
    np.testing.assert_allclose(generator.standardize(x[0]), (x[0] - generator.mean) / generator.std, rtol=1e-4)
    with pytest.raises(ValueError, match="rank 4"):
        generator.fit(x[0])


def test_whitened_values_are_not_correlated():
    x = np.random.RandomState(0).rand(200, 2, 2, 1) @ np.ones([1, 2]) + np.random.RandomState(1).rand(200, 2, 2, 2)
    generator = image.ImageDataGenerator(zca_whitening=True)
    generator.fit(x)
    white = np.stack([generator.standardize(one) for one in x]).reshape(200, -1)
    np.testing.assert_allclose(white.T @ white / 200, np.eye(8), atol=1e-2)


def test_batches_of_arrays():
    x, y = np.random.rand(7, 2, 2, 1), np.arange(7)
    flow = image.ImageDataGenerator(rescale=0.5).flow(x, y, batch_size=3, shuffle=False)
    assert len(flow) == 3 and flow.n == 7
    found = [next(flow) for _ in range(3)]
    np.testing.assert_allclose(np.concatenate([part[0] for part in found]), x * 0.5, rtol=1e-6)
    assert [part[1].tolist() for part in found] == [[0, 1, 2], [3, 4, 5], [6]]
    np.testing.assert_array_equal(flow[2][1], [6])
    halves = image.ImageDataGenerator(validation_split=0.3)
    parts = [halves.flow(x, y % 2, subset=subset) for subset in ("training", "validation")]
    assert [part.n for part in parts] == [5, 2] and parts[1].y.tolist() == [0, 1]
    with pytest.raises(ValueError, match="different number of classes"):
        halves.flow(x, y, subset="training")
    with pytest.raises(ValueError, match="rank 4"):
        image.ImageDataGenerator().flow(x[0])


def test_a_model_is_trained_by_batches():
    model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(4, 4, 1)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    generator = image.ImageDataGenerator(rotation_range=10, horizontal_flip=True, zoom_range=0.1)
    flow = generator.flow(np.random.rand(8, 4, 4, 1), np.ones(8), batch_size=4)
    history = model.fit_generator(flow, steps_per_epoch=2, epochs=2, verbose=0)
    assert len(history.history["loss"]) == 2


@pytest.fixture
def folder(tmp_path):
    for i in range(6):
        (tmp_path / "ab"[i % 2]).mkdir(exist_ok=True)
        image.save_img(tmp_path / "ab"[i % 2] / f"{i}.png", np.full([4, 6, 3], 40.0 * i), scale=False)
    return tmp_path


def test_batches_of_a_folder(folder, capsys):
    flow = image.ImageDataGenerator().flow_from_directory(str(folder), target_size=(2, 3), batch_size=4, shuffle=False)
    assert capsys.readouterr().out == "Found 6 images belonging to 2 classes.\n"
    assert flow.class_indices == {"a": 0, "b": 1} and flow.filenames[0] == os.path.join("a", "0.png")
    x, y = next(flow)
    assert x.shape == (4, 2, 3, 3) and x[:, 0, 0, 0].tolist() == [0, 80, 160, 40]
    assert y.tolist() == [[1, 0], [1, 0], [1, 0], [0, 1]]
    gray = image.ImageDataGenerator().flow_from_directory(folder, (4, 6), "grayscale", class_mode="binary", shuffle=False)
    x, y = gray[0]
    assert x.shape == (6, 4, 6, 1) and y.tolist() == [0, 0, 0, 1, 1, 1] and x[5, 0, 0, 0] == 200


def test_batches_that_a_table_names(folder):
    table = {"filename": ["a/0.png", "b/1.png", "gone.png"], "class": ["x", "y", "x"], "age": [3.0, 4.0, 5.0]}
    generator = image.ImageDataGenerator()
    _, classes = generator.flow_from_dataframe(table, folder, target_size=(2, 2), shuffle=False)[0]
    assert classes.tolist() == [[1, 0], [0, 1]]
    _, ages = generator.flow_from_dataframe(table, folder, y_col="age", class_mode="raw", target_size=(2, 2), shuffle=False)[0]
    assert ages.tolist() == [3, 4]


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    for function in (lambda: image.load_img("x.png"), lambda: image.array_to_img(np.ones([2, 2, 3]))):
        with pytest.raises(ImportError, match="Could not import PIL.Image"):
            function()
