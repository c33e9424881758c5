"""tf.keras.applications against keras_applications 1.0.8, which tf.keras 1.15 has its models from.

tests/facts/keras_applications.tsv has for each model its name, the number of its weights, and a digest of its
layers: classes, names, shapes of outputs and weights, in their order.
"""

import hashlib
import pathlib

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.keras import applications

FACTS = dict(line.split("\t", 1) for line in
             pathlib.Path("tests/facts/keras_applications.tsv").read_text().splitlines())
VARIANTS = {
    "VGG16/notop": {"include_top": False, "pooling": "avg", "input_shape": (64, 48, 3)},
    "ResNet50/notop": {"include_top": False, "pooling": "max"},
    "MobileNet/narrow": {"alpha": 0.5, "input_shape": (128, 128, 3), "classes": 10},
    "MobileNetV2/odd": {"alpha": 1.4, "input_shape": (97, 65, 3), "include_top": False},
    "InceptionV3/notop": {"include_top": False, "pooling": "avg"},
    "MobileNetV2/unknown": {"alpha": 0.35, "include_top": False, "pooling": "avg"},
}


def described(model):
    rows = [f"model\t{model.name}\t{model.count_params()}"]
    for layer in model.layers:
        shape = layer.output_shape[0] if isinstance(layer.output_shape, list) else layer.output_shape
        kind = type(layer).__name__
        kind = "BatchNormalization" if kind.startswith("BatchNorm") else kind
        weights = " ".join("x".join(map(str, w.shape)) for w in layer.weights)
        rows.append("\t".join([kind, layer.name, "x".join(map(str, shape)), weights]))
    return rows


@pytest.fixture(autouse=True)
def graph():
    tf.keras.backend.clear_session()
    yield
    tf.keras.backend.clear_session()


@pytest.mark.parametrize("name", FACTS)
def test_models(name):
    rows = described(getattr(applications, name.partition("/")[0])(weights=None, **VARIANTS.get(name, {})))
    digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]
    assert f"{rows[0]}\t{len(rows)}\t{digest}" == FACTS[name]


def test_weights_of_a_file_and_a_given_input(tmp_path):
    arguments = {"alpha": 0.25, "include_top": False, "pooling": "avg"}
    first = applications.MobileNet(input_shape=(32, 32, 3), weights=None, **arguments)
    path = str(tmp_path / "weights.h5")
    first.save_weights(path)
    images = tf.keras.Input((32, 32, 3))
    second = applications.MobileNet(input_tensor=images, input_shape=(32, 32, 3), weights=path, **arguments)
    batch = np.random.RandomState(0).rand(2, 32, 32, 3).astype(np.float32)
    np.testing.assert_allclose(first.predict(batch), second.predict(batch), rtol=1e-5)
    assert second.output_shape == (None, 256)
    assert second.layers[0].name == images.op.name and second.inputs[0] is images
    third = applications.MobileNet(input_tensor=tf.placeholder(tf.float32, [None, 32, 32, 3]),
                                   input_shape=(32, 32, 3), weights=None, **arguments)
    assert third.layers[0].output_shape in ((None, 32, 32, 3), [(None, 32, 32, 3)])


def test_behind_other_layers():
    images = tf.keras.Input((28, 28, 1))
    wide = tf.keras.layers.ZeroPadding2D(2)(tf.keras.layers.Concatenate()([images] * 3))
    model = applications.VGG16(include_top=False, weights=None, input_tensor=wide, input_shape=(32, 32, 3))
    assert model.inputs[0] is images and model.output_shape == (None, 1, 1, 512)
    assert tf.keras.backend.is_keras_tensor(wide) and not tf.keras.backend.is_keras_tensor(tf.constant(1.0))
    with pytest.raises(ValueError, match="Expected a symbolic tensor"):
        tf.keras.backend.is_keras_tensor([1.0])


def test_what_is_refused():
    with pytest.raises(ValueError, match="The `weights` argument should be either `None`"):
        applications.VGG16(weights="no such file")
    with pytest.raises(ValueError, match="Input size must be at least 32x32"):
        applications.VGG16(weights=None, include_top=False, input_shape=(16, 16, 3))
    with pytest.raises(ValueError, match="`classes` should be 1000"):
        applications.VGG16(classes=10)
    with pytest.raises(ValueError, match="you should specify a static `input_shape`"):
        applications.ResNet50(weights=None, input_shape=(None, None, 3))
    with pytest.raises(NotImplementedError, match="Rill downloads nothing"):
        applications.ResNet50()


def test_images_as_models_want_them():
    image = np.array([[[[10.0, 20.0, 30.0]]]], np.float32)
    caffe = [30 - 103.939, 20 - 116.779, 10 - 123.68]
    torch = [(v / 255 - m) / s for v, m, s in zip((10, 20, 30), (0.485, 0.456, 0.406), (0.229, 0.224, 0.225))]
    for module, want in ((applications.vgg16, caffe), (applications.resnet50, caffe),
                         (applications.densenet, torch), (applications.xception, [v / 127.5 - 1 for v in (10, 20, 30)])):
        np.testing.assert_allclose(module.preprocess_input(image).ravel(), want, rtol=1e-4)
    tensor = applications.vgg16.preprocess_input(tf.constant(image))
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(tensor).ravel(), caffe, rtol=1e-4)
    whole = applications.mobilenet.preprocess_input(np.full((1, 2, 2, 3), 255, np.uint8))
    assert whole.dtype == np.float32 and (whole == 1).all()
    assert image.ravel().tolist() == [10, 20, 30]


def test_names_of_classes(tmp_path):
    path = tmp_path / "classes.json"
    path.write_text("{" + ", ".join(f'"{i}": ["n{i}", "name {i}"]' for i in range(1000)) + "}")
    shares = np.zeros((1, 1000))
    shares[0, [7, 3]] = [0.75, 0.25]
    best, = applications.imagenet_utils.decode_predictions(shares, top=2, class_index=str(path))
    assert best == [("n7", "name 7", 0.75), ("n3", "name 3", 0.25)]
    with pytest.raises(ValueError, match="expects a batch of predictions"):
        applications.vgg16.decode_predictions(np.zeros((1, 3)))
