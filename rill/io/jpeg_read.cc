#include <algorithm>
#include <cstring>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/memory.h"
#include "rill/io/jpeg.h"
#include "rill/io/jpeg_errors.h"

namespace rill {
namespace {

// A small file can ask for the same work over and over.
constexpr int kMaxScans = 500;
constexpr const char* kInvalid = "jpeg::Uncompress failed. Invalid JPEG data or crop window: ";

// The bytes, followed by an end of the picture where that may be made up.
struct ByteSource {
  jpeg_source_mgr manager{};  // first, as in JpegErrors
  bool made_up_end = false, ran_out = false;

  static boolean more(j_decompress_ptr c) {
    static const JOCTET end[] = {0xff, JPEG_EOI};
    auto* self = reinterpret_cast<ByteSource*>(c->src);
    if (!self->made_up_end) {
      self->ran_out = true;
      std::strcpy(reinterpret_cast<JpegErrors*>(c->err)->message, "the data ends too early");
      std::longjmp(reinterpret_cast<JpegErrors*>(c->err)->jump, 1);
    }
    self->manager.next_input_byte = end;
    self->manager.bytes_in_buffer = sizeof end;
    return TRUE;
  }
  static void skip(j_decompress_ptr c, long count) {
    if (count <= 0) return;
    const auto bytes = static_cast<std::size_t>(count);
    if (bytes > c->src->bytes_in_buffer) return void(more(c));
    c->src->next_input_byte += bytes;
    c->src->bytes_in_buffer -= bytes;
  }
};

void limit_scans(j_common_ptr c) {
  if (reinterpret_cast<j_decompress_ptr>(c)->input_scan_number <= kMaxScans) return;
  auto* errors = reinterpret_cast<JpegErrors*>(c->err);
  std::strcpy(errors->message, "too many scans");
  std::longjmp(errors->jump, 1);
}

// One decoding. Each step is false when libjpeg gave up.
class Decoder {
 public:
  Decoder(std::string_view bytes, const JpegReading& how) : how_(how) {
    source_.made_up_end = how.try_recover_truncated;
    source_.manager.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
    source_.manager.bytes_in_buffer = bytes.size();
    source_.manager.init_source = [](j_decompress_ptr) {};
    source_.manager.term_source = [](j_decompress_ptr) {};
    source_.manager.fill_input_buffer = ByteSource::more;
    source_.manager.skip_input_data = ByteSource::skip;
    source_.manager.resync_to_restart = jpeg_resync_to_restart;
    progress_.progress_monitor = limit_scans;
  }
  Decoder(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&c_); }

  bool read_header();
  bool start();
  // Reads rows until all are there or something is wrong; rows_read() tells how many.
  void read_rows(std::uint8_t* out, const PictureSize& size);
  // What comes after the rows, which can be wrong as well.
  bool finish();

  jpeg_decompress_struct& info() { return c_; }
  std::int64_t rows_read() const { return rows_read_; }
  const char* message() const { return errors_.message; }
  bool ran_out() const { return source_.ran_out; }  // of bytes

 private:
  bool skip_to_window();
  bool next_row(std::uint8_t* out, std::int64_t width, int channels);

