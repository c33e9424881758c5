#include "rill/board/log/wire.h"

#include <algorithm>

namespace rill::board {

std::string_view BytesInFile::look(std::uint64_t at, std::size_t most) {
  if (at >= size_) return {};
  most = static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - at));
  if (at < window_at_ || at + most > window_at_ + window_size_) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(sizeof window_, size_ - at));
    window_at_ = at;
    window_size_ = file_.read(begin_ + at, {window_, wanted});
    most = std::min(most, window_size_);
  }
  return {window_ + (at - window_at_), most};
}

std::string_view BytesInFile::take(std::uint64_t at, std::size_t size, std::string* keep) {
  keep->resize(size);
  keep->resize(file_.read(begin_ + at, {keep->data(), size}));
  return *keep;
}

void each_field(std::string_view message, FunctionRef<void(const MessageField&)> use) {
  BytesInMemory bytes(message);
  MessageField field(bytes, 0, message.size());
  while (field.next()) use(field);
}

}  // namespace rill::board
