"""Ops on images: files, sizes, colours, boxes. PyTorch itself has few of them, and in another layout."""
import numpy as np

from op_cases import Case, Input


def photo(*shape):
    """Slopes with some noise, which compress about as photographs do."""
    y, x, c = np.mgrid[0:shape[-3], 0:shape[-2], 0:shape[-1]]
    slopes = 128 + 80 * np.sin(y / 31 + c) + 40 * np.cos(x / 17)
    noise = np.random.default_rng(sum(shape)).normal(0, 6, shape)
    return Input(np.clip(slopes + noise, 0, 255).astype(np.uint8))


def floats_of(image):
    return Input(image.array.astype(np.float32) / 255)


def boxes(count):
    """Boxes [y1, x1, y2, x2], many of which overlap."""
    random = np.random.default_rng(count)
    corner, size = random.uniform(0, 9, (count, 2)), random.uniform(0.2, 1, (count, 2))
    return Input(np.concatenate([corner, corner + size], 1).astype(np.float32))


def scores(count):
    return Input(np.random.default_rng(count).uniform(0, 1, count).astype(np.float32))


def case(name, given, graph, repeat=3):
    return Case(name, {"x": given}, graph, None, repeat)


def file_case(name, image, encode, decode, repeat=3):
    """Decodes what the framework itself has encoded once, before."""
    text = Input(np.array(b"", object), is_state=True)
    return Case(name, {"x": image, "file": text},
                lambda r, x, file: decode(r, r.ReadVariableOp(resource=file, dtype="string")), None,
                repeat, setup=lambda r, x, file: r.AssignVariableOp(resource=file,
                                                                    value=encode(r, x)))


def jpeg(r, x):
    return r.EncodeJpeg(image=x, quality=90)


PHOTO = photo(480, 640, 3)
BATCH = photo(8, 300, 400, 3)
SMALL = [224, 224]

CASES = [
    file_case("decode_jpeg", PHOTO, jpeg, lambda r, file: r.DecodeJpeg(contents=file)),
    file_case("decode_jpeg_half", PHOTO, jpeg, lambda r, file: r.DecodeJpeg(contents=file, ratio=2)),
    file_case("decode_and_crop_jpeg", PHOTO, jpeg,
              lambda r, file: r.DecodeAndCropJpeg(contents=file, crop_window=[100, 100, 224, 224])),
    file_case("decode_png", PHOTO, lambda r, x: r.EncodePng(image=x),
              lambda r, file: r.DecodePng(contents=file)),
    case("encode_jpeg", PHOTO, jpeg),
    case("resize_bilinear", floats_of(BATCH), lambda r, x: r.ResizeBilinear(images=x, size=SMALL)),
    case("resize_bilinear_bytes", BATCH, lambda r, x: r.ResizeBilinear(images=x, size=SMALL)),
    case("resize_bilinear_up", floats_of(BATCH),
         lambda r, x: r.ResizeBilinear(images=x, size=[600, 800], half_pixel_centers=True)),
    case("resize_bilinear_channels", Input(np.ones((4, 28, 28, 256), np.float32)),
         lambda r, x: r.ResizeBilinear(images=x, size=[56, 56])),
    case("resize_bicubic", floats_of(BATCH), lambda r, x: r.ResizeBicubic(images=x, size=SMALL)),
    case("resize_area", BATCH, lambda r, x: r.ResizeArea(images=x, size=SMALL)),
    case("resize_nearest", BATCH, lambda r, x: r.ResizeNearestNeighbor(images=x, size=SMALL)),
    Case("resize_bilinear_grad",
         {"dy": Input(np.ones((8, 224, 224, 3), np.float32)), "x": floats_of(BATCH)},
         lambda r, dy, x: r.ResizeBilinearGrad(grads=dy, original_image=x), None, 3),
    case("scale_and_translate", floats_of(BATCH),
         lambda r, x: r.ScaleAndTranslate(images=x, size=SMALL, scale=[0.7, 0.5],
                                          translation=[0.0, 0.0])),
    Case("crop_and_resize",
         {"x": floats_of(BATCH), "boxes": Input(boxes(64).array / 10),
          "which": Input(np.arange(64, dtype=np.int32) % 8)},
         lambda r, x, boxes, which: r.CropAndResize(image=x, boxes=boxes, box_ind=which,
                                                    crop_size=[64, 64]), None, 3),
    Case("non_max_suppression", {"boxes": boxes(10_000), "scores": scores(10_000)},
         lambda r, boxes, scores: r.NonMaxSuppressionV3(boxes=boxes, scores=scores,
                                                        max_output_size=1000, iou_threshold=0.5,
                                                        score_threshold=0.0), None),
    case("adjust_contrast", floats_of(BATCH),
         lambda r, x: r.AdjustContrastv2(images=x, contrast_factor=1.5)),
    case("adjust_hue", floats_of(BATCH), lambda r, x: r.AdjustHue(images=x, delta=0.1)),
    case("adjust_saturation", floats_of(BATCH), lambda r, x: r.AdjustSaturation(images=x, scale=1.5)),
    case("rgb_to_hsv", floats_of(BATCH), lambda r, x: r.RGBToHSV(images=x)),
    case("hsv_to_rgb", floats_of(BATCH), lambda r, x: r.HSVToRGB(images=x)),
]
