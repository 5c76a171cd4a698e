// A call of the tokenizer: the model, the memory it needs and its result.
#pragma once

#include <memory>
#include <optional>
#include <tuple>

#include "opened.hpp"

using Maybe = std::optional<Tensor>;
using Result = std::tuple<Tensor, Tensor>; // what was asked for, and the error

// Memory that is not cleared first.
template <class T> std::unique_ptr<T[]> uninitialised(size_t n) {
  return std::unique_ptr<T[]>(new T[n]);
}

struct Call {
  static constexpr size_t ENOUGH = 1 << 18;

  std::shared_ptr<OpenModel> open; // or nothing, and then `opened` and `fresh` serve
  ck_bpe opened;
  ck_interrupt interrupt{};
  ck_bpe_pool fresh{};
  const ck_bpe *bpe;
  ck_error error{};
  size_t n = 0;

  Call(const Tensor &model, const Maybe &stop)
      : open(OpenModels::all().find(elements<uint8_t>(model, "model"), size_of(model))),
        bpe(open ? &open->bpe : &opened) {
    if (!open)
      error.code = ck_bpe_open(&opened, elements<uint8_t>(model, "model"), size_of(model));
    if (!*this || !stop)
      return;
    interrupt.stop = elements<int32_t>(*stop, "stop");
    opened = *bpe;
    opened.interrupt = &interrupt;
    bpe = &opened;
  }
  Call(const Call &) = delete;
  ~Call() { ck_bpe_pool_free(&fresh); }
  explicit operator bool() const { return error.code == CK_OK; }

  // One byte for each special token. A policy of another size is refused as a damaged model is.
  const uint8_t *policy(const Maybe &specials) {
    if (!*this || !specials)
      return nullptr;
    if (size_of(*specials) != bpe->n_special)
      error = {CK_ARGUMENT, 0, 0, -1, 0, 0};
    return elements<uint8_t>(*specials, "specials");
  }

  void encode(const Tensor &text, const uint8_t *specials, uint32_t *ids, size_t capacity) {
    size_t size = size_of(text);
    ck_bpe_encode(bpe, elements<uint8_t>(text, "text"), size, specials, ids, capacity, &n,
                  pool_for(size), &error);
  }

  // The cache of a model that is not open ends with the call, and its memory has to be cleared: a
  // text of less than ENOUGH bytes takes less time without a cache.
  ck_bpe_pool *pool_for(size_t size) {
    if (open)
      return &open->pool;
    return size < ENOUGH ? nullptr : &fresh;
  }

  template <class T> Result result(const T *found) const {
    return {tensor_from(found, *this ? n : 0), tensor_from(error)};
  }

  Result count() const {
    auto number = static_cast<int64_t>(n);
    return {tensor_from(&number, 1), tensor_from(error)};
  }
};
