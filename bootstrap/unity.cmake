# Included by CMake after project(): compile the sources of each generated library as one, which
# halves the time. The C generator's sources repeat names of static variables and stay apart.
function(robodyn_unity)
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "SHARED_LIBRARY" AND NOT target MATCHES "__rosidl_generator_c$")
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL robodyn_unity)
