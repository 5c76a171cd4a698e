#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

/* The map owns the text: its nodes never move, so pointers to their keys stay valid. */
struct vocabulary {
  std::unordered_map<std::string, int> numbers;
  std::vector<const std::string *> texts;
};

extern "C" {
vocabulary *vocabulary_new() { return new vocabulary; }

int vocabulary_add(vocabulary *v, const char *text, std::size_t n) {
  auto [entry, added] =
      v->numbers.try_emplace(std::string(text, n), static_cast<int>(v->texts.size()));
  if (added)
    v->texts.push_back(&entry->first);
  return entry->second;
}

int vocabulary_find(vocabulary *v, const char *text, std::size_t n) {
  auto entry = v->numbers.find(std::string(text, n));
  return entry != v->numbers.end() ? entry->second : -1;
}

const char *vocabulary_text(const vocabulary *v, int number, std::size_t *n) {
  if (number < 0 || static_cast<std::size_t>(number) >= v->texts.size())
    return nullptr;
  *n = v->texts[number]->size();
  return v->texts[number]->c_str();
}

void vocabulary_free(vocabulary *v) { delete v; }
}
