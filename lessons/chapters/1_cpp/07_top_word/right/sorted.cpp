#include <algorithm>
#include <string_view>
#include <vector>

/* Equal words lie side by side in a sorted vector of views, in the order of the text. */
extern "C" size_t top_word(const char *text, size_t n, size_t *start, size_t *length) {
  std::vector<std::string_view> words;
  const char *end = text + n;
  auto separates = [](char c) { return c == ' ' || c == '\n'; };
  for (const char *at = text; at != end;) {
    const char *begin = std::find_if_not(at, end, separates);
    at = std::find_if(begin, end, separates);
    if (at != begin)
      words.emplace_back(begin, at - begin);
  }
  std::sort(words.begin(), words.end(), [](std::string_view a, std::string_view b) {
    return a != b ? a < b : a.data() < b.data();
  });
  size_t most = 0;
  for (auto first = words.begin(); first != words.end();) {
    auto last = std::find_if(first, words.end(), [&](auto word) { return word != *first; });
    size_t count = last - first, where = first->data() - text;
    if (count > most || (count == most && where < *start)) {
      most = count;
      *start = where;
      *length = first->size();
    }
    first = last;
  }
  return most;
}
