#include <cstddef>
#include <string>
#include <unordered_map>

/* One string for the word at hand, whose memory is used again. */
extern "C" std::size_t top_word(const char *text, std::size_t n, std::size_t *start,
                                std::size_t *length) {
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> counts;
  std::string word;
  for (std::size_t i = 0; i <= n; i++) {
    if (i < n && text[i] != ' ' && text[i] != '\n') {
      word.push_back(text[i]);
    } else if (word.size()) {
      auto &[first, count] = counts[word];
      if (!count++)
        first = i - word.size();
      word.clear();
    }
  }
  std::size_t most = 0;
  for (const auto &[key, value] : counts)
    if (value.second > most || (value.second == most && value.first < *start)) {
      most = value.second;
      *start = value.first;
      *length = key.size();
    }
  return most;
}
