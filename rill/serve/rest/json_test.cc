#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include "rill/base/file_testing.h"
#include "rill/serve/rest/base64.h"
#include "rill/serve/rest/json_examples.h"
#include "rill/serve/rest/json_fault.h"
#include "rill/serve/rest/json_tensor.h"
#include "rill/serve/rest/json_text.h"
#include "rill/serve/rest/kserve.h"
#include "rill/serve/rest/rest_path.h"
#include "tensorflow_serving/apis/input.pb.h"

namespace rill::serve {
namespace {

// A signature with these inputs, "serving_default".
Signatures inputs(const std::map<std::string, tensorflow::DataType>& types) {
  Signatures signatures;
  for (const auto& [name, type] : types)
    (*signatures["serving_default"].mutable_inputs())[name].set_dtype(type);
  return signatures;
}
const Signatures kFloats = inputs({{"x", tensorflow::DT_FLOAT}});
const Signatures kTexts = inputs({{"x", tensorflow::DT_STRING}});
const Signatures kBoth = inputs({{"a", tensorflow::DT_FLOAT}, {"b", tensorflow::DT_STRING}});

std::map<std::string, Tensor> parsed(const std::string& body, const Signatures& signatures) {
  return parse_predict_request(body, signatures).question.inputs;
}
template <class T>
void expect(const Tensor& tensor, Shape shape, std::vector<T> values) {
  EXPECT_TRUE(identical(tensor, Tensor::of<T>(std::move(shape), std::span<const T>(values))))
      << print(tensor);
}
std::string fault(const std::string& body, const Signatures& signatures = kFloats) {
  const std::string error = error_of([&] { parsed(body, signatures); });
  constexpr std::string_view kPrefix = "InvalidArgument: ";
  return error.starts_with(kPrefix) ? error.substr(kPrefix.size()) : error;
}

TEST(JsonReader, rows) {
  expect<float>(parsed(R"({"instances": [1, 2.5, -3e2]})", kFloats)["x"], {3}, {1, 2.5f, -300});
  expect<float>(parsed(R"({"instances": [[1, 2], [3, 4]]})", kFloats)["x"], {2, 2}, {1, 2, 3, 4});
  expect<float>(parsed(R"({"instances": [{"x": [1]}, {"x": [2]}]})", kFloats)["x"], {2, 1}, {1, 2});
  const auto both =
      parsed(R"({"instances": [{"a": 1, "b": "p"}, {"b": {"b64": "cQ=="}, "a": 2}]})", kBoth);
  expect<float>(both.at("a"), {2}, {1, 2});
  expect<std::string>(both.at("b"), {2}, {"p", "q"});
  expect<std::string>(parsed(R"({"instances": [{"b64": "YWI="}, "c"]})", kTexts)["x"], {2},
                      {"ab", "c"});
}

TEST(JsonReader, columns) {
  expect<float>(parsed(R"({"inputs": 5})", kFloats)["x"], {}, {5});
  expect<float>(parsed(R"({"inputs": [[1], [2]]})", kFloats)["x"], {2, 1}, {1, 2});
  expect<float>(parsed(R"({"inputs": {"x": [1, 2]}, "other": 3})", kFloats)["x"], {2}, {1, 2});
  expect<float>(parsed(R"({"inputs": []})", kFloats)["x"], {0}, {});
  const auto both = parsed(R"({"inputs": {"a": [1], "b": "t", "c": 0}})", kBoth);
  expect<float>(both.at("a"), {1}, {1});
  expect<std::string>(both.at("b"), {}, {"t"});
  EXPECT_EQ(parse_predict_request(R"({"inputs": 5})", kFloats).layout, JsonLayout::kColumn);
}

TEST(JsonReader, numbers_that_json_does_not_have) {
  const Tensor tensor =
      parsed(R"({"instances": [NaN, Infinity, -Infinity, Inf, -Inf, 1]})", kFloats)["x"];
  const auto values = tensor.flat<float>();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(std::vector(values.begin() + 1, values.end()),
            (std::vector{infinity, -infinity, infinity, -infinity, 1.0f}));
  expect<std::string>(parsed(R"({"instances": ["NaN", "a \"Inf"]})", kTexts)["x"], {2},
                      {"NaN", "a \"Inf"});
  EXPECT_EQ(
      fault(R"({"instances": [NaN]})", kTexts),
      "Failed to process element: 0 of 'instances' list. Error: Invalid argument: JSON Value: "
      "NaN Type: Number is not of expected type: string");
}

