#include <gtest/gtest.h>

#include <cmath>

#include "rill/board/data/json_out.h"
#include "rill/board/data/markdown.h"
#include "rill/board/data/thinning.h"

namespace rill::board {
namespace {

TEST(BoardJson, numbers_and_texts_are_valid_whatever_they_hold) {
  JsonOut json;
  json.open_object().member("a\"\n", "x\xff<").key("n").open_array();
  json.number(NAN).number(-HUGE_VAL).number(0.1f).integer(-3).boolean(true).null().close_array();
  json.close_object();
  EXPECT_EQ(json.take(),
            "{\"a\\\"\\n\":\"x\xef\xbf\xbd<\",\"n\":[\"NaN\",\"-Infinity\",0.10000000149011612,-3,"
            "true,null]}");
}

TEST(BoardJson, halves_of_characters_and_long_forms_are_no_text) {
  EXPECT_EQ(valid_utf8("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(valid_utf8("\xc3"), "\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(BoardMarkdown, what_is_written_becomes_html) {
  EXPECT_EQ(markdown_to_html("hello *you* and **me**, `x<y`"),
            "<p>hello <em>you</em> and <strong>me</strong>, <code>x&lt;y</code></p>");
  EXPECT_EQ(markdown_to_html("# Title\n\n- a\n- b"),
            "<h1>Title</h1>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
  EXPECT_EQ(markdown_to_html("a | b\n--|--\n1 | 2"),
            "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
            "<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>");
  EXPECT_EQ(markdown_to_html("snake_case_name"), "<p>snake_case_name</p>");
}

TEST(BoardMarkdown, nothing_in_it_runs) {
  EXPECT_EQ(markdown_to_html("<script>alert(1)</script>"),
            "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
  EXPECT_EQ(markdown_to_html("[x](javascript:alert(1))").find("href"), std::string::npos);
  EXPECT_EQ(markdown_to_html("[x](JaVaScRiPt&#58;alert)").find("javascript:"), std::string::npos);
  EXPECT_EQ(markdown_to_html("![x](data:text/html,hi)").find("src"), std::string::npos);
  EXPECT_EQ(markdown_to_html("[a\" onclick=\"b](http://c\"d)"),
            "<p><a href=\"http://c&quot;d\">a&quot; onclick=&quot;b</a></p>");
}

TEST(BoardMarkdown, deep_nesting_ends) {
  std::string quotes(100000, '>'), stars(100000, '*');
  EXPECT_LT(markdown_to_html(quotes).size(), 2000000u);
  EXPECT_LT(markdown_to_html(stars + "a" + stars).size(), 2000000u);
}

ScalarColumns wave(std::size_t count) {
  ScalarColumns scalars;
  for (std::size_t i = 0; i < count; ++i)
    scalars.push_back(static_cast<std::int64_t>(i), static_cast<double>(i),
                      std::sin(static_cast<double>(i) / 1000));
  return scalars;
}

TEST(BoardThinning, few_points_stay_and_many_keep_their_extremes) {
  EXPECT_EQ(thin_line(wave(300), {.columns = 400}).x.size(), 300u);
  ScalarColumns many = wave(1'000'000);
  ScalarColumns spiked;
  for (std::size_t i = 0; i < many.size(); ++i)
    spiked.push_back(many.steps[i], many.wall_times[i], i == 777'777 ? 50 : many.values[i]);
  const ThinLine line = thin_line(spiked, {.columns = 500});
  EXPECT_LT(line.x.size(), 500u * 8);
  EXPECT_EQ(line.total, 1'000'000u);
  EXPECT_EQ(*std::ranges::max_element(line.values), 50);
  EXPECT_EQ(line.steps.front(), 0);
  EXPECT_EQ(line.steps.back(), 999'999);
  EXPECT_TRUE(std::ranges::is_sorted(line.x));
}

TEST(BoardThinning, a_range_has_a_point_more_at_each_end) {
  const ThinLine line = thin_line(wave(1000), {.from = 100, .to = 110});
  ASSERT_EQ(line.x.size(), 13u);
  EXPECT_EQ(line.x.front(), 99);
  EXPECT_EQ(line.x.back(), 111);
}

TEST(BoardThinning, smoothing_has_no_bias_and_passes_over_gaps) {
  ScalarColumns scalars;
  for (const double value : {1.0, 3.0, std::nan(""), 5.0}) scalars.push_back(0, 0, value);
  const std::vector<double> smooth = smoothed(scalars, 0.5);
  EXPECT_DOUBLE_EQ(smooth[0], 1);
  EXPECT_DOUBLE_EQ(smooth[1], (0.25 * 1 + 0.5 * 3) / 0.75);
  EXPECT_TRUE(std::isnan(smooth[2]));
  EXPECT_DOUBLE_EQ(smooth[3], (0.125 * 1 + 0.25 * 3 + 0.5 * 5) / 0.875);
}

}  // namespace
}  // namespace rill::board
