#include <cstring>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

/* Each text in an array of its own. */
struct vocabulary {
  std::vector<std::unique_ptr<char[]>> owned;
  std::vector<std::string_view> texts;
  std::unordered_map<std::string_view, int> numbers;
};

extern "C" {
vocabulary *vocabulary_new() { return new vocabulary; }

int vocabulary_find(vocabulary *v, const char *text, size_t n) {
  std::string_view token(text, n);
  return v->numbers.contains(token) ? v->numbers.at(token) : -1;
}

int vocabulary_add(vocabulary *v, const char *text, size_t n) {
  int number = vocabulary_find(v, text, n);
  if (number != -1)
    return number;
  auto copy = std::make_unique<char[]>(n);
  if (n)
    std::memcpy(copy.get(), text, n);
  std::string_view token(copy.get(), n);
  v->owned.push_back(std::move(copy));
  v->texts.push_back(token);
  return v->numbers[token] = static_cast<int>(v->texts.size()) - 1;
}

const char *vocabulary_text(const vocabulary *v, int number, size_t *n) {
  if (number < 0 || number >= int(v->texts.size()))
    return nullptr;
  std::string_view token = v->texts[number];
  *n = token.size();
  return token.data();
}

void vocabulary_free(vocabulary *v) { delete v; }
}