TEST(JsonReader, types) {
  using tensorflow::DataType;
  const auto one = [](DataType type, const std::string& value) {
    return parsed(str_cat(R"({"inputs": [)", value, "]}"), inputs({{"x", type}}))["x"];
  };
  expect<std::int32_t>(one(tensorflow::DT_INT32, "-2147483648"), {1}, {-2147483647 - 1});
  expect<std::int64_t>(one(tensorflow::DT_INT64, "9007199254740993"), {1}, {9007199254740993});
  expect<std::uint64_t>(one(tensorflow::DT_UINT64, "18446744073709551615"), {1},
                        {18446744073709551615u});
  expect<std::uint8_t>(one(tensorflow::DT_UINT8, "255"), {1}, {255});
  expect<double>(one(tensorflow::DT_DOUBLE, "0.1"), {1}, {0.1});
  EXPECT_TRUE(one(tensorflow::DT_BOOL, "true").flat<bool>()[0]);
  const auto wrong = [&](DataType type, const std::string& value) {
    return error_of([&] { one(type, value); });
  };
  EXPECT_EQ(wrong(tensorflow::DT_INT32, "2147483648"),
            "InvalidArgument: JSON Value: 2147483648 Type: Number is not of expected type: int32");
  EXPECT_EQ(wrong(tensorflow::DT_INT32, "1.5"),
            "InvalidArgument: JSON Value: 1.5 Type: Number is not of expected type: int32");
  EXPECT_EQ(wrong(tensorflow::DT_UINT32, "-1"),
            "InvalidArgument: JSON Value: -1 Type: Number is not of expected type: uint32");
  EXPECT_EQ(wrong(tensorflow::DT_BOOL, "1"),
            "InvalidArgument: JSON Value: 1 Type: Number is not of expected type: bool");
  EXPECT_EQ(wrong(tensorflow::DT_FLOAT, R"("1")"),
            "InvalidArgument: JSON Value: \"1\" Type: String is not of expected type: float");
  EXPECT_EQ(wrong(tensorflow::DT_FLOAT, "null"),
            "InvalidArgument: JSON Value: null Type: Null is not of expected type: float");
  EXPECT_EQ(wrong(tensorflow::DT_FLOAT, "{}"),
            "InvalidArgument: JSON Value: {} Type: Object is not of expected type: float");
  EXPECT_EQ(wrong(tensorflow::DT_COMPLEX64, "1"),
            "Unimplemented: Conversion of JSON Value: [1] to type: complex64");
}

