#!/usr/bin/env python3
"""Writes small pictures of every kind to tests/fuzz/corpus: seeds of the fuzz targets, and what the
op cases decode.

Run by the Python of an environment with TensorFlow 2.15 (see ./do goldens), which writes the JPEGs. The
other formats are written here, because no encoder makes all their variants.
"""
import os
import pathlib
import struct
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "fuzz" / "corpus"
HEIGHT, WIDTH = 13, 21


def samples(channels, most=255):
    """Slopes with an edge, different in each channel."""
    y, x, c = np.mgrid[0:HEIGHT, 0:WIDTH, 0:channels]
    values = (y * (9 + 3 * c) + x * (5 + 4 * c) + 60 * (x > y + 4)) % 256
    return (values * most // 255).astype(np.uint16 if most > 255 else np.uint8)


# --- JPEG ------------------------------------------------------------------------------------

def jpegs():
    rgb, grey = samples(3), samples(1)
    encode = tf.io.encode_jpeg
    whole = encode(rgb, quality=90).numpy()
    return {
        "rgb": whole,
        "grey": encode(grey).numpy(),
        "progressive": encode(rgb, progressive=True).numpy(),
        "full_chroma": encode(rgb, chroma_downsampling=False).numpy(),
        "low_quality": encode(rgb, quality=5, optimize_size=True).numpy(),
        "broken_off": whole[:len(whole) - 60],
    }


# --- PNG -------------------------------------------------------------------------------------

def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def packed_rows(pixels, depth):
    """Rows with filter 0; samples of less than a byte are packed, the first in the highest bits."""
    rows = b""
    for row in pixels.reshape(pixels.shape[0], -1):
        if depth == 16:
            body = row.astype(">u2").tobytes()
        elif depth == 8:
            body = row.astype(np.uint8).tobytes()
        else:
            bits = "".join(format(value, f"0{depth}b") for value in row)
            bits += "0" * (-len(bits) % 8)
            body = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
        rows += b"\0" + body
    return rows


def interlaced_rows(pixels, depth):
    rows = b""
    for y, x, dy, dx in [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2),
                         (0, 1, 2, 2), (1, 0, 2, 1)]:
        part = pixels[y::dy, x::dx]
        if part.size:
            rows += packed_rows(part, depth)
    return rows


def png(pixels, depth, color_type, chunks=b"", interlaced=False, size=(WIDTH, HEIGHT)):
    header = struct.pack(">IIBBBBB", *size, depth, color_type, 0, 0, interlaced)
    rows = (interlaced_rows if interlaced else packed_rows)(pixels, depth)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunks +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def pngs():
    grey, palette = 0, bytes(range(48))
    key = chunk(b"tRNS", struct.pack(">HHH", *(int(v) for v in samples(3)[2, 2])))
    indices = samples(1) % 16
    return {
        "grey_1": png(samples(1) % 2, 1, grey),
        "grey_2": png(samples(1) % 4, 2, grey),
        "grey_4": png(samples(1) % 16, 4, grey),
        "grey_8": png(samples(1), 8, grey),
        "grey_16": png(samples(1, 65535), 16, grey),
        "grey_alpha": png(samples(2), 8, 4),
        "rgb": png(samples(3), 8, 2),
        "rgb_16": png(samples(3, 65535), 16, 2),
        "rgb_key": png(samples(3), 8, 2, key),
        "rgb_interlaced": png(samples(3), 8, 2, interlaced=True),
        "rgba": png(samples(4), 8, 6),
        "rgba_16": png(samples(4, 65535), 16, 6),
        "palette": png(indices, 4, 3, chunk(b"PLTE", palette)),
        "palette_alpha": png(indices, 4, 3,
                             chunk(b"PLTE", palette) + chunk(b"tRNS", bytes(range(0, 160, 10)))),
        "no_palette": png(indices, 4, 3),
        "huge": png(samples(1), 8, grey, size=(900_000, 900_000)),
    }


# --- GIF -------------------------------------------------------------------------------------

