#include "rill/io/png.h"

#include <png.h>

#include <bit>
#include <csetjmp>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::int64_t kLargestSide = 1'000'000;  // libpng's own limit
constexpr int kColorTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA};
constexpr int kMaxZlibMemory = 9;

// The objects of one encoding, freed however it ends.
struct Writer {
  png_structp png = nullptr;
  png_infop info = nullptr;
  ~Writer() { png_destroy_write_struct(&png, &info); }
};

void append_bytes(png_structp png, png_bytep bytes, png_size_t count) {
  bool failed = false;  // no exception may pass through libpng
  try {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(bytes), count);
  } catch (...) {
    failed = true;
  }
  if (failed) png_error(png, "no memory");
}
void flush(png_structp) {}
// libpng is C: it is left by a jump, and only plain values live in the frames that are jumped over.
void fail(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void warn(png_structp, png_const_charp) {}

bool write(const Picture& picture, int compression, const Writer& writer, std::string* bytes) {
  if (setjmp(png_jmpbuf(writer.png)) != 0) return false;
  png_set_write_fn(writer.png, bytes, append_bytes, flush);
  png_set_compression_level(writer.png, compression);
  png_set_compression_mem_level(writer.png, kMaxZlibMemory);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(picture.width),
               static_cast<png_uint_32>(picture.height), picture.bits,
               kColorTypes[picture.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer.png, writer.info);
  if (picture.bits == 16 && std::endian::native == std::endian::little) png_set_swap(writer.png);
  const auto stride =
      static_cast<std::size_t>(picture.width * picture.channels * (picture.bits / 8));
  for (std::int64_t y = 0; y < picture.height; ++y)
    png_write_row(writer.png, picture.samples.data() + static_cast<std::size_t>(y) * stride);
  png_write_end(writer.png, nullptr);
  return true;
}

}  // namespace

std::string encode_png(const Picture& picture, int compression) {
  require(picture.channels >= 1 && picture.channels <= 4, "a PNG has 1 to 4 channels, not ",
          picture.channels);
  const auto fits = [](std::int64_t side) { return side > 0 && side <= kLargestSide; };
  require(fits(picture.width) && fits(picture.height), "a PNG cannot be ", picture.width, " by ",
          picture.height, " pixels");
  require(picture.bits == 8 || picture.bits == 16, "a sample has 8 or 16 bits, not ", picture.bits);
  const std::int64_t wanted =
      picture.width * picture.height * picture.channels * (picture.bits / 8);
  require(static_cast<std::int64_t>(picture.samples.size()) == wanted, picture.samples.size(),
          " bytes of samples given for a picture of ", wanted);
  Writer writer;
  writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, warn);
  if (writer.png != nullptr) writer.info = png_create_info_struct(writer.png);
  std::string bytes;
  if (writer.info == nullptr || !write(picture, compression, writer, &bytes))
    raise(Code::kInternal, "a picture could not be written as a PNG");
  return bytes;
}

}  // namespace rill
