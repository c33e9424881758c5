#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/base/stores/azure_client.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/http_exchange.h"
#include "rill/base/stores/sign_v4.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

// The example of the service's documentation: an object is read in part.
TEST(Stores, signature_of_the_documented_request) {
  const AwsKeys keys{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
  const std::string nothing = hex_text(sha256_bytes(""));
  const V4Request request{.method = "GET",
                          .path = "/test.txt",
                          .query = {},
                          .headers = {{"host", "examplebucket.s3.amazonaws.com"},
                                      {"range", "bytes=0-9"},
                                      {"x-amz-content-sha256", nothing},
                                      {"x-amz-date", "20130524T000000Z"}},
                          .payload_sum = nothing};
  const std::string value = sign_v4(request, keys, "us-east-1", "s3", 1369353600);
  EXPECT_TRUE(
      value.ends_with("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
      << value;
  EXPECT_EQ(v4_time(1369353600), "20130524T000000Z");
}

// The example of Azure's documentation: a container's metadata.
TEST(Stores, what_the_key_of_an_azure_account_signs) {
  const Query query{{"comp", "metadata"}, {"restype", "container"}, {"timeout", "20"}};
  EXPECT_EQ(
      shared_key_text(
          "GET", "myaccount", "/mycontainer", query,
          {{"x-ms-date", "Fri, 26 Jun 2015 23:39:12 GMT"}, {"x-ms-version", "2015-02-21"}}, 0),
      "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\n"
      "x-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\n"
      "timeout:20");
  EXPECT_EQ(container_of({"account", "box/a/b", ""}), "box");
  EXPECT_EQ(blob_of({"account", "box/a/b", ""}), "a/b");
  EXPECT_EQ(blob_of({"account", "box", ""}), "");
}

TEST(Stores, signature_of_a_documented_list) {
  const AwsKeys keys{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
  const std::string nothing = hex_text(sha256_bytes(""));
  const V4Request request{.method = "GET",
                          .path = "/",
                          .query = {{"prefix", "J"}, {"max-keys", "2"}},
                          .headers = {{"host", "examplebucket.s3.amazonaws.com"},
                                      {"x-amz-content-sha256", nothing},
                                      {"x-amz-date", "20130524T000000Z"}},
                          .payload_sum = nothing};
  EXPECT_TRUE(sign_v4(request, keys, "us-east-1", "s3", 1369353600)
                  .ends_with("Signature="
                             "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
}

TEST(Stores, texts_of_urls) {
  EXPECT_EQ(url_encoded("a b/c+d~%\xc3\xa4"), "a%20b%2Fc%2Bd~%25%C3%A4");
  EXPECT_EQ(url_encoded("a b/c", /*keeps_slash=*/true), "a%20b/c");
  EXPECT_EQ(url_decoded("a%20b%2fc+d%zz%"), "a b/c d%zz%");
  EXPECT_EQ(url_query({{"b", "1 2"}, {"a", ""}}), "a=&b=1%202");
}

TEST(Stores, texts_of_digests) {
  EXPECT_EQ(hex_text(md5_bytes("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(base64_text("any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
  EXPECT_EQ(base64url_text("\xff\xfe\xfd\xfc"), "__79_A");
  EXPECT_THROW(rsa_sha256("no key", "x"), Error);
}

TEST(Stores, elements_of_xml) {
  const std::string_view xml =
      "<?xml version='1.0'?><R xmlns=\"x\"><Key>a&amp;b "
      "&#65;&#x42;</Key><E/><Item><Key>1</Key></Item>"
      "<Item a='b'><Key>2</Key></Item></R>";
  EXPECT_EQ(xml_text(xml, "Key"), "a&b AB");
  EXPECT_EQ(xml_text(xml, "E"), "");
  EXPECT_EQ(xml_text(xml, "Missing"), "");
  std::string keys;
  for_each_element(xml, "Item", [&](std::string_view item) { keys += xml_text(item, "Key"); });
  EXPECT_EQ(keys, "12");
  for (std::size_t cut = 0; cut < xml.size(); ++cut) {  // what is cut off ends nothing
    for_each_element(xml.substr(0, cut), "Item", [](std::string_view) {});
    xml_text(xml.substr(0, cut), "Key");
  }
}

}  // namespace
}  // namespace rill::stores
