#include "rill/io/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "rill/base/error.h"

namespace rill {
namespace {

struct Cursor {
  std::string_view left;
};

int read_bytes(GifFileType* gif, GifByteType* to, int count) {
  auto& left = static_cast<Cursor*>(gif->UserData)->left;
  const std::size_t taken = std::min(left.size(), static_cast<std::size_t>(std::max(count, 0)));
  std::memcpy(to, left.data(), taken);
  left.remove_prefix(taken);
  return static_cast<int>(taken);
}

struct CloseGif {
  void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
};
using Gif = std::unique_ptr<GifFileType, CloseGif>;

const char* words(int error) {
  const char* text = GifErrorString(error);
  return text != nullptr ? text : "unknown error";
}

Gif open_gif(Cursor* cursor, std::size_t size) {
  int error = 0;
  Gif gif(DGifOpen(cursor, read_bytes, &error));
  require(gif != nullptr, "Invalid GIF data (size ", size,
          "), failed to open gif file: ", words(error));
  return gif;
}

constexpr int kNoColor = -1;

// Steps through a file: extensions are read as far as they say which colour is transparent.
class Frames {
 public:
  explicit Frames(GifFileType* gif) : gif_(gif) {}

  // Goes on to the next frame; false at the end of the file or of what is readable.
  bool next() {
    transparent_ = kNoColor;
    bool found = false;
    while (true) {
      GifRecordType type;
      if (DGifGetRecordType(gif_, &type) != GIF_OK) return false;
      if (type == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(gif_) == GIF_OK;
      if (type != EXTENSION_RECORD_TYPE) return false;
      if (!read_extension(&found)) return false;
    }
  }
  int transparent() const { return transparent_; }

  // Passes over the pixels of this frame; false when they break off.
  bool skip_pixels() {
    int size;
    GifByteType* block = nullptr;
    if (DGifGetCode(gif_, &size, &block) != GIF_OK) return false;
    while (block != nullptr)
      if (DGifGetCodeNext(gif_, &block) != GIF_OK) return false;
    return true;
  }

 private:
  bool read_extension(bool* found) {
    int code;
    GifByteType* block;
    if (DGifGetExtension(gif_, &code, &block) != GIF_OK) return false;
    while (block != nullptr) {
      GraphicsControlBlock control;
      if (code == GRAPHICS_EXT_FUNC_CODE && !*found &&
          DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        transparent_ = control.TransparentColor;
        *found = true;
      }
      if (DGifGetExtensionNext(gif_, &block) != GIF_OK) return false;
    }
    return true;
  }
  GifFileType* gif_;
  int transparent_ = kNoColor;
};

// Looks through the file for the number of frames, `most` at most, and the size that holds each of
// them.
PictureSize measure(std::string_view bytes, std::int64_t most) {
  Cursor cursor{bytes};
  const Gif gif = open_gif(&cursor, bytes.size());
  PictureSize size{0, 0, 0, 3};
  for (Frames frames(gif.get()); size.frames < most && frames.next();) {
    const GifImageDesc frame = gif->Image;
    if (!frames.skip_pixels()) break;
    ++size.frames;
    size.width = std::max<std::int64_t>(size.width, frame.Width);
    size.height = std::max<std::int64_t>(size.height, frame.Height);
  }
  require(size.frames > 0, "Invalid GIF data (size ", bytes.size(), "), no frame is whole");
  require(size.width > 0 && size.height > 0 && size.width * size.height < kMaxPixels,
          "Invalid GIF data (size ", bytes.size(), "), frames of ", size.width, " by ", size.height,
          " pixels");
  return size;
}

// The rows of a frame in the order of the file.
std::vector<int> row_order(int height, bool interlaced) {
  std::vector<int> rows;
  constexpr int kStarts[] = {0, 4, 2, 1}, kSteps[] = {8, 8, 4, 2};
  if (!interlaced)
    for (int y = 0; y < height; ++y) rows.push_back(y);
  else
    for (int pass = 0; pass < 4; ++pass)
      for (int y = kStarts[pass]; y < height; y += kSteps[pass]) rows.push_back(y);
  return rows;
}

// Draws the frame that `gif` stands at; false when its pixels break off.
bool draw_frame(GifFileType* gif, int transparent, std::uint8_t* canvas, const PictureSize& size,
                std::int64_t frame) {
  const GifImageDesc& at = gif->Image;
  const ColorMapObject* colors = at.ColorMap != nullptr ? at.ColorMap : gif->SColorMap;
  require(colors != nullptr, "Invalid GIF data, missing color map for frame ", frame);
  std::vector<GifPixelType> line(static_cast<std::size_t>(at.Width));
  for (const int y : row_order(at.Height, at.Interlace)) {
    if (DGifGetLine(gif, line.data(), at.Width) != GIF_OK) return false;
    const std::int64_t row = std::int64_t{at.Top} + y;
    if (row < 0 || row >= size.height) continue;
    const std::int64_t end = std::min<std::int64_t>(at.Width, size.width - at.Left);
    for (std::int64_t x = std::max(0, -at.Left); x < end; ++x) {
      const int color = line[static_cast<std::size_t>(x)];
      if (color == transparent) continue;
      require(color < colors->ColorCount, "Invalid GIF data, found color index ", color,
              " outside of color map range ", colors->ColorCount);
      const GifColorType& rgb = colors->Colors[color];
      std::uint8_t* to = canvas + (row * size.width + at.Left + x) * 3;
      to[0] = rgb.Red;
      to[1] = rgb.Green;
      to[2] = rgb.Blue;
    }
  }
  return true;
}

// Draws frames one over the other; the number of those that are whole.
std::int64_t draw_frames(std::string_view bytes, const PictureSize& size, std::uint8_t* out) {
  const std::int64_t frame_size = size.height * size.width * 3;
  Cursor cursor{bytes};
  const Gif gif = open_gif(&cursor, bytes.size());
  Frames frames(gif.get());
  for (std::int64_t i = 0; i < size.frames; ++i, out += frame_size) {
    if (i == 0)
      std::fill_n(out, frame_size, std::uint8_t{0});
    else
      std::copy_n(out - frame_size, frame_size, out);
    if (!frames.next() || !draw_frame(gif.get(), frames.transparent(), out, size, i)) return i;
  }
  return size.frames;
}

}  // namespace

void decode_gif(std::string_view bytes, PlaceForPicture place) {
  PictureSize size = measure(bytes, std::numeric_limits<std::int64_t>::max());
  // Pixels that cannot be unpacked are found only now.
  for (std::int64_t whole = 0; true; size = measure(bytes, whole)) {
    whole = draw_frames(bytes, size, static_cast<std::uint8_t*>(place(size)));
    if (whole == size.frames) return;
  }
}

}  // namespace rill
