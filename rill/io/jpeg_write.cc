#include <string>

#include "rill/base/error.h"
#include "rill/io/jpeg.h"
#include "rill/io/jpeg_errors.h"

namespace rill {
namespace {

constexpr std::string_view kXmpNamespace{"http://ns.adobe.com/xap/1.0/\0", 29};
constexpr std::size_t kMaxMarker = 65533;

// Collects what libjpeg writes, block by block.
struct ByteSink {
  jpeg_destination_mgr manager{};  // first: libjpeg knows the whole by its address
  JOCTET block[16384];
  std::string* bytes = nullptr;
  bool failed = false;

  static ByteSink& of(j_compress_ptr c) { return *reinterpret_cast<ByteSink*>(c->dest); }
  static void start(j_compress_ptr c) {
    of(c).manager.next_output_byte = of(c).block;
    of(c).manager.free_in_buffer = sizeof of(c).block;
  }
  // No exception may pass through libjpeg.
  void keep(std::size_t count) noexcept {
    try {
      bytes->append(reinterpret_cast<const char*>(block), count);
    } catch (...) {
      failed = true;
    }
  }
  static boolean flush(j_compress_ptr c) {
    of(c).keep(sizeof of(c).block);
    start(c);
    return TRUE;
  }
  static void finish(j_compress_ptr c) {
    of(c).keep(sizeof of(c).block - of(c).manager.free_in_buffer);
  }
};

class Encoder {
 public:
  explicit Encoder(std::string* bytes) {
    sink_.bytes = bytes;
    sink_.manager.init_destination = ByteSink::start;
    sink_.manager.empty_output_buffer = ByteSink::flush;
    sink_.manager.term_destination = ByteSink::finish;
  }
  Encoder(const Encoder&) = delete;
  ~Encoder() { jpeg_destroy_compress(&c_); }
  bool write(const Picture& picture, const JpegWriting& how, const std::string& xmp);
  const char* message() const { return errors_.message; }

 private:
  void set_up(const Picture& picture, const JpegWriting& how);
  JpegErrors errors_;
  ByteSink sink_;
  jpeg_compress_struct c_{};
};

void Encoder::set_up(const Picture& picture, const JpegWriting& how) {
  c_.dest = &sink_.manager;
  c_.image_width = static_cast<JDIMENSION>(picture.width);
  c_.image_height = static_cast<JDIMENSION>(picture.height);
  c_.input_components = picture.channels;
  c_.in_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&c_);
  c_.optimize_coding = how.optimize_size ? TRUE : FALSE;
  c_.density_unit = how.density_in_cm ? 2 : 1;
  c_.X_density = static_cast<UINT16>(how.x_density);
  c_.Y_density = static_cast<UINT16>(how.y_density);
  jpeg_set_quality(&c_, how.quality, TRUE);
  if (how.progressive) jpeg_simple_progression(&c_);
  if (!how.chroma_downsampling)
    for (int i = 0; i < c_.num_components; ++i)
      c_.comp_info[i].h_samp_factor = c_.comp_info[i].v_samp_factor = 1;
}

bool Encoder::write(const Picture& picture, const JpegWriting& how, const std::string& xmp) {
  c_.err = errors_.start();
  if (setjmp(errors_.jump) != 0) return false;
  jpeg_create_compress(&c_);
  set_up(picture, how);
  jpeg_start_compress(&c_, TRUE);
  if (!xmp.empty())
    jpeg_write_marker(&c_, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(xmp.data()),
                      static_cast<unsigned>(xmp.size()));
  const auto stride = static_cast<std::size_t>(picture.width * picture.channels);
  while (c_.next_scanline < c_.image_height) {
    auto* row = const_cast<JSAMPROW>(picture.samples.data() + c_.next_scanline * stride);
    jpeg_write_scanlines(&c_, &row, 1);
  }
  jpeg_finish_compress(&c_);
  return !sink_.failed;
}

}  // namespace

std::string encode_jpeg(const Picture& picture, const JpegWriting& how) {
  const auto fits = [](std::int64_t side) { return side > 0 && side <= JPEG_MAX_DIMENSION; };
  require(fits(picture.width) && fits(picture.height), "JPEG encoding failed: it cannot be ",
          picture.width, " by ", picture.height, " pixels");
  require(picture.channels == 1 || picture.channels == 3, "a JPEG has 1 or 3 channels, not ",
          picture.channels);
  const std::int64_t wanted = picture.width * picture.height * picture.channels;
  require(static_cast<std::int64_t>(picture.samples.size()) == wanted, picture.samples.size(),
          " samples given for a picture of ", wanted);
  std::string xmp;
  if (!how.xmp_metadata.empty()) xmp = str_cat(kXmpNamespace, how.xmp_metadata);
  require(xmp.size() <= kMaxMarker, "xmp_metadata of ", how.xmp_metadata.size(),
          " bytes do not fit into a JPEG");
  std::string bytes;
  Encoder encoder(&bytes);
  require(encoder.write(picture, how, xmp), "JPEG encoding failed: ", encoder.message());
  return bytes;
}

}  // namespace rill
