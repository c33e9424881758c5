// Registrations as REGISTER_OP takes them: whatever the text, an error or an op that can be written
// as an OpDef and read back.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/compat/op_text.h"
#include "rill/graph/op_def.h"
#include "rill/graph/registry.h"
#include "tensorflow/core/framework/op_def.pb.h"

namespace {

// The first letter of a line says what it is: name, attribute, input, output, documentation.
rill::OpText read(std::string_view data) {
  rill::OpText text;
  for (const std::string_view line : rill::split(data, '\n')) {
    const std::string rest(line.substr(line.empty() ? 0 : 1));
    switch (line.empty() ? ' ' : line[0]) {
      case 'n':
        text.name = rest;
        break;
      case 'a':
        text.attrs.push_back(rest);
        break;
      case 'i':
        text.inputs.push_back(rest);
        break;
      case 'o':
        text.outputs.push_back(rest);
        break;
      default:
        text.doc += rest + "\n";
    }
  }
  return text;
}

void write_and_read(const rill::Op& op) {
  tensorflow::OpDef first, second;
  rill::to_proto(op, &first);
  rill::to_proto(rill::from_proto(first), &second);
  if (first.DebugString() != second.DebugString()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    rill::Registry registry;
    write_and_read(registry.add(rill::parse_op(read(text))));
  } catch (const rill::Error&) {
  }
  return 0;
}
