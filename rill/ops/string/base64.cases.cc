#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBase64Cases{
    "base64", [] {
      std::vector<OpCase> cases;
      Tensor all_bytes(DType::string, {40});
      for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t k = 0; k < i * 3 / 2; ++k)
          all_bytes.data<std::string>()[i] += static_cast<char>(k * 41 + i * 13);
      for (const bool pad : {false, true})
        for (const Tensor& bytes :
             {all_bytes, strings({0}, {}), strings({}, {"\xff\xfe\xfd"}),
              tensor<std::string>({2, 2}, {"", std::string(3, '\0'), "a", std::string("\0b", 2)})})
          cases.push_back({.op = "EncodeBase64", .in = {bytes}, .attrs = {{"pad", pad}}});
      cases.push_back({.op = "DecodeBase64",
                       .in = {strings({10}, {"", "YQ", "YQ==", "YR", "YWI", "YWI=", "YWJj", "_-_-",
                                             "YWJjZA", "AAAAAAAAAAAA"})}});
      cases.push_back({.op = "DecodeBase64", .in = {strings({2, 0}, {})}});
      for (const char* text :
           {"YQ=", "YWI==", "A", "AAAAA", "a+/b", "YQ==YQ==", "Y Q", "YWJj====", "=",
            "==", "====", "YWJjZ", "YQ===", "\n", "Y=Q=", "YQ\xc3\xa9", "YWJ\n"})
        cases.push_back({.op = "DecodeBase64",
                         .in = {strings({2}, {"YQ", text})},
                         .error = "Invalid character found in base64|cannot be 1 modulo 4"});
      cases.push_back({.op = "DecodeBase64",
                       .in = {tensor<std::string>({}, {std::string(4, '\0')})},
                       .error = "Invalid character found in base64"});
      return cases;
    }};

}  // namespace rill
