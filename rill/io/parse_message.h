#pragma once

#include <google/protobuf/message_lite.h>

#include <limits>
#include <string_view>

namespace rill {

// False when the bytes are no such message, or more than a message may have.
inline bool parse_message(std::string_view bytes, google::protobuf::MessageLite* message) {
  return bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
         message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace rill
