#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace {
struct entry {
  std::size_t start = 0, count = 0;
};
} // namespace

extern "C" std::size_t top_word(const char *text, std::size_t n, std::size_t *start,
                                std::size_t *length) {
  constexpr std::string_view separators = " \n";
  const std::string_view all(text, n);
  std::unordered_map<std::string_view, entry> entries; // the keys are views of the caller's text
  for (std::size_t end = 0;;) {
    std::size_t begin = all.find_first_not_of(separators, end);
    if (begin == all.npos)
      break;
    end = std::min(all.find_first_of(separators, begin), n);
    entry &found = entries[all.substr(begin, end - begin)];
    if (found.count++ == 0)
      found.start = begin;
  }
  entry top;
  for (const auto &[word, found] : entries) {
    if (found.count > top.count || (found.count == top.count && found.start < top.start)) {
      top = found;
      *start = found.start;
      *length = word.size();
    }
  }
  return top.count;
}
