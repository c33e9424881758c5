"""Draws digits of seven segments, so that the examples need no download."""
import numpy as np

SIDE, PIXELS, CLASSES = 16, 256, 10
# x0, y0, x1, y1 of a figure of width 1 and height 2, and which of them each digit shows.
SEGMENTS = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1], [0, 1, 0, 2], [1, 1, 1, 2],
                     [0, 2, 1, 2]], np.float32)
SHOWN = [0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110, 0b1101011, 0b1111011, 0b0100101,
         0b1111111, 0b1101111]


def draw(count, seed=0):
    """`count` pictures, each of PIXELS values between 0 and 1, and their digits."""
    random = np.random.RandomState(seed)
    labels = random.randint(CLASSES, size=count)
    pictures = np.stack([_draw_one(random, label) for label in labels])
    return pictures.astype(np.float32), labels.astype(np.int32)


def _draw_one(random, digit):
    size, slant = random.uniform(3.6, 5.6), random.uniform(-0.35, 0.35)
    left, top = random.uniform(2.5, 11.5 - size), random.uniform(1.5, 13.5 - 2 * size)
    width, noise = random.uniform(0.14, 0.3), random.uniform(0, 0.35)
    y = (np.arange(SIDE)[:, None] - top) / size
    x = (np.arange(SIDE)[None, :] - left) / size + slant * (y - 1)
    nearest = np.full([SIDE, SIDE], 9.0)
    for i, (x0, y0, x1, y1) in enumerate(SEGMENTS):
        if SHOWN[digit] >> i & 1:
            dx, dy = x1 - x0, y1 - y0
            along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
            nearest = np.minimum(nearest, np.hypot(x - x0 - along * dx, y - y0 - along * dy))
    ink = np.clip(1.5 - nearest / width, 0, 1)
    return np.clip(ink + random.uniform(-noise, noise, [SIDE, SIDE]), 0, 1).ravel()