// Numbers read straight from the text are those that the general way reads.
TEST(JsonReader, numbers_of_all_lengths) {
  std::vector<std::string> texts{"0",
                                 "-0",
                                 "7",
                                 "12",
                                 "345",
                                 "1234567",
                                 "12345678",
                                 "123456789012345678",
                                 "0.5",
                                 "-0.25",
                                 "3.1415926",
                                 "3.14159265358979",
                                 "1234567.1234567",
                                 "1e5",
                                 "-2.5E-3",
                                 "1e-45",
                                 "0.1",
                                 "16777217",
                                 "0.30000001192092896",
                                 "1.7976931348623157e308"};
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text = random() % 3 == 0 ? "-" : "";
    text += std::to_string(random() % 1000 == 0 ? random() : random() % (1 << random() % 30));
    if (random() % 2 == 0) text += "." + std::to_string(random() % (1 << random() % 30));
    texts.push_back(text);
  }
  const std::string list = join(texts, ",");
  for (const auto type : {tensorflow::DT_DOUBLE, tensorflow::DT_FLOAT}) {
    const Signatures signatures = inputs({{"x", type}});
    const Tensor quick = parsed("{\"inputs\":[" + list + "]}", signatures)["x"];
    // A member that it does not know makes a request take the general way.
    const Tensor general = parsed("{\"inputs\":[" + list + "],\"other\":1}", signatures)["x"];
    ASSERT_EQ(quick.element_count(), static_cast<std::int64_t>(texts.size()));
    EXPECT_TRUE(identical(quick, general));
    for (std::size_t i = 0; type == tensorflow::DT_DOUBLE && i < texts.size(); ++i)
      EXPECT_EQ(quick.flat<double>()[i], std::stod(texts[i])) << texts[i];
  }
  for (const char* wrong : {"01", "1.", "-", "1.e5", "+1", ".5", "1e", "0x1", "1,", ",1", "1 2"})
    EXPECT_FALSE(fault(str_cat("{\"inputs\":[", wrong, "]}")).empty()) << wrong;
  for (const char* end : {"", "]", "]}x", "],}"})
    EXPECT_FALSE(fault(str_cat("{\"inputs\":[1", end)).empty()) << end;
}

// Requests that name their inputs are read the same way, and what is odd about them the general
// way.
TEST(JsonReader, named_lists_of_numbers) {
  const Signatures two = inputs({{"a", tensorflow::DT_FLOAT}, {"b", tensorflow::DT_INT64}});
  for (const char* more : {"", ", \"other\": 1"}) {
    const auto rows =
        parsed(str_cat(R"({"instances": [{"a": [1, 2.5], "b": [[1]]}, {"b": [[-2]], "a": [3, 4]}])",
                       more, "}"),
               two);
    expect<float>(rows.at("a"), {2, 2}, {1, 2.5f, 3, 4});
    expect<std::int64_t>(rows.at("b"), {2, 1, 1}, {1, -2});
    const auto columns =
        parsed(str_cat(R"({ "inputs" : { "b" : [7] , "a" : [ [0.5] , [1e2] ] })", more, "}"), two);
    expect<float>(columns.at("a"), {2, 1}, {0.5f, 100});
    expect<std::int64_t>(columns.at("b"), {1}, {7});
    EXPECT_EQ(fault(str_cat(R"({"instances": [{"a": [1], "b": [1]}, {"a": [1, 2], "b": [1]}])",
                            more, "}"),
                    two),
              "Failed to process element: 1 key: a of 'instances' list. Error: Invalid argument: "
              "Expecting tensor size: 1 but got: 2");
    EXPECT_EQ(fault(str_cat(R"({"instances": [{"a": [1]}])", more, "}"), two),
              "Failed to process element: 0 key: b of 'instances' list. Error: Invalid argument: "
              "JSON object: does not have named input: b");
    EXPECT_EQ(fault(str_cat(R"({"inputs": {"a": [1]})", more, "}"), two),
              "Missing named input: b in 'inputs' object.");
  }
  const auto scalars = parsed(R"({"instances": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]})", two);
  expect<float>(scalars.at("a"), {2}, {1, 3});
}

TEST(JsonReader, request_errors) {
  EXPECT_EQ(fault(""), "JSON Parse error: The document is empty");
  EXPECT_EQ(fault("{"), "JSON Parse error: Missing a name for object member. at offset: 1");
  EXPECT_EQ(fault(R"({"instances": [1, 2})"),
            "JSON Parse error: Missing a comma or ] after an array element. at offset: 19");
  EXPECT_EQ(fault("[1]"), "JSON Value: [1] Is not object");
  EXPECT_EQ(fault("{}"),
            "JSON Value: {} not formatted correctly. Missing 'inputs' or 'instances' key");
  EXPECT_EQ(fault(R"({"inputs": 1, "instances": [1]})"),
            "JSON Value: {\"inputs\":1,\"instances\":[1]} not formatted correctly. Not expecting "
            "both 'inputs' and 'instances' keys");
  EXPECT_EQ(fault(R"({"signature_name": "k", "inputs": 1})"),
            "Serving signature name: \"k\" not found in signature def");
  EXPECT_EQ(fault(R"({"signature_name": 3, "inputs": 1})"),
            "JSON Value: 3 Type: Number is not of expected type: string");
  EXPECT_EQ(fault(R"({"instances": []})"),
            "JSON Value: [] not formatted correctly. Expecting 'instances' to be a non-empty "
            "list/array");
}

