"""The models of model_graphs.py in PyTorch, with the same sizes and names.

Each of TRAINED returns a training step, each of ASKED a function that runs a model for a batch of a size.
"""
import numpy as np
import torch
from torch import nn
from torch.nn import functional

import model_sizes as sizes


def _step(network, loss, optimizer, x, y):
    def step():
        optimizer.zero_grad()
        value = loss(network(x), y)
        value.backward()
        optimizer.step()
        return value.detach().numpy()
    return step


def _classified(network, x, y, make=torch.optim.Adam, **options):
    x, y = torch.from_numpy(x), torch.from_numpy(y.astype(np.int64))
    return _step(network, nn.CrossEntropyLoss(), make(network.parameters(), **options), x, y)


def _asked(network, x):
    network.eval()

    def step():
        with torch.inference_mode():
            return network(torch.from_numpy(x)).float().numpy()
    return step


# Small ones.

def softmax_regression():
    return _classified(nn.Linear(784, 10), *sizes.digits(100, 784), torch.optim.SGD, lr=0.5)


def mlp():
    layers = [nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)]
    return _classified(nn.Sequential(*layers), *sizes.digits(128, 784))


def lenet():
    pictures, numbers = sizes.digits(64, 28, 28, 1)
    network = nn.Sequential(
        nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 5, padding=2),
        nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 10))
    return _classified(network, _channels_first(pictures), numbers)


# Images.

def _channels_first(pictures):
    return pictures.transpose(0, 3, 1, 2).copy()


def _convolved(inputs, outputs, size, stride=1, groups=1):
    return [nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs)]


class _Block(nn.Module):
    def __init__(self, before, filters, stride):
        super().__init__()
        self.path = nn.Sequential(*_convolved(before, filters, 1), nn.ReLU(),
                                  *_convolved(filters, filters, 3, stride), nn.ReLU(),
                                  *_convolved(filters, 4 * filters, 1))
        same = stride == 1 and before == 4 * filters
        self.shortcut = nn.Identity() if same else nn.Sequential(*_convolved(before, 4 * filters, 1, stride))

    def forward(self, x):
        return torch.relu(self.path(x) + self.shortcut(x))


def _resnet50(classes):
    layers, before = [*_convolved(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 64
    for filters, blocks, stride in sizes.RESNET_STAGES:
        for i in range(blocks):
            layers.append(_Block(before, filters, stride if i == 0 else 1))
            before = 4 * filters
    return [*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, classes)]


def _mobilenet(classes):
    layers, before = [*_convolved(3, 32, 3, 2), nn.ReLU6()], 32
    for filters, stride in sizes.MOBILENET_LAYERS:
        layers += [*_convolved(before, before, 3, stride, before), nn.ReLU6(), *_convolved(before, filters, 1),
                   nn.ReLU6()]
        before = filters
    return [*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, classes)]


IMAGE_NETWORKS = {"resnet50": _resnet50, "mobilenet": _mobilenet}


def _trained_images(name):
    def make():
        shape = sizes.TRAINED_SIDE, sizes.TRAINED_SIDE, 3
        pictures, numbers = sizes.digits(sizes.TRAINED_IMAGES[name], *shape)
        return _classified(nn.Sequential(*IMAGE_NETWORKS[name](10)), _channels_first(pictures), numbers,
                           torch.optim.SGD, lr=0.01, momentum=0.9)
    return make


def _asked_images(name):
    def make(batch):
        network = nn.Sequential(*IMAGE_NETWORKS[name](sizes.CLASSES), nn.Softmax(1))
        return _asked(network, _channels_first(sizes.digits(batch, sizes.SIDE, sizes.SIDE, 3)[0]))
    return make


# Sequences.

class _Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cell, self.dense = kind(28, 128, batch_first=True), nn.Linear(128, 10)

    def forward(self, x):
        return self.dense(self.cell(x)[0][:, -1])


def lstm():
    return _classified(_Recurrent(nn.LSTM), *sizes.digits(64, 28, 28))


