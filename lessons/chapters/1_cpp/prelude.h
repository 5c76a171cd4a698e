/* What the examples of the text include. */
#ifndef __cplusplus
#include <stddef.h>
#else
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#endif
