// The tokenizer through torch's dispatcher.
//
// Shows:  a model that is a tensor, so that a state_dict, an export or a module's buffer can hold
//         it; state beside the ops, which survives a fork; results whose size depends on the data;
//         an optional tensor; an op that writes to an argument, as its schema declares by (out!).
// Build:  CMakeLists.txt beside this file.
// Bites:  an op is a function of its arguments and has no state: a call opens the model anew, which
//         checks a few thousand entries of it, and caches nothing from earlier texts, unless
//         bpe_open has opened it for all. The size of a result is known only when the kernel is
//         done: its output is copied into a tensor of the right size. Another thread may write to
//         a tensor during the call: what is checked, or read by two passes, is copied first.
//
// Memory: every call owns its results; calls share nothing but an open model and its caches, no two
//         of which use the same one.
#include <pthread.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "common.hpp"

// ---- object --------------------------------------------------------------------------------

// An open model, which owns its tensor. The tensor's bytes must not change meanwhile.
using Model = std::shared_ptr<ck_bpe>;

// Open a model. Return NULL and an error if the tensor does not hold one.
static Model open_model(const Tensor &model, uint32_t options, ck_error &error) {
  return {ck_bpe_open(elements<uint8_t>(model, "model"), size_of(model), options, &error),
          [model](ck_bpe *open) { ck_bpe_close(open); }};
}

// Models that stay open between calls, each with its caches.
//
// An op is a function of its tensors and has no state, and the stable ABI has no classes. So open
// models lie beside the ops and are found by the address of a tensor's memory. No other tensor can
// have that address, since an open model owns its tensor: no argument is ever used as a pointer.
class OpenModels {
public:
  static OpenModels &all() {
    static auto *models = new OpenModels; // outlives every tensor and thread
    return *models;
  }

  // NULL if the model is not open.
  Model find(const Tensor &model) {
    std::lock_guard<std::mutex> guard(lock);
    auto it = models.find(place_of(model));
    return it == models.end() ? nullptr : it->second.model;
  }

  // Return the number of special tokens, or an error.
  size_t open(const Tensor &model, ck_error &error) {
    Model made = open_model(model, 0, error);
    if (!made)
      return 0;
    std::lock_guard<std::mutex> guard(lock);
    models.try_emplace(place_of(model), Open{made}).first->second.users++;
    return ck_bpe_n_special(made.get());
  }

  void close(const Tensor &model) {
    Model last; // freed after the lock: freeing a tensor may wait for the GIL
    std::lock_guard<std::mutex> guard(lock);
    auto it = models.find(place_of(model));
    STD_TORCH_CHECK(it != models.end(), "this model is not open");
    if (--it->second.users > 0)
      return;
    last = std::move(it->second.model);
    models.erase(it);
  }

private:
  using Place = std::pair<const uint8_t *, size_t>;
  struct Open {
    Model model;
    size_t users = 0;
  };

  OpenModels() { // a fork while another thread holds the lock would leave it held for ever
    pthread_atfork([] { all().lock.lock(); }, [] { all().lock.unlock(); },
                   [] { all().lock.unlock(); });
  }

  static Place place_of(const Tensor &model) {
    return {elements<uint8_t>(model, "model"), size_of(model)};
  }

  std::mutex lock;
  std::map<Place, Open> models;
};

