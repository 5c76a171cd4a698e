// A call of the tokenizer, shared by its pages: the model, the memory it needs and its result.
#pragma once

#include <optional>
#include <tuple>

#include "model.hpp"

using Maybe = std::optional<Tensor>;
using Result = std::tuple<Tensor, Tensor>; // the result, and the error

// Uninitialised memory.
template <class T> std::unique_ptr<T[]> uninitialised(size_t n) {
  return std::unique_ptr<T[]>(new T[n]);
}

struct Call {
  static constexpr size_t ENOUGH = 1 << 18;

  ck_error error{};
  Model model;
  ck_interrupt stopping{};
  ck_buffer room{};

  // A call that encodes `size` bytes. Without an open model the caches end with the call, and their
  // memory has to be cleared: fewer than ENOUGH bytes take less time without caches.
  Call(const Tensor &given, const Maybe &stop, size_t size = 0) : model(find_model(given)) {
    if (!model)
      model = open_model(given, size < ENOUGH ? CK_UNCACHED : 0, error);
    if (stop)
      stopping.stop = elements<int32_t>(*stop, "stop");
  }
  Call(const Call &) = delete;
  explicit operator bool() const { return error.code == CK_OK; }

  ck_interrupt *interrupt() { return stopping.stop ? &stopping : nullptr; }

  // One byte for each special token. A policy of another size is refused like a damaged model.
  const uint8_t *policy(const Maybe &specials) {
    if (!*this || !specials)
      return nullptr;
    if (size_of(*specials) != ck_bpe_n_special(model.get()))
      error = {CK_ARGUMENT, 0, 0, -1, 0, 0};
    return elements<uint8_t>(*specials, "specials");
  }

  void encode(const Tensor &text, const uint8_t *specials, ck_buffer ids) {
    room = ids;
    ck_bpe_encode(model.get(), elements<uint8_t>(text, "text"), size_of(text), specials, &room,
                  interrupt(), &error);
  }

  template <class T> Result result(const T *found) const {
    return {tensor_from(found, *this ? room.n : 0), tensor_from(error)};
  }

  Result count() const {
    auto number = static_cast<int64_t>(room.n);
    return {tensor_from(&number, 1), tensor_from(error)};
  }
};

// An op that reports a lack of memory as it reports what a kernel refuses.
template <auto op> struct Sparing;

template <class... Out, class... In,
          std::tuple<Out...> (*op)(const Tensor &, const Tensor &, In...)>
struct Sparing<op> {
  static std::tuple<Out...> call(const Tensor &model, const Tensor &input, In... more) {
    try {
      return op(model, input, more...);
    } catch (const std::bad_alloc &) {
      auto size = input.numel() * static_cast<int64_t>(input.element_size());
      auto none = std::make_tuple(Out(new_tensor<int64_t>(0))...);
      std::get<sizeof...(Out) - 1>(none) =
          tensor_from(ck_error{CK_DATA_CAPACITY, 0, 0, -1, size, 0});
      return none;
    }
  }
};
