"""The studies: kernels compared with other libraries, and questions of experts about the tools."""

NAMES = ("matmul", "records", "tokenizer", "experts", "threads")