def lzw(pixels):
    """Codes of nine bits, with the table cleared before they would need ten."""
    bits = ""
    for i, pixel in enumerate(pixels):
        if i % 200 == 0:
            bits = format(256, "09b") + bits
        bits = format(pixel, "09b") + bits
    bits = format(257, "09b") + bits
    bits = "0" * (-len(bits) % 8) + bits
    data = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))[::-1]
    blocks = [data[i:i + 255] for i in range(0, len(data), 255)]
    return b"\x08" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def gif_frame(left, top, pixels, transparent=None, disposal=0, interlaced=False, colors=b""):
    height, width = pixels.shape
    control = b""
    if transparent is not None:
        control = b"\x21\xf9\x04" + struct.pack("<BHB", disposal << 2 | 1, 10, transparent) + b"\0"
    flags = (0x80 | 7 if colors else 0) | (0x40 if interlaced else 0)
    if interlaced:
        pixels = np.concatenate([pixels[0::8], pixels[4::8], pixels[2::4], pixels[1::2]])
    return (control + b"," + struct.pack("<HHHHB", left, top, width, height, flags) + colors +
            lzw(pixels.ravel()))


def gif(*frames, colors=True):
    screen = struct.pack("<HHBBB", WIDTH, HEIGHT, 0xf7 if colors else 0x70, 0, 0)
    table = bytes((i * k) % 256 for i in range(256) for k in (1, 7, 29)) if colors else b""
    return b"GIF89a" + screen + table + b"".join(frames) + b";"


def gifs():
    whole = samples(1)[:, :, 0]
    local = bytes((255 - i * k) % 256 for i in range(256) for k in (3, 1, 11))
    part = whole[:6, :9]
    moving = gif(gif_frame(0, 0, whole), gif_frame(3, 2, part, int(part[0, 0])),
                 gif_frame(5, 4, part, int(part[1, 1]), disposal=2),
                 gif_frame(1, 1, part.T.copy(), int(part[2, 2]), disposal=3, colors=local),
                 gif_frame(0, 0, whole[::-1], int(whole[3, 3])))
    return {
        "one_frame": gif(gif_frame(0, 0, whole)),
        "interlaced": gif(gif_frame(0, 0, whole, interlaced=True)),
        "part": gif(gif_frame(4, 5, part, int(part[0, 0]))),
        "moving": moving,
        "broken_off": moving[:len(moving) - 200],
        "no_colors": gif(gif_frame(0, 0, whole), colors=False),
        "huge": gif(gif_frame(0, 0, whole)).replace(
            struct.pack("<HHHH", 0, 0, WIDTH, HEIGHT), struct.pack("<HHHH", 0, 0, 65535, 65535)),
    }


# --- BMP -------------------------------------------------------------------------------------

def bmp(pixels, top_down=False):
    channels = pixels.shape[2]
    rows = pixels if channels == 1 else pixels[:, :, [2, 1, 0, 3][:channels]]
    padding = b"\0" * (-WIDTH * channels % 4)
    body = b"".join(row.tobytes() + padding for row in (rows if top_down else rows[::-1]))
    table = bytes(1024) if channels == 1 else b""
    header = struct.pack("<IiiHHIIiiII", 40, WIDTH, -HEIGHT if top_down else HEIGHT, 1,
                         8 * channels, 0, len(body), 2835, 2835, 0, 0)
    start = 14 + len(header) + len(table)
    return b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start) + header + table + body


def bmps():
    rgb = bmp(samples(3))
    return {
        "rgb": rgb,
        "top_down": bmp(samples(3), top_down=True),
        "rgba": bmp(samples(4)),
        "indices": bmp(samples(1)),
        "broken_off": rgb[:-100],
        "huge": rgb[:18] + struct.pack("<ii", 2**31 - 1, -2**31) + rgb[26:],
        "bits_16": rgb[:28] + struct.pack("<H", 16) + rgb[30:],
    }


def main():
    for folder, pictures in dict(jpeg=jpegs(), png=pngs(), gif=gifs(), bmp=bmps()).items():
        (CORPUS / folder).mkdir(parents=True, exist_ok=True)
        for name, data in pictures.items():
            (CORPUS / folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
