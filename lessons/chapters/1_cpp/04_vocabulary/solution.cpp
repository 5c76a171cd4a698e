// Find and fix the bugs: a vocabulary that forgets. Everything below compiles and looks right.
//
//   struct vocabulary *v = vocabulary_new();
//   vocabulary_add(v, "the", 3);   // 0: the token's number
//   vocabulary_add(v, "cat", 3);   // 1
//   vocabulary_add(v, "the", 3);   // 0 again
//   vocabulary_find(v, "dog", 3);  // -1: unknown
//   const char *text = vocabulary_text(v, 1, &n);  // "cat", n is 3; nullptr for an unknown number
//   vocabulary_free(v);
//
// A token is any n bytes. A caller may change or free its own text as soon as a call returns; the
// text that vocabulary_text returned stays valid until vocabulary_free, whatever is added.
// There are three bugs: one about who owns the text, one in a lookup that adds, and one at a limit.
#include <cstddef>
// BEGIN SOLUTION
#include <deque>
#include <string>
// END SOLUTION
#include <string_view>
#include <unordered_map>
//: #include <vector>

struct vocabulary {
  //: std::vector<std::string_view> texts;
  //: std::unordered_map<std::string_view, int> numbers;
  // BEGIN SOLUTION
  std::deque<std::string> texts;                     // owns the texts; growing does not move them
  std::unordered_map<std::string_view, int> numbers; // views of `texts`
  // END SOLUTION
};

extern "C" {
vocabulary *vocabulary_new() { return new vocabulary; }

//: int vocabulary_add(vocabulary *v, const char *text, std::size_t n) {
//:   std::string_view token(text, n);
//:   auto [entry, added] = v->numbers.try_emplace(token, static_cast<int>(v->texts.size()));
//:   if (added)
//:     v->texts.push_back(token);
//:   return entry->second;
// BEGIN SOLUTION
int vocabulary_find(const vocabulary *v, const char *text, std::size_t n) {
  auto entry = v->numbers.find(std::string_view(text, n));
  return entry == v->numbers.end() ? -1 : entry->second;
  // END SOLUTION
}

//: int vocabulary_find(vocabulary *v, const char *text, std::size_t n) {
//:   int number = v->numbers[std::string_view(text, n)];
//:   return number < static_cast<int>(v->texts.size()) ? number : -1;
// BEGIN SOLUTION
int vocabulary_add(vocabulary *v, const char *text, std::size_t n) {
  int number = vocabulary_find(v, text, n);
  if (number >= 0)
    return number;
  number = static_cast<int>(v->texts.size());
  v->texts.emplace_back(text, n);
  v->numbers.emplace(v->texts.back(), number);
  return number;
  // END SOLUTION
}

const char *vocabulary_text(const vocabulary *v, int number, std::size_t *n) {
  //: if (number < 0 || number > static_cast<int>(v->texts.size()))
  // BEGIN SOLUTION
  if (number < 0 || number >= static_cast<int>(v->texts.size()))
    // END SOLUTION
    return nullptr;
  *n = v->texts[number].size();
  return v->texts[number].data();
}

void vocabulary_free(vocabulary *v) { delete v; }
}