TEST(JsonReader, row_errors) {
  EXPECT_EQ(fault(R"({"instances": [[1, 2], [3]]})"),
            "Failed to process element: 1 of 'instances' list. Error: Invalid argument: Expecting "
            "tensor size: 2 but got: 1");
  EXPECT_EQ(fault(R"({"instances": [[1, 2], [[3], [4]]]})"),
            "Failed to process element: 1 of 'instances' list. Error: Invalid argument: Expecting "
            "shape [2] but got: [2,1]");
  EXPECT_EQ(fault(R"({"instances": [1, 2]})", kBoth),
            "instances is a plain list, but expecting list of objects as multiple input tensors "
            "required as per tensorinfo_map");
  EXPECT_EQ(fault(R"({"instances": [{"a": 1}]})", kBoth),
            "Failed to process element: 0 key: b of 'instances' list. Error: Invalid argument: "
            "JSON object: does not have named input: b");
  EXPECT_EQ(fault(R"({"instances": [{"x": 1, "y": 2}]})"),
            "Failed to process element: 0 of 'instances' list. JSON object: {\"x\":1,\"y\":2} keys "
            "must be equal to: x");
}

TEST(JsonReader, column_errors) {
  EXPECT_EQ(fault(R"({"inputs": {"a": 1}})", kBoth), "Missing named input: b in 'inputs' object.");
  EXPECT_EQ(fault(R"({"inputs": [1]})", kBoth),
            "inputs is a plain value/list, but expecting an object as multiple input tensors "
            "required as per tensorinfo_map");
  EXPECT_EQ(fault(R"({"inputs": [[1, 2], [3]]})"),
            "Encountered list at unexpected size: 1 at level: 1 expected size: 2");
  EXPECT_EQ(fault(R"({"inputs": [[1, 2], 3]})"),
            "JSON Value: 3 found at incorrect level: 2 in the JSON DOM. Expected at level: 2");
  EXPECT_EQ(fault(R"({"inputs": {"b64": "?"}})", kTexts),
            "JSON Value: {\"b64\":\"?\"} Unable to base64 decode");
}

TEST(JsonReader, a_small_text_gets_no_large_tensor) {
  std::string row = "[0", rows = "{\"inputs\": [";
  for (int i = 1; i < 3000; ++i) row += ",0";
  rows += row + "]";
  for (int i = 1; i < 3000; ++i) rows += ",[]";
  EXPECT_NE(fault(rows + "]}").find("not of equal size"), std::string::npos);
}

