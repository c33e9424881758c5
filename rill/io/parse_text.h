#pragma once

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <string>

namespace rill {

// False when the text is no such message; nothing is printed, unlike TextFormat's own functions.
inline bool parse_text(const std::string& text, google::protobuf::Message* message) {
  struct Silent : google::protobuf::io::ErrorCollector {
    void AddError(int, int, const std::string&) override {}
  } silent;
  constexpr int kDeepestMessage = 100;  // as in binary form: each level takes some of the stack
  google::protobuf::TextFormat::Parser parser;
  parser.SetRecursionLimit(kDeepestMessage);
  parser.RecordErrorsTo(&silent);
  return parser.ParseFromString(text, message);
}

}  // namespace rill
