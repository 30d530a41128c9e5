# find_package(zrt): the target zrt::zrt, and in zrt_PLUGIN_DIR the folder of the
# transport plug-ins, for LaunchOptions::pluginDir.
include(${CMAKE_CURRENT_LIST_DIR}/zrtTargets.cmake)
get_filename_component(zrt_PLUGIN_DIR ${CMAKE_CURRENT_LIST_DIR}/../../zpl/plugins ABSOLUTE)
