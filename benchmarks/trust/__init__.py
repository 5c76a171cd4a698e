"""The decision whether figures may be published: the build of every binding, and the objections."""
