#include <png.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/png.h"
#include "rill/io/png_plain.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxSide = std::int64_t{1} << 27;  // TensorFlow's own limit

// libpng is C: it is left by a jump, and only plain values live in the frames that are jumped over.
class PngReader {
 public:
  PngReader(std::string_view bytes, int channels, int bits)
      : bytes_(bytes), channels_(channels), bits_(bits) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, warn);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) raise(Code::kResourceExhausted, "no memory to read a PNG");
  }
  PngReader(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  bool read_header();  // and decides how samples are converted
  bool read_rows(png_bytepp rows);
  PictureSize size() const;
  bool widens() const { return widens_; }  // 8-bit samples, each to become 16 bits
  const char* message() const { return message_; }

 private:
  static void fail(png_structp png, png_const_charp why) {
    auto* self = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(self->message_, why, sizeof self->message_ - 1);
    png_longjmp(png, 1);
  }
  static void warn(png_structp, png_const_charp) {}
  static void take(png_structp png, png_bytep to, png_size_t count) {
    auto* self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > self->bytes_.size()) png_error(png, "the data ends too early");
    std::memcpy(to, self->bytes_.data(), count);
    self->bytes_.remove_prefix(count);
  }
  void convert();
  void convert_alpha(int color_type, int depth, bool has_key);

  std::string_view bytes_;
  int channels_, bits_;
  bool widens_ = false;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  char message_[128] = "";
};

void PngReader::convert_alpha(int color_type, int depth, bool has_key) {
  const bool has_alpha = (color_type & PNG_COLOR_MASK_ALPHA) != 0;
  if (channels_ % 2 != 0) {
    if (has_alpha || has_key) png_set_strip_alpha(png_);
  } else if (!has_alpha) {
    if (has_key)
      png_set_tRNS_to_alpha(png_);
    else
      png_set_add_alpha(png_, (1U << depth) - 1, PNG_FILLER_AFTER);
  }
}

void PngReader::convert() {
  const int color_type = png_get_color_type(png_, info_), depth = png_get_bit_depth(png_, info_);
  const bool palette = color_type == PNG_COLOR_TYPE_PALETTE,
             has_key = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
  if (channels_ == 0) channels_ = palette ? (has_key ? 4 : 3) : png_get_channels(png_, info_);
  convert_alpha(color_type, depth, has_key);
  if (depth > 8 && bits_ <= 8) png_set_strip_16(png_);
  widens_ = depth <= 8 && bits_ == 16;
  png_set_packing(png_);
  png_set_interlace_handling(png_);
  if (bits_ > 8 && std::endian::native == std::endian::little) png_set_swap(png_);
  if (palette) png_set_palette_to_rgb(png_);
  const bool grey = (color_type & PNG_COLOR_MASK_COLOR) == 0;
  if (grey && depth < 8) png_set_expand_gray_1_2_4_to_8(png_);
  if (channels_ < 3 && !grey) png_set_rgb_to_gray(png_, 1, 0.299, 0.587);
  if (channels_ >= 3 && grey) png_set_gray_to_rgb(png_);
}

bool PngReader::read_header() {
  if (setjmp(png_jmpbuf(png_)) != 0) return false;
  png_set_read_fn(png_, this, take);
  png_read_info(png_, info_);
  convert();
  png_read_update_info(png_, info_);
  return true;
}

bool PngReader::read_rows(png_bytepp rows) {
  if (setjmp(png_jmpbuf(png_)) != 0) return false;
  png_read_image(png_, rows);
  png_read_end(png_, info_);
  return true;
}

PictureSize PngReader::size() const {
  const std::int64_t width = png_get_image_width(png_, info_),
                     height = png_get_image_height(png_, info_);
  require(width > 0 && width < kMaxSide && height > 0 && height < kMaxSide &&
              width * height < kMaxPixels,
          "PNG size too large for int: ", width, " by ", height);
  const auto bytes = png_get_rowbytes(png_, info_);
  const std::int64_t samples = width * channels_, sample = bits_ == 16 && !widens_ ? 2 : 1;
  require(static_cast<std::int64_t>(bytes) == samples * sample, "Invalid PNG data: rows of ", bytes,
          " bytes where ", samples, " samples are expected");
  return {1, height, width, channels_};
}

}  // namespace

void decode_png(std::string_view bytes, int channels, int bits, PlaceForPicture place) {
  if (bits == 8 && decode_plain_png(bytes, channels, place)) return;
  PngReader reader(bytes, channels, bits);
  require(reader.read_header(), "Invalid PNG. Failed to initialize decoder: ", reader.message());
  const PictureSize size = reader.size();
  auto* out = static_cast<png_bytep>(place(size));
  const auto samples = static_cast<std::size_t>(size.width * size.channels);
  const std::size_t stride = samples * static_cast<std::size_t>(bits / 8);
  std::vector<png_bytep> rows(static_cast<std::size_t>(size.height));
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = out + y * stride;
  require(reader.read_rows(rows.data()), "Invalid PNG data, size ", bytes.size(), ": ",
          reader.message());
  if (!reader.widens()) return;
  for (png_bytep row : rows)
    for (std::size_t i = samples; i-- > 0;) row[2 * i] = row[2 * i + 1] = row[i];
}

}  // namespace rill
