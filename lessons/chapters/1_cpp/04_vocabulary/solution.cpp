#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

struct vocabulary {
  std::deque<std::string> texts;                     // owns the texts; growing does not move them
  std::unordered_map<std::string_view, int> numbers; // views of `texts`
};

extern "C" {
vocabulary *vocabulary_new() { return new vocabulary; }

int vocabulary_find(const vocabulary *v, const char *text, std::size_t n) {
  auto entry = v->numbers.find(std::string_view(text, n));
  return entry == v->numbers.end() ? -1 : entry->second;
}

int vocabulary_add(vocabulary *v, const char *text, std::size_t n) {
  int number = vocabulary_find(v, text, n);
  if (number >= 0)
    return number;
  number = static_cast<int>(v->texts.size());
  v->texts.emplace_back(text, n);
  v->numbers.emplace(v->texts.back(), number);
  return number;
}

const char *vocabulary_text(const vocabulary *v, int number, std::size_t *n) {
  if (number < 0 || number >= static_cast<int>(v->texts.size()))
    return nullptr;
  *n = v->texts[number].size();
  return v->texts[number].data();
}

void vocabulary_free(vocabulary *v) { delete v; }
}