  const JpegReading& how_;
  JpegErrors errors_;
  ByteSource source_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct c_{};
  std::vector<std::uint8_t> line_;
  std::int64_t rows_read_ = 0, line_offset_ = 0;
};

bool Decoder::read_header() {
  c_.err = errors_.start();
  if (setjmp(errors_.jump) != 0) return false;
  jpeg_create_decompress(&c_);
  c_.mem->max_memory_to_use =
      static_cast<long>(std::min<std::size_t>(available_memory(), std::size_t{1} << 40));
  c_.src = &source_.manager;
  c_.progress = &progress_;
  jpeg_read_header(&c_, TRUE);
  return true;
}

J_COLOR_SPACE output_colors(const jpeg_decompress_struct& c, int channels) {
  if (channels == 1) return JCS_GRAYSCALE;
  return c.jpeg_color_space == JCS_CMYK || c.jpeg_color_space == JCS_YCCK ? JCS_CMYK : JCS_RGB;
}

bool Decoder::start() {
  if (setjmp(errors_.jump) != 0) return false;
  c_.out_color_space =
      output_colors(c_, how_.channels == 0 ? std::min(c_.num_components, 3) : how_.channels);
  c_.do_fancy_upsampling = how_.fancy_upscaling ? TRUE : FALSE;
  c_.scale_num = 1;
  c_.scale_denom = static_cast<unsigned>(how_.ratio);
  c_.dct_method = how_.dct == JpegDct::kFast ? JDCT_IFAST : JDCT_ISLOW;
  jpeg_calc_output_dimensions(&c_);
  return true;
}

bool Decoder::skip_to_window() {
  if (setjmp(errors_.jump) != 0) return false;
  jpeg_start_decompress(&c_);
  if (!how_.crop) return true;
  auto left = static_cast<JDIMENSION>(how_.crop->x),
       width = static_cast<JDIMENSION>(how_.crop->width);
  jpeg_crop_scanline(&c_, &left, &width);
  line_offset_ = how_.crop->x - left;
  if (how_.crop->y > 0) jpeg_skip_scanlines(&c_, static_cast<JDIMENSION>(how_.crop->y));
  return true;
}

// Four inks as three colours; Adobe writes such pictures the other way round.
void cmyk_to_rgb(const std::uint8_t* from, std::int64_t width, bool inverted, std::uint8_t* out) {
  for (std::int64_t x = 0; x < width; ++x, from += 4, out += 3)
    for (int k = 0; k < 3; ++k)
      out[k] = static_cast<std::uint8_t>(inverted ? from[3] * from[k] / 255
                                                  : (255 - from[3]) * (255 - from[k]) / 255);
}

bool Decoder::next_row(std::uint8_t* out, std::int64_t width, int channels) {
  if (setjmp(errors_.jump) != 0) return false;
  JSAMPROW row = line_.empty() ? out : line_.data();
  if (jpeg_read_scanlines(&c_, &row, 1) != 1) return false;
  if (line_.empty()) return true;
  const std::uint8_t* from = line_.data() + line_offset_ * c_.output_components;
  if (c_.out_color_space == JCS_CMYK)
    cmyk_to_rgb(from, width, c_.saw_Adobe_marker != 0, out);
  else
    std::memcpy(out, from, static_cast<std::size_t>(width * channels));
  return true;
}

void Decoder::read_rows(std::uint8_t* out, const PictureSize& size) {
  if (!skip_to_window()) return;
  const auto stride = size.width * size.channels;
  if (how_.crop || c_.output_components != size.channels)
    line_.resize(static_cast<std::size_t>(c_.output_width) *
                 static_cast<std::size_t>(c_.output_components));
  while (rows_read_ < size.height && next_row(out + rows_read_ * stride, size.width, size.channels))
    ++rows_read_;
}

bool Decoder::finish() {
  if (setjmp(errors_.jump) != 0) return false;
  jpeg_finish_decompress(&c_);
  return true;
}

PictureSize checked_size(const jpeg_decompress_struct& c, const JpegReading& how) {
  const int channels = how.channels == 0 ? std::min(c.num_components, 3) : how.channels;
  PictureSize size{1, c.output_height, c.output_width, channels};
  require(channels == 1 || channels == 3, kInvalid, "it has ", channels, " components");
  require(size.width > 0 && size.height > 0 && size.width * size.height < kMaxPixels, kInvalid,
          "a picture of ", size.width, " by ", size.height, " pixels is too large");
  if (!how.crop) return size;
  const JpegWindow& w = *how.crop;
  const auto fits = [](std::int64_t from, std::int64_t length, std::int64_t all) {
    return length > 0 && length <= all && from >= 0 && from <= all - length;
  };
  require(fits(w.x, w.width, size.width) && fits(w.y, w.height, size.height), kInvalid, w.width,
          " by ", w.height, " pixels at x = ", w.x, " and y = ", w.y, " are not in ", size.width,
          " by ", size.height);
  return {1, w.height, w.width, channels};
}

}  // namespace

PictureSize jpeg_size(std::string_view bytes) {
  Decoder decoder(bytes, JpegReading{});
  require(decoder.read_header(), "Invalid JPEG data, size ", bytes.size(), ": ", decoder.message());
  const jpeg_decompress_struct& c = decoder.info();
  return {1, c.image_height, c.image_width, c.num_components};
}

void decode_jpeg(std::string_view bytes, const JpegReading& how, PlaceForPicture place) {
  Decoder decoder(bytes, how);
  require(decoder.read_header() && decoder.start(), kInvalid, decoder.message());
  const PictureSize size = checked_size(decoder.info(), how);
  auto* out = static_cast<std::uint8_t*>(place(size));
  decoder.read_rows(out, size);
  const std::int64_t rows = decoder.rows_read();
  const float fraction = static_cast<float>(rows) / static_cast<float>(size.height);
  const bool complete = rows == size.height && (how.crop || decoder.finish());
  require(complete || (decoder.ran_out() && fraction >= how.acceptable_fraction), kInvalid,
          decoder.message(), " after ", rows, " of ", size.height, " rows");
  const std::int64_t stride = size.width * size.channels;
  std::fill(out + rows * stride, out + size.height * stride, std::uint8_t{0});
}

}  // namespace rill
