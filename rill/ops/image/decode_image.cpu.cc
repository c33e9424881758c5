#include "rill/io/bmp.h"
#include "rill/io/gif.h"
#include "rill/io/jpeg.h"
#include "rill/io/png.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kDecodeJpeg, kDecodeAndCropJpeg, kExtractJpegShape, kDecodePng, kDecodeGif,
    kDecodeBmp;

namespace {

enum class Format { kJpeg, kPng, kGif, kBmp };
constexpr const char* kNames[] = {"JPEG", "PNG", "GIF", "BMP"};
constexpr const char* kFunctions[] = {"decode_jpeg", "decode_png", "decode_gif", "decode_bmp"};

Format format_of(std::string_view bytes) {
  require(!bytes.empty(), "Input is empty.");
  if (bytes.starts_with("\xff\xd8\xff")) return Format::kJpeg;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return Format::kPng;
  if (bytes.starts_with("GIF8")) return Format::kGif;
  require(bytes.starts_with("BM"),
          "Unknown image file format. One of JPEG, PNG, GIF, BMP required.");
  return Format::kBmp;
}

std::string_view contents_of(const KernelCall& call) {
  const Tensor& contents = call.input_tensor(0);
  require(contents.rank() == 0, "`contents` must be scalar but got shape ", contents.shape());
  return contents.scalar_value<std::string>();
}

int channels_of(const KernelNode& node) {
  const auto channels = node.attr<std::int64_t>("channels");
  require(channels == 0 || channels == 1 || channels == 3 || channels == 4,
          "`channels` must be 0, 1, 3 or 4 but got ", channels);
  return static_cast<int>(channels);
}

JpegReading jpeg_attributes(const KernelNode& node) {
  JpegReading how;
  const auto ratio = node.attr<std::int64_t>("ratio");
  require(ratio == 1 || ratio == 2 || ratio == 4 || ratio == 8, "ratio must be 1, 2, 4, or 8, got ",
          ratio);
  how.ratio = static_cast<int>(ratio);
  how.fancy_upscaling = node.attr<bool>("fancy_upscaling");
  how.try_recover_truncated = node.attr<bool>("try_recover_truncated");
  how.acceptable_fraction = node.attr<float>("acceptable_fraction");
  const auto& dct = node.attr<std::string>("dct_method");
  require(dct.empty() || dct == "INTEGER_FAST" || dct == "INTEGER_ACCURATE",
          "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}, not ", dct);
  if (!dct.empty()) how.dct = dct == "INTEGER_FAST" ? JpegDct::kFast : JpegDct::kAccurate;
  return how;
}

// Allocates output 0 when the size is known, as one picture or as frames.
struct Output0 {
  const KernelCall& call;
  bool frames = false;
  void* operator()(const PictureSize& size) const {
    require(frames || size.frames == 1, "Got ", size.frames,
            " frames, but animated gifs can only be decoded by tf.io.decode_gif or "
            "tf.io.decode_image");
    const Shape shape = frames ? Shape{size.frames, size.height, size.width, size.channels}
                               : Shape{size.height, size.width, size.channels};
    return call.allocate_output(0, shape).raw_data();
  }
};

// What the attributes of one op ask for; each op reads several formats, as in TensorFlow.
struct Wish {
  int channels = 0;
  JpegReading jpeg = {};
  bool frames = false;
};

void decode(const KernelCall& call, std::string_view bytes, Format format, Wish wish) {
  const Output0 output{call, wish.frames};
  switch (format) {
    case Format::kJpeg:
      require(wish.channels != 4, "JPEG does not support 4 channels");
      wish.jpeg.channels = wish.channels;
      return decode_jpeg(bytes, wish.jpeg, output);
    case Format::kPng:
      return decode_png(bytes, wish.channels, 8, output);
    case Format::kGif:
      require(wish.channels == 0 || wish.channels == 3, "channels must be 0 or 3 for GIF, got ",
              wish.channels);
      return decode_gif(bytes, output);
    case Format::kBmp:
      raise(Code::kInvalidArgument,
            "Trying to decode BMP format using a wrong op. Use `decode_bmp`",
            " or `decode_image` instead. Op used: ", call.node().op->name);
  }
}

void decode_jpeg_op(KernelCall& call) {
  const std::string_view bytes = contents_of(call);
  decode(call, bytes, format_of(bytes), {channels_of(call.node()), jpeg_attributes(call.node())});
}

void decode_and_crop(KernelCall& call) {
  const std::string_view bytes = contents_of(call);
  const Tensor& window = call.input_tensor(1);
  require(window.rank() == 1, "crop_window must be 1-D, got shape ", window.shape());
  require(window.dim(0) == 4, "crop_size must have four elements, not ", window.shape());
  Wish wish{channels_of(call.node()), jpeg_attributes(call.node())};
  const auto sides = window.flat<std::int32_t>();
  wish.jpeg.crop = {sides[0], sides[1], sides[2], sides[3]};
  const Format format = format_of(bytes);
  require(format == Format::kJpeg,
          "DecodeAndCropJpeg operation can run on JPEG only, but detected ",
          kNames[static_cast<int>(format)], ".");
  decode(call, bytes, format, wish);
}

// Samples of 8 bits become 16 by a factor, where the format has no more of them.
void decode_wide(const KernelCall& call, std::string_view bytes, Format format, int channels) {
  if (format == Format::kPng) return decode_png(bytes, channels, 16, Output0{call});
  Tensor narrow;
  const auto keep = [&](const PictureSize& size) -> void* {
    Output0{call}(size);
    narrow = Tensor(DType::u8, call.output_tensor(0).shape());
    return narrow.raw_data();
  };
  if (format == Format::kJpeg) {
    require(channels != 4, "JPEG does not support 4 channels");
    JpegReading how;
    how.channels = channels;
    decode_jpeg(bytes, how, keep);
  } else if (format == Format::kGif) {
    require(channels == 0 || channels == 3, "channels must be 0 or 3 for GIF, got ", channels);
    decode_gif(bytes, keep);
  } else {
    return decode(call, bytes, format, {});
  }
  const auto from = narrow.flat<std::uint8_t>();
  const auto to = call.output<std::uint16_t>(0);
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<std::uint16_t>(from[i] * 256);
}

void decode_png_op(KernelCall& call) {
  const std::string_view bytes = contents_of(call);
  const int channels = channels_of(call.node());
  const Format format = format_of(bytes);
  if (call.node().output_type(0) == DType::u16) return decode_wide(call, bytes, format, channels);
  decode(call, bytes, format, {channels});
}

void decode_gif_op(KernelCall& call) {
  const std::string_view bytes = contents_of(call);
  decode(call, bytes, format_of(bytes), {.channels = 3, .frames = true});
}

void decode_bmp_op(KernelCall& call) {
  const std::string_view bytes = contents_of(call);
  const int channels = channels_of(call.node());
  require(channels != 1, "`channels` must be 0, 3 or 4 for BMP, but got ", channels);
  const auto format = static_cast<int>(format_of(bytes));
  require(format == static_cast<int>(Format::kBmp), "Trying to decode ", kNames[format],
          " format using DecodeBmp op. Use `", kFunctions[format], "` or `decode_image` instead.");
  decode_bmp(bytes, channels, Output0{call});
}

void extract_jpeg_shape(KernelCall& call) {
  const PictureSize size = jpeg_size(contents_of(call));
  const Tensor& shape = call.output_tensor(0);
  set_int_at(shape, 0, size.height);
  set_int_at(shape, 1, size.width);
  set_int_at(shape, 2, size.channels);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDecodeJpeg, .run = decode_jpeg_op, .allocates = true},
    {.op = &kDecodeAndCropJpeg, .run = decode_and_crop, .allocates = true},
    {.op = &kDecodePng, .run = decode_png_op, .allocates = true},
    {.op = &kDecodeGif, .run = decode_gif_op, .allocates = true},
    {.op = &kDecodeBmp, .run = decode_bmp_op, .allocates = true},
    {.op = &kExtractJpegShape, .run = extract_jpeg_shape},
};

}  // namespace

extern const KernelTable kDecodeImageCpu{kEntries};

}  // namespace rill
