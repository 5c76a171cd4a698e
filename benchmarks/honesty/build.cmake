# What a build says of itself, for the benchmark to read: each file its compiler's flags (in the
# section .GCC.command.line), and each binding the SHA-256 of its sources.
include(CheckCCompilerFlag)
check_c_compiler_flag(-frecord-gcc-switches COOKBOOK_RECORDS_FLAGS)
if(COOKBOOK_RECORDS_FLAGS)
  add_compile_options(-frecord-gcc-switches)
endif()

# By every build, not by configuring: the sources are those that were compiled.
function(cookbook_record_sources binding destination)
  set(kept ${CMAKE_CURRENT_BINARY_DIR}/${binding}_sources.json)
  add_custom_target(${binding}_sources ALL
    COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sources.py ${binding} ${kept}
    VERBATIM)
  install(FILES ${kept} DESTINATION ${destination} RENAME sources.json)
endfunction()
