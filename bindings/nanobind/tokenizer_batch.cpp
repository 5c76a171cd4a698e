// Many texts in one call of the tokenizer, through nanobind.
//
// Shows:  a list of texts that the kernel reads where they lie, without a copy; two arrays out.
// Bites:  a list may change whenever Python code runs, so the batch holds each of its texts.
#include <vector>

#include "results.hpp"
#include "threads.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

// ---- arguments -----------------------------------------------------------------------------

// The texts of a list or tuple, and the objects that keep them alive: the list can change.
struct Texts {
  std::vector<nb::object> owners;
  std::vector<const uint8_t *> texts;
  std::vector<size_t> sizes;
  size_t total = 0;

  explicit Texts(const nb::object &given) {
    if (!nb::isinstance<nb::list>(given) && !nb::isinstance<nb::tuple>(given))
      refuse_type("texts must be a list or tuple of str or bytes", given);
    for (nb::handle text : nb::tuple(given)) {
      Utf8 utf8(nb::borrow(text));
      texts.push_back(utf8.data);
      sizes.push_back(utf8.size);
      total += utf8.size;
      owners.push_back(std::move(utf8.owner));
    }
  }
};

// ---- kernel --------------------------------------------------------------------------------

nb::tuple Tokenizer::encode_batch(const nb::object &texts, const nb::object &threads,
                                  const nb::object &allowed, const nb::object &disallowed) const {
  int most = checked_threads(threads);
  Texts borrowed(texts);
  std::string policy = model.policy(allowed, disallowed);
  size_t n = borrowed.texts.size();
  Array<uint32_t> ids(borrowed.total);
  Array<int64_t> offsets(n + 1);
  const ck_texts given{borrowed.texts.data(), borrowed.sizes.data(), n};
  ck_buffer room{ids.data, borrowed.total, 0};
  model.run(borrowed.total, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
    ck_bpe_encode_batch(bpe, &given, bytes_of(policy), &room, offsets.data, most, interrupt, error);
  });
  return nb::make_tuple(ids.shortened(static_cast<size_t>(offsets.data[n])), offsets.object);
}