TEST(JsonReader, deep_texts) {
  EXPECT_FALSE(fault("{\"inputs\": " + std::string(100'000, '[')).empty());
  EXPECT_FALSE(
      fault("{\"inputs\": " + std::string(300, '[') + std::string(300, ']') + "}").empty());
}

TEST(JsonWriter, rows_and_columns) {
  const std::map<std::string, Tensor> one{{"y", Tensor::vector<float>({2.5f, 3, 4.5f})}};
  EXPECT_EQ(predict_response(one, JsonLayout::kRow),
            "{\n    \"predictions\": [2.5, 3.0, 4.5\n    ]\n}");
  EXPECT_EQ(predict_response(one, JsonLayout::kColumn), "{\n    \"outputs\": [2.5, 3.0, 4.5]\n}");
  std::map<std::string, Tensor> two = one;
  two["z_bytes"] = Tensor::vector<std::string>({"a", "b", "\xff"});
  EXPECT_EQ(
      predict_response(two, JsonLayout::kColumn),
      "{\n    \"outputs\": {\n        \"y\": [2.5, 3.0, 4.5],\n        \"z_bytes\": [{\"b64\": "
      "\"YQ==\"}, {\"b64\": \"Yg==\"}, {\"b64\": \"/w==\"}]\n    }\n}");
  EXPECT_EQ(
      predict_response({{"m", Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4})}}, JsonLayout::kRow),
      "{\n    \"predictions\": [[1, 2], [3, 4]\n    ]\n}");
  two["s"] = Tensor::scalar(1.0f);
  EXPECT_EQ(error_of([&] { predict_response(two, JsonLayout::kRow); }),
            "InvalidArgument: Tensor name: s has no shape information");
  two["s"] = Tensor::vector<float>({1});
  EXPECT_EQ(error_of([&] { predict_response(two, JsonLayout::kRow); }),
            "InvalidArgument: Tensor name: y has inconsistent batch size: 3 expecting: 1");
}

TEST(JsonWriter, numbers) {
  const auto written = [](auto value) {
    const std::string text = predict_response({{"y", Tensor::scalar(value)}}, JsonLayout::kColumn);
    return text.substr(17, text.size() - 19);
  };
  EXPECT_EQ(written(1.0f), "1.0");
  EXPECT_EQ(written(0.1f), "0.1");
  EXPECT_EQ(written(1.0f / 3), "0.333333343");
  EXPECT_EQ(written(1e10f), "1e+10");
  EXPECT_EQ(written(16777217.0f), "16777216.0");
  EXPECT_EQ(written(-0.0f), "-0.0");
  EXPECT_EQ(written(1.0 / 3), "0.33333333333333331");
  EXPECT_EQ(written(std::numeric_limits<float>::quiet_NaN()), "NaN");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "-Infinity");
  EXPECT_EQ(written(true), "true");
  EXPECT_EQ(written(std::uint64_t{18446744073709551615u}), "18446744073709551615");
  EXPECT_EQ(written(std::string("a\"\\\n\x01")), R"("a\"\\\n\u0001")");
}

TEST(JsonWriter, floats_of_all_sizes) {
  const auto by_printf = [](float value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6g", value);
    if (std::strtof(text, nullptr) != value) std::snprintf(text, sizeof text, "%.9g", value);
    std::string written = text;
    return written.find_first_of(".e") == std::string::npos ? written + ".0" : written;
  };
  const auto check = [&](float value) {
    std::string text;
    append_json_decimal(value, &text);
    EXPECT_EQ(text, by_printf(value));
  };
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) check(value);
    check(
        std::ldexp(static_cast<float>(random() % (1 << 24)), static_cast<int>(random() % 48) - 40));
    check(static_cast<float>(random() % 2'000'000) / 1000);
  }
  for (const float value : {0.0f, -0.0f, 1e-4f, 9.9999994e-5f, 999999.94f, 1e6f, 0.1f, 0.5f, 1.0f,
                            100000.0f, 0.00012345679f, 99999.996f, 123456.7f, 8388608.0f})
    for (const float near : {value, std::nextafter(value, 0.0f), std::nextafter(value, 1e9f)}) {
      check(near);
      check(-near);
    }
}

TEST(Json, round_trip) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(std::ldexp(static_cast<float>(i) - 500.3f, i % 90 - 45));
  const Tensor tensor = Tensor::of<float>({10, 100}, std::span<const float>(values));
  std::string text = predict_response({{"x", tensor}}, JsonLayout::kColumn);
  text.replace(text.find("outputs"), 7, "inputs");
  EXPECT_TRUE(identical(parsed(text, kFloats)["x"], tensor));
}

