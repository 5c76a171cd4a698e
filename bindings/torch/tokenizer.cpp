// The tokenizer through torch's dispatcher.
//
// Shows:  a model that is a tensor, so that it lives in a state_dict, an export or a buffer of a
//         module like any other; results whose size depends on the data; several results; an
//         optional tensor.
// Build:  CMakeLists.txt beside this file.
// Bites:  an op is a function of its arguments and has no place to keep things: a call opens the
//         model anew, which checks a few thousand entries of it, and remembers nothing of earlier
//         texts, unless bpe_open has opened it for all (opened.hpp).
//
// Memory: every call owns its results; calls share nothing but an open model and its caches, no two
//         of which use the same one.
#include <vector>

#include "common.hpp"
#include "model.hpp"

// ---- kernels -------------------------------------------------------------------------------

static Result bpe_encode(const Tensor &model, const Tensor &text, const Maybe &specials,
                         const Maybe &stop) {
  Call call(model, stop, size_of(text));
  auto ids = uninitialised<uint32_t>(size_of(text));
  const uint8_t *policy = call.policy(specials);
  if (call)
    call.encode(text, policy, ids.get(), size_of(text));
  return call.result(ids.get());
}

static Result bpe_encode_into(const Tensor &model, const Tensor &text, const Tensor &out,
                              const Maybe &stop) {
  Call call(model, stop, size_of(text));
  if (call)
    call.encode(text, nullptr, writable<uint32_t>(out, "out"), size_of(out));
  return call.count();
}

static Result bpe_count(const Tensor &model, const Tensor &text, const Maybe &stop) {
  Call call(model, stop, size_of(text));
  if (call)
    call.encode(text, nullptr, nullptr, 0);
  return call.count();
}

static std::tuple<Tensor, Tensor, Tensor> bpe_encode_batch(const Tensor &model, const Tensor &text,
                                                           const Tensor &offsets,
                                                           const Maybe &specials, int64_t threads,
                                                           const Maybe &stop) {
  size_t n = size_of(offsets), size = size_of(text);
  const int64_t *given = elements<int64_t>(offsets, "offsets");
  std::vector<int64_t> ends(given, given + n), id_ends(n); // the given ones may change meanwhile
  STD_TORCH_CHECK(n > 0 && ends[n - 1] <= text.numel(), "offsets must lead from 0 to text's size");
  STD_TORCH_CHECK(threads >= 1, "threads must be at least 1, not ", threads);
  threads = std::min<int64_t>(threads, 64);
  auto ids = uninitialised<uint32_t>(size);
  Call call(model, stop, size);
  if (call && (ends[0] < 0 || !std::is_sorted(ends.begin(), ends.end())))
    call.error = {CK_ARGUMENT, 0, 0, -1, 0, 0};
  const uint8_t *policy = call.policy(specials);
  if (call) {
    std::vector<const uint8_t *> texts(n);
    std::vector<size_t> sizes(n);
    for (size_t i = 0; i + 1 < n; i++) {
      texts[i] = elements<uint8_t>(text, "text") + ends[i];
      sizes[i] = static_cast<size_t>(ends[i + 1] - ends[i]);
    }
    ck_bpe_encode_batch(call.model.get(), texts.data(), sizes.data(), n - 1, policy, ids.get(),
                        size, id_ends.data(), static_cast<int>(threads), call.interrupt(),
                        &call.error);
  }
  call.n = static_cast<size_t>(id_ends[n - 1]);
  auto [found, error] = call.result(ids.get());
  return {found, tensor_from(id_ends.data(), n), error};
}

static Result bpe_split(const Tensor &model, const Tensor &text, const Maybe &stop) {
  Call call(model, stop);
  auto ends = uninitialised<int64_t>(size_of(text));
  if (call)
    ck_bpe_split(call.model.get(), elements<uint8_t>(text, "text"), size_of(text), ends.get(),
                 size_of(text), &call.n, call.interrupt(), &call.error);
  return call.result(ends.get());
}

static Result bpe_decode(const Tensor &model, const Tensor &ids, const Maybe &stop) {
  Call call(model, stop);
  const uint32_t *first = elements<uint32_t>(ids, "ids");
  std::vector<uint32_t> given(first, first + size_of(ids)); // the same ids for both passes
  auto decode = [&](uint8_t *bytes) {
    ck_bpe_decode(call.model.get(), given.data(), given.size(), bytes, call.n, &call.n,
                  call.interrupt(), &call.error);
  };
  if (call)
    decode(nullptr);
  auto bytes = uninitialised<uint8_t>(call.n);
  if (call)
    decode(bytes.get());
  return call.result(bytes.get());
}

static std::tuple<int64_t, Tensor> bpe_open(const Tensor &model) {
  ck_error error{};
  size_t n_special = OpenModels::all().open(model, error);
  return {static_cast<int64_t>(n_special), tensor_from(error)};
}

static void bpe_close(const Tensor &model) { OpenModels::all().close(model); }

// ---- memory --------------------------------------------------------------------------------

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

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("bpe_encode(Tensor model, Tensor text, Tensor? specials=None, *, Tensor? stop=None) -> "
        "(Tensor, Tensor)");
  m.def("bpe_encode_into(Tensor model, Tensor text, Tensor(out!) out, *, "
        "Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_encode_batch(Tensor model, Tensor text, Tensor offsets, Tensor? specials=None, *, "
        "int threads=1, Tensor? stop=None) -> (Tensor, Tensor, Tensor)");
  m.def("bpe_count(Tensor model, Tensor text, *, Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_split(Tensor model, Tensor text, *, Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_decode(Tensor model, Tensor ids, *, Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_open(Tensor model) -> (int, Tensor)");
  m.def("bpe_close(Tensor model) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bpe_encode", TORCH_BOX(&Sparing<bpe_encode>::call));
  m.impl("bpe_encode_into", TORCH_BOX(&Sparing<bpe_encode_into>::call));
  m.impl("bpe_encode_batch", TORCH_BOX(&Sparing<bpe_encode_batch>::call));
  m.impl("bpe_count", TORCH_BOX(&Sparing<bpe_count>::call));
  m.impl("bpe_split", TORCH_BOX(&Sparing<bpe_split>::call));
  m.impl("bpe_decode", TORCH_BOX(&Sparing<bpe_decode>::call));
  m.impl("bpe_open", TORCH_BOX(&bpe_open));
  m.impl("bpe_close", TORCH_BOX(&bpe_close));
}
