#include "rill/io/pickled.h"

#include <gtest/gtest.h>

#include "rill/io/pickled_arrays.h"

namespace rill {
namespace {

std::string from_hex(std::string_view digits) {
  std::string bytes;
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  return bytes;
}

// pickle.dumps({b"data": np.arange(6, dtype="u1").reshape(2, 3), b"labels": [3, -1, 70000],
//               b"name": "x", b"half": 0.5, b"none": None, b"both": (True, False)}, 2)
constexpr const char* kDict =
    "80027d710028635f636f646563730a656e636f64650a7101580400000064617461710258060000006c617469"
    "6e317103867104527105636e756d70792e636f72652e6d756c746961727261790a5f7265636f6e7374727563"
    "740a7106636e756d70790a6e6461727261790a71074b0085710868015801000000627109680386710a52710b"
    "87710c52710d284b014b024b0386710e636e756d70790a64747970650a710f58020000007531711089888771"
    "11527112284b0358010000007c71134e4e4e4affffffff4affffffff4b007471146289680158060000000001"
    "020304057115680386711652711774711862680158060000006c6162656c737119680386711a52711b5d711c"
    "284b034affffffff4a7011010065680158040000006e616d65711d680386711e52711f580100000078712068"
    "01580400000068616c6671216803867122527123473fe0000000000000680158040000006e6f6e6571246803"
    "8671255271264e68015804000000626f746871276803867128527129888986712a752e";
// np.save of an array of the objects [1, 2, 300] and [4].
constexpr const char* kObjects =
    "934e554d5059010076007b276465736372273a20277c4f272c2027666f727472616e5f6f72646572273a2046"
    "616c73652c20277368617065273a2028322c292c207d20202020202020202020202020202020202020202020"
    "2020202020202020202020202020202020202020202020202020202020202020202020202020200a8003636e"
    "756d70792e636f72652e6d756c746961727261790a5f7265636f6e7374727563740a7100636e756d70790a6e"
    "6461727261790a71014b008571024301627103877104527105284b014b02857106636e756d70790a64747970"
    "650a710758020000004f387108898887710952710a284b0358010000007c710b4e4e4e4affffffff4affffff"
    "ff4b3f74710c62895d710d285d710e284b014b024d2c01655d710f4b046165747110622e";

TEST(Pickled, a_dict_of_values_and_arrays) {
  const Pickled dict = read_pickle(from_hex(kDict));
  EXPECT_EQ(dict.at("labels").list().at(1).number(), -1);
  EXPECT_EQ(dict.at("labels").list().at(2).number(), 70000);
  EXPECT_EQ(dict.at("name").bytes(), "x");
  EXPECT_EQ(std::get<double>(dict.at("half").value), 0.5);
  EXPECT_EQ(dict.at("both").list().at(0).number(), 1);
  const Tensor data = pickled_array(dict.at("data"));
  EXPECT_EQ(data.shape(), Shape({2, 3}));
  EXPECT_EQ(data.data<std::uint8_t>()[5], 5);
  EXPECT_THROW(dict.at("nothing"), Error);
  EXPECT_THROW(dict.at("labels").number(), Error);
}

TEST(Pickled, an_array_of_lists) {
  const Pickled::List rows = parse_npy_objects(from_hex(kObjects));
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].list().at(2).number(), 300);
  EXPECT_EQ(rows[1].list().size(), 1);
}

TEST(Pickled, damaged_bytes_do_no_harm) {
  for (const char* whole : {kDict, kObjects}) {
    const std::string bytes = from_hex(whole);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      try {
        read_pickle(bytes.substr(0, size));
      } catch (const Error&) {
      }
      for (const int change : {1, 64, 255}) {
        std::string other = bytes;
        other[size] = static_cast<char>(other[size] ^ change);
        try {
          pickled_array(read_pickle(other).at("data"));
        } catch (const Error&) {
        }
        try {
          parse_npy_objects(other);
        } catch (const Error&) {
        }
      }
    }
  }
}

}  // namespace
}  // namespace rill
