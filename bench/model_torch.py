"""The models of model_graphs.py in PyTorch: each function returns one training step."""
import numpy as np
import torch
from torch import nn

from model_graphs import _digits


def _step(network, loss, optimizer, x, y):
    def step():
        optimizer.zero_grad()
        loss(network(x), y).backward()
        optimizer.step()
    return step


def _classified(network, x, y, make=torch.optim.Adam, **options):
    x, y = torch.from_numpy(x), torch.from_numpy(y.astype(np.int64))
    return _step(network, nn.CrossEntropyLoss(), make(network.parameters(), **options), x, y)


def mlp():
    layers = [nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)]
    return _classified(nn.Sequential(*layers), *_digits(128, 784))


def lenet():
    pictures, numbers = _digits(64, 28, 28, 1)
    network = nn.Sequential(
        nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 5, padding=2),
        nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 10))
    return _classified(network, pictures.transpose(0, 3, 1, 2).copy(), numbers)


class _Block(nn.Module):
    def __init__(self, before, filters, stride):
        super().__init__()

        def convolved(inputs, outputs, size, stride=1):
            return [nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs)]

        self.path = nn.Sequential(*convolved(before, filters, 1), nn.ReLU(),
                                  *convolved(filters, filters, 3, stride), nn.ReLU(),
                                  *convolved(filters, 4 * filters, 1))
        same = stride == 1 and before == 4 * filters
        self.shortcut = nn.Identity() if same else nn.Sequential(*convolved(before, 4 * filters, 1, stride))

    def forward(self, x):
        return torch.relu(self.path(x) + self.shortcut(x))


def resnet50():
    pictures, numbers = _digits(4, 128, 128, 3)
    layers, before = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
                      nn.MaxPool2d(3, 2, 1)], 64
    for filters, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(blocks):
            layers.append(_Block(before, filters, stride if i == 0 else 1))
            before = 4 * filters
    network = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 10))
    return _classified(network, pictures.transpose(0, 3, 1, 2).copy(), numbers, torch.optim.SGD,
                       lr=0.01, momentum=0.9)


class _Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.dense = nn.LSTM(28, 128, batch_first=True), nn.Linear(128, 10)

    def forward(self, x):
        return self.dense(self.cell(x)[0][:, -1])


def lstm():
    return _classified(_Lstm(), *_digits(64, 28, 28))


class _WideAndDeep(nn.Module):
    def __init__(self, words, width, columns):
        super().__init__()
        self.table, self.wide = nn.Embedding(words, width, sparse=True), nn.Embedding(words, 1, sparse=True)
        self.deep = nn.Sequential(nn.Linear(columns * width, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(),
                                  nn.Linear(64, 1))

    def forward(self, ids):
        return self.deep(self.table(ids).flatten(1)) + self.wide(ids).sum(1)


def wide_and_deep():
    random = np.random.RandomState(0)
    rows, columns, words, width = 256, 8, 20000, 32
    ids = torch.from_numpy(random.randint(0, words, (rows, columns)))
    labels = torch.from_numpy(random.randint(0, 2, (rows, 1)).astype(np.float32))
    network = _WideAndDeep(words, width, columns)
    optimizer = torch.optim.Adagrad(network.parameters(), lr=0.05)
    return _step(network, nn.BCEWithLogitsLoss(), optimizer, ids, labels)


MODELS = {"mlp": mlp, "lenet": lenet, "resnet50": resnet50, "lstm": lstm,
          "wide_and_deep": wide_and_deep}
