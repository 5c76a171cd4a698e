#include <map>
#include <string>
#include <string_view>

/* Keys that own their text, found by views: std::less<> compares the two without a copy. */
extern "C" size_t top_word(const char *text, size_t n, size_t *start, size_t *length) {
  struct place {
    size_t start, count;
  };
  std::map<std::string, place, std::less<>> places;
  size_t begin = 0;
  for (size_t i = 0; i <= n; i++) {
    if (i < n && text[i] != ' ' && text[i] != '\n')
      continue;
    std::string_view word(text + begin, i - begin);
    if (!word.empty()) {
      auto known = places.find(word);
      if (known == places.end())
        places.emplace(word, place{begin, 1});
      else
        known->second.count++;
    }
    begin = i + 1;
  }
  size_t most = 0;
  for (auto &[word, place] : places) {
    if (place.count < most || (place.count == most && place.start > *start))
      continue;
    most = place.count, *start = place.start, *length = word.size();
  }
  return most;
}
