#include <list>
#include <map>
#include <string>
#include <string_view>

/* A list, whose items never move either, and an ordered map. */
struct vocabulary {
  std::list<std::string> texts;
  std::map<std::string_view, int> numbers;
  std::map<int, std::string_view> by_number;
};

extern "C" vocabulary *vocabulary_new() { return new vocabulary(); }

extern "C" int vocabulary_find(const vocabulary *v, const char *text, std::size_t n) {
  auto entry = v->numbers.find({text, n});
  return entry == v->numbers.end() ? -1 : entry->second;
}

extern "C" int vocabulary_add(vocabulary *v, const char *text, std::size_t n) {
  if (auto entry = v->numbers.find({text, n}); entry != v->numbers.end())
    return entry->second;
  int number = static_cast<int>(v->numbers.size());
  std::string_view token = v->texts.emplace_back(text, n);
  v->by_number[number] = token;
  v->numbers[token] = number;
  return number;
}

extern "C" const char *vocabulary_text(const vocabulary *v, int number, std::size_t *n) {
  auto entry = v->by_number.find(number);
  if (entry == v->by_number.end())
    return nullptr;
  *n = entry->second.size();
  return entry->second.data();
}

extern "C" void vocabulary_free(vocabulary *v) { delete v; }
