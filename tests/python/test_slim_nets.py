"""tf.contrib.slim.nets against what tf_slim 1.1 makes: variables, end points, losses, windows.

tests/facts/tf_slim_nets.tsv has a digest of each network, and the rows of some of them.
"""

import hashlib
import pathlib

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.contrib import slim
from tensorflow.contrib.slim.nets import alexnet, inception, overfeat, resnet_utils, resnet_v1, resnet_v2, vgg

FACTS = [line.split("\t", 1) for line in
         pathlib.Path("tests/facts/tf_slim_nets.tsv").read_text().splitlines()]
NETWORKS = {
    "vgg_a": (vgg, vgg.vgg_arg_scope, 224), "vgg_16": (vgg, vgg.vgg_arg_scope, 224),
    "vgg_19": (vgg, vgg.vgg_arg_scope, 224), "alexnet_v2": (alexnet, alexnet.alexnet_v2_arg_scope, 224),
    "overfeat": (overfeat, overfeat.overfeat_arg_scope, 231),
    "inception_v1": (inception, inception.inception_v1_arg_scope, 224),
    "inception_v2": (inception, inception.inception_v2_arg_scope, 224),
    "inception_v3": (inception, inception.inception_v3_arg_scope, 299),
    **{f"resnet_v1_{n}": (resnet_v1, resnet_v1.resnet_arg_scope, 224) for n in (50, 101, 152, 200)},
    **{f"resnet_v2_{n}": (resnet_v2, resnet_v2.resnet_arg_scope, 224) for n in (50, 101, 152, 200)},
}
ATROUS = {"num_classes": None, "global_pool": False, "output_stride": 16, "is_training": False}
VARIANTS = {
    "vgg_16/unsqueezed": {"num_classes": 7, "spatial_squeeze": False, "scope": "mine"},
    "inception_v2/narrow": {"depth_multiplier": 0.5, "num_classes": 10, "spatial_squeeze": False},
    "inception_v3/narrow": {"depth_multiplier": 0.5, "create_aux_logits": False, "num_classes": 10,
                            "is_training": False},
    "resnet_v1_50/atrous": ATROUS, "resnet_v2_50/atrous": ATROUS,
}


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def build(name, arguments, inputs=None):
    module, arg_scope, size = NETWORKS[name]
    if name.startswith("resnet"):
        arguments = {"num_classes": 1000, **arguments}
    inputs = tf.zeros([2, size, size, 3]) if inputs is None else inputs
    with slim.arg_scope(arg_scope()):
        return getattr(module, name)(inputs, **arguments)


def text_of(shape):
    return "x".join(map(str, shape.as_list()))


def rows_of(graph, net, end_points):
    rows = [f"variable\t{v.op.name}\t{text_of(v.shape)}" for v in tf.global_variables()]
    rows += [f"end_point\t{key}\t{text_of(t.shape)}\t{t.op.name}" for key, t in end_points.items()]
    rows += ["loss\t" + loss.op.name for loss in tf.losses.get_regularization_losses()]
    rows += [f"{name}\t{len(tf.get_collection(key))}" for name, key in (
        ("update", tf.GraphKeys.UPDATE_OPS), ("moving", "moving_vars"),
        ("model", tf.GraphKeys.MODEL_VARIABLES))]
    rows.append(f"net\t{net.op.name}\t{text_of(net.shape)}")
    windows = ("Conv2D", "MaxPool", "AvgPool", "DepthwiseConv2dNative")
    return rows + [
        f"convolution\t{op.name}\t{list(op.get_attr('strides'))}\t{op.get_attr('padding').decode()}\t"
        f"{text_of(op.outputs[0].shape)}" for op in graph.get_operations() if op.type in windows]


@pytest.mark.parametrize("name", [*NETWORKS, *VARIANTS])
def test_networks_are_those_of_tf_slim(graph, name):
    rows = rows_of(graph, *build(name.partition("/")[0], VARIANTS.get(name, {})))
    known = [row for key, row in FACTS if key == name]
    assert [row for row in known[1:] if row not in rows] == []
    digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]
    assert f"digest\t{len(rows)}\t{digest}" == known[0]


def test_scopes_around_a_network_apply_to_its_layers():
    with slim.arg_scope([slim.conv2d], weights_initializer=tf.ones_initializer()):
        net, _ = vgg.vgg_a(tf.zeros([1, 224, 224, 3]), num_classes=3, is_training=False)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(tf.trainable_variables()[0]).min() == 1
        assert session.run(net).tolist() == [[0, 0, 0]]


def test_networks_end_where_they_are_told():
    net, end_points = inception.inception_v3_base(tf.zeros([1, 299, 299, 3]), final_endpoint="Mixed_5d")
    assert list(end_points)[-1] == "Mixed_5d" and net.shape.as_list() == [1, 35, 35, 288]
    with pytest.raises(ValueError, match="Unknown final endpoint Mixed_9z"):
        inception.inception_v3_base(tf.zeros([1, 299, 299, 3]), final_endpoint="Mixed_9z", scope="other")
    with pytest.raises(ValueError, match="depth_multiplier is not greater than zero"):
        inception.inception_v2(tf.zeros([1, 224, 224, 3]), depth_multiplier=0)


def test_blocks_of_the_program():
    seen = []

    @slim.add_arg_scope
    def unit(inputs, depth, stride, rate=1, outputs_collections=None, scope=None):
        seen.append((depth, stride, rate))
        return slim.conv2d(inputs, depth, 3, stride=stride, rate=rate, scope="conv")

    blocks = [resnet_utils.Block("first", unit, [{"depth": 4, "stride": 2}]),
              resnet_utils.Block("second", unit, [{"depth": 8, "stride": 2}, {"depth": 8, "stride": 1}])]
    net, end_points = resnet_v1.resnet_v1(tf.ones([1, 33, 33, 3]), blocks, is_training=False,
                                          output_stride=8, global_pool=False, scope="mine")
    assert seen == [(4, 2, 1), (8, 1, 1), (8, 1, 2)] and net.shape.as_list() == [1, 4, 4, 8]
    assert "mine/second/unit_2/conv" in end_points and "mine/first" in end_points
    with pytest.raises(ValueError, match="output_stride cannot be reached"):
        resnet_v1.resnet_v1(tf.ones([1, 33, 33, 3]), blocks, output_stride=64, scope="far")


def test_shared_and_trained():
    images = tf.constant(np.random.RandomState(0).rand(2, 32, 32, 3), tf.float32)
    blocks = [resnet_v2.resnet_v2_block("block1", base_depth=2, num_units=2, stride=2)]
    with slim.arg_scope(resnet_v2.resnet_arg_scope()):
        logits, _ = resnet_v2.resnet_v2(images, blocks, 5, scope="r")
        again, _ = resnet_v2.resnet_v2(images, blocks, 5, is_training=False, scope="r", reuse=True)
    count = len(tf.global_variables())
    loss = tf.losses.sparse_softmax_cross_entropy([1, 2], tf.squeeze(logits, [1, 2]))
    train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run(train) for _ in range(8)]
        assert session.run(again).shape == (2, 1, 1, 5)
    assert losses[-1] < losses[0]
    assert len(tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)) == count


def test_long_paths_name_the_same_functions():
    from tensorflow.contrib.slim.python.slim.nets import resnet_v1 as long_path
    from tensorflow.contrib.slim.python.slim.nets.inception_v3 import inception_v3
    assert long_path.resnet_v1_50 is resnet_v1.resnet_v1_50 and inception_v3 is inception.inception_v3
    assert slim.nets.vgg.vgg_16.default_image_size == 224
