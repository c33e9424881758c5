#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace rill::serve {

// Reads a message in protobuf's text form. Throws InvalidArgument with file, line and column when
// it is none, and what reading the file throws.
void read_text_config(const std::string& path, google::protobuf::Message* message);
void parse_text_config(const std::string& text, const std::string& path,
                       google::protobuf::Message* message);

}  // namespace rill::serve
