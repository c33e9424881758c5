#include "rill/io/table_format.h"

#include "rill/io/coding.h"
#include "rill/tensor/base128.h"

namespace rill {

void append_handle(const BlockHandle& handle, std::string* bytes) {
  append_base128(handle.offset, bytes);
  append_base128(handle.size, bytes);
}

bool take_handle(std::string_view* rest, BlockHandle* handle) {
  return take_varint(rest, &handle->offset) && take_varint(rest, &handle->size);
}

}  // namespace rill
