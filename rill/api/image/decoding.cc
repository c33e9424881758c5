#include "rill/api/image/decoding.h"

#include "rill/api/array/picking.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/image.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/string.h"
#include "rill/api/image/colors.h"

namespace rill::image {
namespace {

constexpr const char* kJpegBegins = "\xff\xd8\xff";
constexpr const char* kPngBegins = "\211PN";
constexpr const char* kGifBegins = "GIF";
constexpr const char* kBmpBegins = "BM";

Output first_bytes(Output contents, int count) { return raw::Substr(contents, 0, count); }

// One file to decode. Each format becomes a branch that is taken when the bytes begin as it does.
class Decoder {
 public:
  Decoder(Output contents, const DecodeImageOptions& options)
      : contents_(contents), options_(options), begin_(first_bytes(contents, 3)) {}

  Output decoded() const {
    return cond_one(
        is_jpeg(contents_), [this] { return jpeg(); }, [this] { return other_than_jpeg(); },
        {.name = "cond_jpeg"});
  }

 private:
  Output other_than_jpeg() const {
    return cond_one(
        is_png(), [this] { return png(); }, [this] { return gif_or_bmp(); }, {.name = "cond_png"});
  }

  Output is_png() const {
    const Block in("", "is_png", std::source_location::current());
    return raw::Equal(first_bytes(contents_, 3), kPngBegins, {.name = "is_png"});
  }

  Output gif_or_bmp() const {
    const Output is_gif = raw::Equal(begin_, kGifBegins, {.name = "is_gif"});
    return cond_one(
        is_gif, [this] { return gif(); }, [this] { return bmp(); }, {.name = "cond_gif"});
  }

  Output jpeg() const {
    const Output fits = has_other_channels_than(4, "check_jpeg_channels");
    const ControlDependencies wait(
        checked(fits, "Channels must be in (None, 0, 1, 3) when decoding JPEG images"));
    return converted(raw::DecodeJpeg(contents_, {.channels = options_.channels}));
  }

  Output png() const {
    const DType stored = options_.dtype == DType::u8 ? DType::u8 : DType::u16;
    return converted(raw::DecodePng(contents_, {.channels = options_.channels, .dtype = stored}));
  }

  Output gif() const {
    const Output not_gray = has_other_channels_than(1, "check_gif_channels");
    const Output not_clear = has_other_channels_than(4, "check_gif_channels");
    const ControlDependencies wait(
        checked(raw::LogicalAnd(not_gray, not_clear),
                "Channels must be in (None, 0, 3) when decoding GIF images"));
    const Output pictures = converted(raw::DecodeGif(contents_));
    return options_.expand_animations ? pictures : gather(pictures, 0);
  }

  Output bmp() const {
    const Output is_bmp = raw::Equal(first_bytes(contents_, 2), kBmpBegins, {.name = "is_bmp"});
    std::vector<Node*> checks = checked(is_bmp, "Unable to decode bytes as JPEG, PNG, GIF, or BMP");
    const Output fits = has_other_channels_than(1, "check_channels");
    for (Node* check :
         checked(fits, "Channels must be in (None, 0, 3, 4) when decoding BMP images"))
      checks.push_back(check);
    const ControlDependencies wait(checks);
    return converted(raw::DecodeBmp(contents_));
  }

  Output has_other_channels_than(std::int64_t wrong, const char* name) const {
    return raw::NotEqual(Tensor::scalar(static_cast<std::int32_t>(options_.channels)), wrong,
                         {.name = name});
  }
  static std::vector<Node*> checked(Output holds, const char* message) {
    return {&assert_true(holds, {message})};
  }
  Output converted(Output image) const { return convert_image_dtype(image, options_.dtype); }

  Output contents_;
  const DecodeImageOptions& options_;
  Output begin_;
};

}  // namespace

Output is_jpeg(const Input& contents, const IsJpegOptions& options, std::source_location at) {
  const Block in(options.name, "is_jpeg", at);
  const Output begin = first_bytes(as_tensor(contents, "contents"), 3);
  return raw::Equal(begin, kJpegBegins, {.name = options.name});
}

Output decode_image(const Input& contents, const DecodeImageOptions& options,
                    std::source_location at) {
  const Block in(options.name, "decode_image", at);
  const std::int64_t channels = options.channels;
  require(channels == 0 || channels == 1 || channels == 3 || channels == 4,
          "channels must be in (None, 0, 1, 3, 4)");
  return Decoder(as_tensor(contents, "contents"), options).decoded();
}

}  // namespace rill::image
