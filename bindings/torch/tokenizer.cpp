// The tokenizer through torch's dispatcher.
//
// Shows:  a model that is a tensor, so that a state_dict, an export or a module's buffer can hold
//         it; state beside the ops, which survives a fork.
// Build:  CMakeLists.txt beside this file.
// Bites:  an op is a function of its arguments and has no state: a call opens the model anew, which
//         checks a few thousand entries of it, and caches nothing from earlier texts, unless
//         bpe_open has opened it for all.
//
// Memory: every call owns its results; calls share nothing but an open model and its caches, no two
//         of which use the same one.
#include <pthread.h>

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "model.hpp"

// ---- object --------------------------------------------------------------------------------

Model open_model(const Tensor &model, uint32_t options, ck_error &error) {
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

Model find_model(const Tensor &model) { return OpenModels::all().find(model); }

static std::tuple<int64_t, Tensor> bpe_open(const Tensor &model) {
  ck_error error{};
  size_t n_special = OpenModels::all().open(model, error);
  return {static_cast<int64_t>(n_special), tensor_from(error)};
}

static void bpe_close(const Tensor &model) { OpenModels::all().close(model); }

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("bpe_open(Tensor model) -> (int, Tensor)");
  m.def("bpe_close(Tensor model) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bpe_open", TORCH_BOX(&bpe_open));
  m.impl("bpe_close", TORCH_BOX(&bpe_close));
}
