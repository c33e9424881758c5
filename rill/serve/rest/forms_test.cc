#include <gtest/gtest.h>

#include "rill/base/json.h"
#include "rill/serve/rest/json_writer.h"
#include "rill/serve/rest/openapi_schema.h"
#include "rill/serve/rest/page.h"
#include "rill/serve/rest/predict_forms.h"
#include "rill/serve/rest/rest_path.h"
#include "rill/serve/telemetry/utf8.h"

namespace rill::serve {
namespace {

TEST(Utf8, valid_texts_stay) {
  for (const char* text : {"", "a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf"})
    EXPECT_EQ(valid_utf8(text), text);
}

TEST(Utf8, other_bytes_are_replaced) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(valid_utf8("a\xff"
                       "b"),
            "a" + bad + "b");
  EXPECT_EQ(valid_utf8("\xc3"), bad);                                // cut off
  EXPECT_EQ(valid_utf8("\xc0\x80"), bad + bad);                      // longer than it need be
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), bad + bad + bad);            // half of a pair
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond the last
}

TEST(Utf8, no_character_is_cut_through) {
  EXPECT_EQ(utf8_prefix("abc", 5), "abc");
  EXPECT_EQ(utf8_prefix("abc", 2), "ab");
  EXPECT_EQ(utf8_prefix("a\xc3\xa4", 2), "a");
  EXPECT_EQ(utf8_prefix("\xf0\x9f\x98\x80", 3), "");
}

TEST(PredictForms, headers) {
  EXPECT_EQ(body_form(""), BodyForm::kJson);
  EXPECT_EQ(body_form("text/plain"), BodyForm::kJson);
  EXPECT_EQ(body_form("Application/Octet-Stream ; a=b"), BodyForm::kBytes);
  EXPECT_EQ(accepted_form("*/*"), std::nullopt);
  EXPECT_EQ(accepted_form("text/html, application/x-npy;q=0.5, application/json"), BodyForm::kNpy);
}

TEST(PredictForms, queries) {
  EXPECT_TRUE(query_of("/a").empty());
  const auto query = query_of("/a?x=1%2C2&y&z==%&&x%79=3");
  EXPECT_EQ(query.at("x"), "1,2");
  EXPECT_EQ(query.at("y"), "");
  EXPECT_EQ(query.at("z"), "=%");
  EXPECT_EQ(query.at("xy"), "3");
}

TEST(RestPath, names_in_paths) {
  const std::string name = "a b/c:d%?#\xc3\xa4-._~";
  EXPECT_EQ(percent_encoded(name), "a%20b%2Fc%3Ad%25%3F%23%C3%A4-._~");
  EXPECT_EQ(percent_decoded(percent_encoded(name)), name);
}

TEST(JsonWriter, pieces) {
  JsonWriter json;
  json.object([&] {
    json.key("a\"").text("b\n");
    json.key("c").list([&] {
      json.number(-1).boolean(true);
      json.object([] {});
      json.list([] {});
    });
    json.key("d").raw("null");
  });
  EXPECT_EQ(json.take(), R"({"a\"": "b\n", "c": [-1, true, {}, []], "d": null})");
}

TEST(OpenApiSchema, samples) {
  SignatureForm form{.name = "serving_default",
                     .inputs = {{"x", {DType::f32, {{-1, 2}}}}, {"t", {DType::string, {{-1}}}}},
                     .outputs = {{"y", {DType::f32, {{-1}}}}}};
  EXPECT_TRUE(form.takes_rows() && form.gives_rows() && has_sample(form));
  JsonWriter rows, columns;
  write_rows_sample(form, &rows);
  EXPECT_EQ(rows.take(), R"({"instances": [{"t": "", "x": [1.0, 1.0]}]})");
  write_columns_sample(form, &columns);
  EXPECT_EQ(columns.take(), R"({"inputs": {"t": [""], "x": [[1.0, 1.0]]}})");
  form.inputs["x"].dims = {{-1, std::int64_t{1} << 62, std::int64_t{1} << 62}};
  EXPECT_FALSE(has_sample(form));
  form.inputs["x"].dims.reset();
  EXPECT_FALSE(form.takes_rows());
}

TEST(Page, has_a_nonce_of_its_own) {
  const net::HttpResponse one = page_response(), two = page_response();
  EXPECT_NE(one.body, two.body);
  EXPECT_EQ(one.body.find("@NONCE@"), std::string::npos);
  EXPECT_EQ(one.headers.at(0).first, "Content-Security-Policy");
  EXPECT_NE(one.headers.at(0).second.find("default-src 'none'"), std::string::npos);
}

}  // namespace
}  // namespace rill::serve