TEST(JsonExamples, features) {
  messages::ModelSpec spec;
  messages::Input input;
  parse_examples_request(R"({"signature_name": "s", "context": {"c": "x"},
      "examples": [{"i": [1, true], "f": 1.5, "t": ["a", {"b64": "Yg=="}], "n": NaN, "e": []}]})",
                         &spec, &input);
  EXPECT_EQ(spec.signature_name(), "s");
  const auto& list = input.example_list_with_context();
  EXPECT_EQ(list.context().features().feature().at("c").bytes_list().value(0), "x");
  const auto& features = list.examples(0).features().feature();
  EXPECT_EQ(features.at("i").int64_list().value(0), 1);
  EXPECT_EQ(features.at("i").int64_list().value(1), 1);
  EXPECT_EQ(features.at("f").float_list().value(0), 1.5f);
  EXPECT_EQ(features.at("t").bytes_list().value(1), "b");
  EXPECT_TRUE(std::isnan(features.at("n").float_list().value(0)));
  EXPECT_EQ(features.at("e").kind_case(), tensorflow::Feature::KIND_NOT_SET);
}

TEST(JsonExamples, errors) {
  const auto fault_of = [](const std::string& body) {
    messages::ModelSpec spec;
    messages::Input input;
    return error_of([&] { parse_examples_request(body, &spec, &input); });
  };
  EXPECT_EQ(fault_of(R"({"examples": [{"f": [1, "a"]}]})"),
            "InvalidArgument: Unexpected element type in feature: f expecting type: int64");
  EXPECT_NE(fault_of(R"({})").find("'examples' key"), std::string::npos);
  EXPECT_NE(fault_of(R"({"examples": []})").find("non-empty"), std::string::npos);
  EXPECT_NE(fault_of(R"({"examples": [1]})").find("must be JSON object"), std::string::npos);
}

TEST(JsonExamples, results) {
  messages::ClassificationResult classes;
  auto* row = classes.add_classifications();
  for (const char* label : {"no", "yes"}) {
    auto* one = row->add_classes();
    one->set_label(label);
    one->set_score(0.5f);
  }
  EXPECT_EQ(classify_response(classes),
            "{\n    \"results\": [[[\"no\", 0.5], [\"yes\", 0.5]]\n    ]\n}");
  messages::RegressionResult values;
  values.add_regressions()->set_value(2);
  values.add_regressions()->set_value(-0.25f);
  EXPECT_EQ(regress_response(values), "{\n    \"results\": [2.0, -0.25\n    ]\n}");
}

TEST(KServe, tensors_as_json_and_as_bytes) {
  const std::string json =
      R"({"id": "7", "inputs": [{"name": "a", "shape": [2, 2], "datatype": "FP32", "data": [[1, 2], [3, 4]]},)"
      R"({"name": "b", "shape": [2], "datatype": "BYTES", "parameters": {"binary_data_size": 11}}],)"
      R"("outputs": [{"name": "y", "parameters": {"binary_data": true}}]})";
  const std::string body = json + std::string("\x01\0\0\0p\x02\0\0\0qr", 11);
  const KServeQuestion parsed = parse_infer_request(body, json.size(), kBoth);
  EXPECT_EQ(parsed.id, "7");
  expect<float>(parsed.question.inputs.at("a"), {2, 2}, {1, 2, 3, 4});
  expect<std::string>(parsed.question.inputs.at("b"), {2}, {"p", "qr"});
  EXPECT_EQ(parsed.question.output_filter, (std::vector<std::string>{"y"}));
  const KServeAnswer answer = infer_response(
      {"m", 3}, parsed, {{"y", Tensor::vector<std::int32_t>({1})}, {"z", Tensor::scalar(0.5f)}});
  EXPECT_EQ(answer.body.substr(0, answer.json_size),
            R"({"model_name":"m","model_version":"3","id":"7","outputs":[{"name":"y","datatype":)"
            R"("INT32","shape":[1],"parameters":{"binary_data_size":4}},{"name":"z","datatype":)"
            R"("FP32","shape":[],"data":[0.5]}]})");
  EXPECT_EQ(answer.body.substr(answer.json_size), std::string("\x01\0\0\0", 4));
}

