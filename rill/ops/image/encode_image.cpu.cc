#include "rill/io/jpeg.h"
#include "rill/io/png.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kEncodeJpeg, kEncodeJpegVariableQuality, kEncodePng;

namespace {

void write_jpeg(const KernelCall& call, const JpegWriting& how) {
  const Tensor& image = call.input_tensor(0);
  call.output<std::string>(0)[0] = encode_jpeg(
      {image.dim(1), image.dim(0), static_cast<int>(image.dim(2)), image.flat<std::uint8_t>()},
      how);
}

void encode_jpeg_op(KernelCall& call) {
  const KernelNode& node = call.node();
  JpegWriting how;
  how.quality = static_cast<int>(node.attr<std::int64_t>("quality"));
  how.progressive = node.attr<bool>("progressive");
  how.optimize_size = node.attr<bool>("optimize_size");
  how.chroma_downsampling = node.attr<bool>("chroma_downsampling");
  how.density_in_cm = node.attr<std::string>("density_unit") == "cm";
  how.x_density = static_cast<int>(node.attr<std::int64_t>("x_density"));
  how.y_density = static_cast<int>(node.attr<std::int64_t>("y_density"));
  how.xmp_metadata = node.attr<std::string>("xmp_metadata");
  write_jpeg(call, how);
}

void encode_jpeg_variable_quality(KernelCall& call) {
  JpegWriting how;
  how.quality = call.input_tensor(1).scalar_value<std::int32_t>();
  require(how.quality >= 0 && how.quality <= 100, "quality must be in [0,100], got ", how.quality);
  write_jpeg(call, how);
}

void encode_png_op(KernelCall& call) {
  const Tensor& images = call.input_tensor(0);
  const int rank = images.rank(), bits = images.dtype() == DType::u16 ? 16 : 8;
  const auto compression = static_cast<int>(call.node().attr<std::int64_t>("compression"));
  const auto contents = call.output<std::string>(0);
  if (contents.empty()) return;
  const std::size_t bytes = images.byte_size() / contents.size();
  const auto* first = static_cast<const std::uint8_t*>(images.raw_data());
  call.parallel_for(contents.size(), 10 * static_cast<double>(bytes),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto i = begin; i < end; ++i)
                        contents[i] = encode_png({images.dim(rank - 2),
                                                  images.dim(rank - 3),
                                                  static_cast<int>(images.dim(rank - 1)),
                                                  {first + i * bytes, bytes},
                                                  bits},
                                                 compression);
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kEncodeJpeg, .run = encode_jpeg_op},
    {.op = &kEncodeJpegVariableQuality, .run = encode_jpeg_variable_quality},
    {.op = &kEncodePng, .run = encode_png_op},
};

}  // namespace

extern const KernelTable kEncodeImageCpu{kEntries};

}  // namespace rill