// ---- calls ---------------------------------------------------------------------------------

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
  Call(const Tensor &given, const Maybe &stop, size_t size = 0)
      : model(OpenModels::all().find(given)) {
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

// ---- kernels -------------------------------------------------------------------------------

static std::tuple<int64_t, Tensor> bpe_open(const Tensor &model) {
  ck_error error{};
  size_t n_special = OpenModels::all().open(model, error);
  return {static_cast<int64_t>(n_special), tensor_from(error)};
}

static void bpe_close(const Tensor &model) { OpenModels::all().close(model); }

static Result bpe_encode(const Tensor &model, const Tensor &text, const Maybe &specials,
                         const Maybe &stop) {
  Call call(model, stop, size_of(text));
  auto ids = uninitialised<uint32_t>(size_of(text));
  const uint8_t *policy = call.policy(specials);
  if (call)
    call.encode(text, policy, {ids.get(), size_of(text), 0});
  return call.result(ids.get());
}

static Result bpe_count(const Tensor &model, const Tensor &text, const Maybe &stop) {
  Call call(model, stop, size_of(text));
  if (call)
    call.encode(text, nullptr, {});
  return call.count();
}

static Result bpe_split(const Tensor &model, const Tensor &text, const Maybe &stop) {
  Call call(model, stop);
  auto ends = uninitialised<int64_t>(size_of(text));
  call.room = {ends.get(), size_of(text), 0};
  if (call)
    ck_bpe_split(call.model.get(), elements<uint8_t>(text, "text"), size_of(text), &call.room,
                 call.interrupt(), &call.error);
  return call.result(ends.get());
}

static std::tuple<Tensor, Tensor, Tensor> bpe_encode_batch(const Tensor &model, const Tensor &text,
                                                           const Tensor &offsets,
                                                           const Maybe &specials, int64_t threads,
                                                           const Maybe &stop) {
  size_t n = size_of(offsets), size = size_of(text);
  const int64_t *given = elements<int64_t>(offsets, "offsets");
  std::vector<int64_t> ends(given, given + n), id_ends(n); // the caller's may change meanwhile
  STD_TORCH_CHECK(n > 0 && ends[n - 1] <= text.numel(), "offsets must lead from 0 to text's size");
  STD_TORCH_CHECK(threads >= 1, "threads must be at least 1, not ", threads);
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
    const ck_texts all{texts.data(), sizes.data(), n - 1};
    call.room = {ids.get(), size, 0};
    ck_bpe_encode_batch(call.model.get(), &all, policy, &call.room, id_ends.data(),
                        static_cast<int>(std::min<int64_t>(threads, CK_MAX_THREADS)),
                        call.interrupt(), &call.error);
  }
  auto [found, error] = call.result(ids.get());
  return {found, tensor_from(id_ends.data(), n), error};
}

static Result bpe_encode_into(const Tensor &model, const Tensor &text, const Tensor &out,
                              const Maybe &stop) {
  Call call(model, stop, size_of(text));
  if (call)
    call.encode(text, nullptr, {writable<uint32_t>(out, "out"), size_of(out), 0});
  return call.count();
}

static Result bpe_decode(const Tensor &model, const Tensor &ids, const Maybe &stop) {
  Call call(model, stop);
  const uint32_t *first = elements<uint32_t>(ids, "ids");
  std::vector<uint32_t> given(first, first + size_of(ids)); // the same ids for both passes
  auto decode = [&](ck_buffer bytes) {
    call.room = bytes;
    ck_bpe_decode(call.model.get(), given.data(), given.size(), &call.room, call.interrupt(),
                  &call.error);
  };
  if (call)
    decode({});
  size_t size = call.room.n;
  auto bytes = uninitialised<uint8_t>(size);
  if (call)
    decode({bytes.get(), size, 0});
  return call.result(bytes.get());
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("bpe_open(Tensor model) -> (int, Tensor)");
  m.def("bpe_close(Tensor model) -> ()");
  m.def("bpe_encode(Tensor model, Tensor text, Tensor? specials=None, *, Tensor? stop=None) -> "
        "(Tensor, Tensor)");
  m.def("bpe_count(Tensor model, Tensor text, *, Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_split(Tensor model, Tensor text, *, Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_encode_batch(Tensor model, Tensor text, Tensor offsets, Tensor? specials=None, *, "
        "int threads=1, Tensor? stop=None) -> (Tensor, Tensor, Tensor)");
  m.def("bpe_encode_into(Tensor model, Tensor text, Tensor(out!) out, *, "
        "Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_decode(Tensor model, Tensor ids, *, Tensor? stop=None) -> (Tensor, Tensor)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bpe_open", TORCH_BOX(&bpe_open));
  m.impl("bpe_close", TORCH_BOX(&bpe_close));
  m.impl("bpe_encode", TORCH_BOX(&Sparing<bpe_encode>::call));
  m.impl("bpe_count", TORCH_BOX(&Sparing<bpe_count>::call));
  m.impl("bpe_split", TORCH_BOX(&Sparing<bpe_split>::call));
  m.impl("bpe_encode_batch", TORCH_BOX(&Sparing<bpe_encode_batch>::call));
  m.impl("bpe_encode_into", TORCH_BOX(&Sparing<bpe_encode_into>::call));
  m.impl("bpe_decode", TORCH_BOX(&Sparing<bpe_decode>::call));
}