TEST(KServe, errors) {
  const auto fault_of = [](const std::string& input, std::size_t behind = 0) {
    const std::string json = str_cat(R"({"inputs": [)", input, "]}");
    return error_of(
        [&] { parse_infer_request(json + std::string(behind, '\xff'), json.size(), kFloats); });
  };
  const std::string begin = R"({"name": "x", "datatype": "FP32", "shape": )";
  EXPECT_EQ(fault_of(begin + R"([2], "data": [1, 2]})"), "");
  for (const char* wrong :
       {R"([3], "data": [1, 2]})", R"([1], "data": [1, 2]})", R"([-1], "data": [1]})",
        R"([99999999999, 99999999999], "data": []})", R"([1]})", R"("x", "data": [1]})",
        R"([1], "parameters": {"binary_data_size": 4}})",
        R"([1], "parameters": {"binary_data_size": -4}})"})
    EXPECT_TRUE(fault_of(begin + wrong).starts_with("InvalidArgument: ")) << wrong;
  EXPECT_EQ(fault_of(begin + R"([1], "parameters": {"binary_data_size": 4}})", 4), "");
  EXPECT_NE(fault_of(begin + R"([1], "parameters": {"binary_data_size": 4}})", 5), "");
  EXPECT_NE(fault_of(R"({"name": "x", "datatype": "BYTES", "shape": [1],
                   "parameters": {"binary_data_size": 8}})",
                     8),
            "");
}

TEST(Base64, round_trip) {
  for (const char* bytes : {"", "f", "fo", "foo", "foob", "\xff\xfe\xfd"}) {
    std::string again;
    EXPECT_TRUE(from_base64(to_base64(bytes), &again));
    EXPECT_EQ(again, bytes);
  }
  std::string bytes;
  EXPECT_TRUE(from_base64("_-8", &bytes));  // for addresses, without padding
  EXPECT_EQ(bytes, "\xff\xef");
  for (const char* wrong : {"a", "ab==c", "a b=", "aaaaa", "/x=="})
    EXPECT_FALSE(from_base64(wrong, &bytes)) << wrong;
}

TEST(RestPath, paths_are_parsed) {
  using Kind = RestPath::Kind;
  const RestPath predict = parse_rest_path("POST", "/v1/models/m%20n/versions/007:predict?x=1");
  EXPECT_EQ(predict.kind, Kind::kPredict);
  EXPECT_EQ(predict.spec.name(), "m n");
  EXPECT_EQ(predict.spec.version().value(), 7);
  EXPECT_EQ(parse_rest_path("POST", "/V1/Models/m:CLASSIFY").kind, Kind::kClassify);
  EXPECT_EQ(parse_rest_path("POST", "/v1/models/m/labels/l:regress").spec.version_label(), "l");
  EXPECT_EQ(parse_rest_path("GET", "/v1/models/m").kind, Kind::kStatus);
  EXPECT_EQ(parse_rest_path("GET", "/v1/models/m/versions/1/metadata").kind, Kind::kMetadata);
  EXPECT_EQ(parse_rest_path("GET", "/v2/models/m").kind, Kind::kOther);
  const auto fault_of = [](const char* method, const char* target) {
    return error_of([&] { parse_rest_path(method, target); });
  };
  EXPECT_EQ(fault_of("GET", "/v1/models"), "InvalidArgument: Missing model name in request.");
  for (const char* target : {"/v1/models/m:train", "/v1/models/:predict", "/v1/x/m:predict",
                             "/v1/models/m/versions/a:predict", "/v1/models/m/x:predict"})
    EXPECT_EQ(fault_of("POST", target),
              str_cat("InvalidArgument: Malformed request: POST ", target));
  EXPECT_EQ(fault_of("GET", "/v1/models/m:predict"),
            "InvalidArgument: Malformed request: GET /v1/models/m:predict");
  EXPECT_EQ(fault_of("GET", "/v1/models/m/versions/99999999999999999999"),
            "InvalidArgument: Failed to convert version: 99999999999999999999 to numeric.");
}

}  // namespace
}  // namespace rill::serve
