# The component of ESP-IDF: its menu is Kconfig (packages/Kconfig.knobs), or a folder that
# CONFIG_ECFIT_CONFIG_DIR names, from the project's folder.
set(ECFIT_CONFIG_DIR "${CONFIG_ECFIT_CONFIG_DIR}")
if(ECFIT_CONFIG_DIR)
    get_filename_component(ECFIT_CONFIG_DIR "${ECFIT_CONFIG_DIR}" ABSOLUTE
        BASE_DIR "${PROJECT_DIR}")
endif()
set(ECFIT_DEFAULT_CONFIG ${CMAKE_CURRENT_LIST_DIR}/include)
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)
idf_component_register(SRCS ${ecfit_sources}
    INCLUDE_DIRS ${ecfit_headers} PRIV_INCLUDE_DIRS ${ecfit_private})
target_include_directories(${COMPONENT_LIB} BEFORE PRIVATE ${ecfit_config})
target_compile_options(${COMPONENT_LIB} PRIVATE -include sdkconfig.h)
