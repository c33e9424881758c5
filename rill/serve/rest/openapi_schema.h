#pragma once

#include <map>
#include <optional>
#include <string>

#include "rill/serve/model/model.h"
#include "rill/serve/rest/json_writer.h"

// The JSON of predict requests and answers: how it must look, and samples of it.
namespace rill::serve {

// An input or output of a signature.
struct TensorForm {
  DType dtype = DType::f32;
  std::optional<std::vector<std::int64_t>> dims;  // -1 is any; none: any rank
};
using TensorForms = std::map<std::string, TensorForm>;

struct SignatureForm {
  std::string name;
  TensorForms inputs, outputs;
  bool takes_tensors = true;  // rather than examples as bytes

  // Whether values can come and go row by row: everything has rows.
  bool takes_rows() const;
  bool gives_rows() const;
};
// Those that answer predict requests and consist of what JSON has words for.
std::vector<SignatureForm> json_signatures(const Signatures& signatures);

void write_rows_schema(const SignatureForm& signature, JsonWriter* json);
void write_columns_schema(const SignatureForm& signature, JsonWriter* json);
void write_row_answer_schema(const SignatureForm& signature, JsonWriter* json);
void write_column_answer_schema(const SignatureForm& signature, JsonWriter* json);

// Whether there is a sample, and it is small enough to be worth its place.
bool has_sample(const SignatureForm& signature);
void write_rows_sample(const SignatureForm& signature, JsonWriter* json);
void write_columns_sample(const SignatureForm& signature, JsonWriter* json);
void write_infer_sample(const SignatureForm& signature, JsonWriter* json);  // KServe's

}  // namespace rill::serve
