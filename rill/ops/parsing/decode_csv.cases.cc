#include "rill/ops/parsing/example_bytes.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor none(DType type) { return Tensor(type, {0}); }
const DType kI32 = DType::i32, kF32 = DType::f32, kText = DType::string;

void add_csv(std::vector<OpCase>& rows, std::initializer_list<const char*> records,
             std::vector<Tensor> defaults, AttrMap attrs = {}, const char* error = "") {
  rows.push_back({.op = "DecodeCSV",
                  .in = {strings({static_cast<std::int64_t>(records.size())}, records),
                         list(std::move(defaults))},
                  .attrs = std::move(attrs),
                  .error = error});
}

void add_csv_records(std::vector<OpCase>& rows) {
  const Tensor text = strings({1}, {"d"});
  add_csv(rows, {"1,2.5,abc,7,8.5", "-3, 1e3 ,\xc3\xa9,-9223372036854775808,nan"},
          {none(kI32), none(kF32), none(kText), none(DType::i64), none(DType::f64)});
  add_csv(rows, {"1,,", ",2,"}, {values(kI32, {1}, {9}), values(kF32, {}, {2.5}), text});
  add_csv(rows,
          {" 1.5 ", "1e400", "-1e400", "1e-400", "nan", "inf", "0x10", "+3", ".5", "5.", "-INF"},
          {none(kF32)});
  add_csv(rows, {" 12 ", "\t-3", "007", "2147483647"}, {none(kI32)});
  add_csv(rows, {"\"a,b\",2", "\"a\"\"b\",3", "\"\",4", "\"a\nb\",5", "\"\"\"\",6"},
          {text, none(kI32)});
  add_csv(rows, {"\"12\",1", "\n3,4", "5,\r6"}, {none(kI32), none(kI32)});
  add_csv(rows, {"\"a,b\"", "a\"b,c"}, {text, text}, {{"use_quote_delim", false}});
  add_csv(rows, {"NA,1", "x,NA", "\"NA\",", "NAN,2"}, {text, values(kI32, {1}, {5})},
          {{"na_value", "NA"}});
  add_csv(rows, {"1;2", "3;4,5"}, {none(kI32), none(kText)}, {{"field_delim", ";"}});
  add_csv(rows, {"1\t2"}, {none(kI32), none(kText)}, {{"field_delim", "\t"}});
  add_csv(rows, {"1,2,3,4", "\"x,y\",2,,5"}, {none(kI32), none(kI32)},
          {{"select_cols", std::vector<std::int64_t>{1, 3}}});
  add_csv(rows, {"x,2,", "y,3,4"}, {values(kI32, {1}, {7})},
          {{"select_cols", std::vector<std::int64_t>{2}}});
  add_csv(rows, {}, {none(kI32), text});
  rows.push_back({.op = "DecodeCSV", .in = {strings({}, {"1,2"}), list({none(kI32), none(kI32)})}});
  rows.push_back(
      {.op = "DecodeCSV", .in = {strings({2, 1}, {"1,2", "3,4"}), list({none(kI32), none(kI32)})}});
  Tensor many(DType::string, {400});
  for (int i = 0; i < 400; ++i)
    many.data<std::string>()[i] = str_cat(i, ",", i / 8.0, ",\"word ", i, "\"");
  rows.push_back({.op = "DecodeCSV", .in = {many, list({none(kI32), none(kF32), none(kText)})}});
}

void add_csv_errors(std::vector<OpCase>& rows) {
  const Tensor text = strings({1}, {"d"});
  const std::vector<Tensor> two{none(kI32), none(kF32)};
  add_csv(rows, {"1,"}, two, {}, "Field 1 is required but missing in record 0!");
  add_csv(rows, {"1"}, two, {}, "Expect 2 fields but have 1 in record 0");
  add_csv(rows, {"1,2", "1,2,3"}, two, {}, "Expect 2 fields but have 3 in record 1");
  add_csv(rows, {""}, two, {}, "Expect 2 fields but have 0 in record 0");
  add_csv(rows, {"1,2,"}, two, {}, "Expect 2 fields but have 3 in record 0");
  add_csv(rows, {"1", "x"}, {none(kI32)}, {}, "Field 0 in record 1 is not a valid int32: x");
  add_csv(rows, {"2147483648"}, {none(kI32)}, {}, "is not a valid int32: 2147483648");
  add_csv(rows, {"+4"}, {none(kI32)}, {}, "is not a valid int32: \\+4");
  add_csv(rows, {"99999999999999999999"}, {none(DType::i64)}, {}, "is not a valid int64");
  add_csv(rows, {"1.5q"}, {none(kF32)}, {}, "Field 0 in record 0 is not a valid float: 1.5q");
  add_csv(rows, {"zz"}, {none(DType::f64)}, {}, "is not a valid double: zz");
  const char* const unquoted = "Unquoted fields cannot have quotes/CRLFs inside";
  for (const char* record : {" \"x\"", "a\"b", "a\nb", "a\r\n"})
    add_csv(rows, {record}, {text}, {}, unquoted);
  add_csv(rows, {"\"ab"}, {text}, {},
          "Quoted field has to end with quote followed by delim or end");
  add_csv(rows, {"\"ab\"c"}, {text}, {},
          "Quote inside a string has to be escaped by another quote");
  add_csv(rows, {"1;2"}, two, {{"field_delim", ";;"}}, "field_delim should be only 1 char");
  add_csv(rows, {"1;2"}, two, {{"field_delim", ""}}, "field_delim should be only 1 char");
  const auto columns = [](std::vector<std::int64_t> c) {
    return AttrMap{{"select_cols", std::move(c)}};
  };
  add_csv(rows, {"1,2"}, two, columns({1, 3}), "Expect 2 fields but have 1 in record 0");
  add_csv(rows, {"1,2"}, two, columns({3, 1}), "select_cols should be strictly increasing indices");
  add_csv(rows, {"1,2"}, two, columns({-1, 1}), "select_cols should be non-negative indices");
  add_csv(rows, {"1,2"}, two, columns({1}), "select_cols should match output size");
  add_csv(rows, {"1"}, {values(kI32, {2}, {1, 2})}, {}, "length-0 or length-1 vector, or a scalar");
  add_csv(rows, {"1"}, {values(kI32, {1, 1}, {1})}, {}, "at most rank 1 but is rank 2");
}

}  // namespace

extern const OpCases kDecodeCsvCases{"decode_csv", [] {
                                       std::vector<OpCase> rows;
                                       add_csv_records(rows);
                                       add_csv_errors(rows);
                                       return rows;
                                     }};

}  // namespace rill
