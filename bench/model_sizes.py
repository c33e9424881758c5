"""What the models of model_graphs.py and of model_torch.py have in common: sizes and data."""
import numpy as np

RESNET_STAGES = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))  # filters, blocks, stride
# Filters and stride of the 13 depthwise-separable layers of MobileNet 1.0.
MOBILENET_LAYERS = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2), (1024, 1))
CLASSES = 1000  # of images
TRAINED_IMAGES = {"resnet50": 4, "mobilenet": 8}  # of 128 x 128 in a step
TRAINED_SIDE, SIDE = 128, 224

ENCODER = {"layers": 2, "width": 256, "heads": 4, "inner": 1024}
ENCODER_BATCH, ENCODER_LENGTH, ENCODER_WORDS = 16, 64, 8000
BERT = {"layers": 12, "width": 768, "heads": 12, "inner": 3072}
BERT_LENGTH, BERT_WORDS = 128, 30522

LSTM_STEPS, LSTM_INPUTS, LSTM_UNITS = 64, 128, 256  # of the one that is asked

WIDE_ROWS, WIDE_COLUMNS, WIDE_WORDS, WIDE_WIDTH = 256, 8, 20000, 32


def digits(rows, *shape, classes=10):
    random = np.random.RandomState(0)
    return random.rand(rows, *shape).astype(np.float32), random.randint(0, classes, rows).astype(np.int32)


def words(rows, length, count):
    return np.random.RandomState(0).randint(0, count, (rows, length)).astype(np.int32)


def clicks():
    """Ids of a sparse model, and whether there was a click."""
    labels = np.random.RandomState(1).randint(0, 2, (WIDE_ROWS, 1)).astype(np.float32)
    return words(WIDE_ROWS, WIDE_COLUMNS, WIDE_WORDS), labels