def gru():
    return _classified(_Recurrent(nn.GRU), *sizes.digits(64, 28, 28))


class _Outputs(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.cell = nn.LSTM(sizes.LSTM_INPUTS, sizes.LSTM_UNITS, layers, batch_first=True)

    def forward(self, x):
        return self.cell(x)[0]


def asked_lstm(batch, layers=1):
    return _asked(_Outputs(layers), sizes.digits(batch, sizes.LSTM_STEPS, sizes.LSTM_INPUTS)[0])


class _Layer(nn.Module):
    """Attention and two dense layers, each added and normalised."""

    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.attended, self.done = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)

    def attention(self, x):
        def split(layer):
            return layer(x).unflatten(-1, (self.heads, self.size)).transpose(1, 2)

        scores = split(self.query) @ split(self.key).transpose(2, 3) * self.size ** -0.5
        return self.output((scores.softmax(-1) @ split(self.value)).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = self.attended(x + self.attention(x))
        return self.done(x + self.outer(functional.gelu(self.inner(x), approximate="tanh")))


class _Encoder(nn.Module):
    """What it makes of the first word of each row."""

    def __init__(self, count, length, layers, width, heads, inner):
        super().__init__()
        self.words, self.places = nn.Embedding(count, width), nn.Parameter(torch.zeros(length, width))
        self.embedded = nn.LayerNorm(width, 1e-12)
        self.layers = nn.Sequential(*(_Layer(width, heads, inner) for _ in range(layers)))

    def forward(self, ids):
        return self.layers(self.embedded(self.words(ids) + self.places))[:, 0]


def transformer():
    ids = sizes.words(sizes.ENCODER_BATCH, sizes.ENCODER_LENGTH, sizes.ENCODER_WORDS)
    encoder = _Encoder(sizes.ENCODER_WORDS, sizes.ENCODER_LENGTH, **sizes.ENCODER)
    network = nn.Sequential(encoder, nn.Linear(sizes.ENCODER["width"], 10))
    return _classified(network, ids, sizes.digits(sizes.ENCODER_BATCH)[1], lr=1e-4)


def bert_base(batch):
    width, encoder = sizes.BERT["width"], _Encoder(sizes.BERT_WORDS, sizes.BERT_LENGTH, **sizes.BERT)
    ids = sizes.words(batch, sizes.BERT_LENGTH, sizes.BERT_WORDS)
    return _asked(nn.Sequential(encoder, nn.Linear(width, width), nn.Tanh()), ids)


# Sparse.

class _WideAndDeep(nn.Module):
    def __init__(self, words, width, columns):
        super().__init__()
        self.table, self.wide = nn.Embedding(words, width, sparse=True), nn.Embedding(words, 1, sparse=True)
        self.deep = nn.Sequential(nn.Linear(columns * width, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(),
                                  nn.Linear(64, 1))

    def forward(self, ids):
        return self.deep(self.table(ids).flatten(1)) + self.wide(ids).sum(1)


def wide_and_deep():
    ids, labels = map(torch.from_numpy, sizes.clicks())
    network = _WideAndDeep(sizes.WIDE_WORDS, sizes.WIDE_WIDTH, sizes.WIDE_COLUMNS)
    optimizer = torch.optim.Adagrad(network.parameters(), lr=0.05)
    return _step(network, nn.BCEWithLogitsLoss(), optimizer, ids, labels)


# Its LSTM over whole sequences stands for both of TensorFlow's ways.
TRAINED = {"softmax_regression": softmax_regression, "mlp": mlp, "lenet": lenet, "wide_and_deep": wide_and_deep,
           "lstm_dynamic": lstm, "lstm_unrolled": lstm, "gru_dynamic": gru, "transformer": transformer,
           "mobilenet": _trained_images("mobilenet"), "resnet50": _trained_images("resnet50")}
ASKED = {"mobilenet": _asked_images("mobilenet"), "resnet50": _asked_images("resnet50"), "bert_base": bert_base,
         "lstm": asked_lstm, "lstm_two_layers": lambda batch: asked_lstm(batch, 2)}
