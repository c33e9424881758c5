#include "rill/serve/config/config_file.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill::serve {
namespace {

// The first complaint is what went wrong; others follow from it.
struct FirstError : google::protobuf::io::ErrorCollector {
  void AddError(int line, int column, const std::string& message) override {
    if (text.empty()) text = str_cat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  std::string text;
};

constexpr int kDeepestMessage = 100;

}  // namespace

void parse_text_config(const std::string& text, const std::string& path,
                       google::protobuf::Message* message) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.SetRecursionLimit(kDeepestMessage);
  parser.RecordErrorsTo(&error);
  require(parser.ParseFromString(text, message), "Invalid protobuf file: '", path, "' is no ",
          message->GetTypeName(), ": ", error.text);
}

void read_text_config(const std::string& path, google::protobuf::Message* message) {
  parse_text_config(read_file(path), path, message);
}

}  // namespace rill::serve
