// The tokenizer's calls on one text, through nanobind.
//
// Shows:  text borrowed where it lies; a result of unknown size, written once: into an array of the
//         largest possible size, which is shortened in place.
// Bites:  a str's UTF-8 lives as long as the str, so it is held until the kernel is done. Lone
//         surrogates have no UTF-8.
#include "results.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

// ---- kernel --------------------------------------------------------------------------------

nb::object Tokenizer::encode(const nb::object &text, const nb::object &allowed,
                             const nb::object &disallowed) const {
  Utf8 utf8(text);
  std::string policy = model.policy(allowed, disallowed);
  Array<uint32_t> ids(utf8.size);
  return ids.shortened(run(utf8.data, utf8.size, bytes_of(policy), {ids.data, utf8.size, 0}));
}

size_t Tokenizer::count(const nb::object &text) const {
  Utf8 utf8(text);
  return run(utf8.data, utf8.size, nullptr, {});
}

nb::object Tokenizer::split(const nb::object &text) const {
  Utf8 utf8(text);
  Array<int64_t> ends(utf8.size);
  ck_buffer room{ends.data, utf8.size, 0};
  model.run(utf8.size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
    ck_bpe_split(bpe, utf8.data, utf8.size, &room, interrupt, error);
  });
  return ends.shortened(room.n);
}
