# What a build system compiles: ecfit_sources, with ecfit_headers for those who use the library,
# ecfit_private for the library itself and ecfit_config, the folder of the configuration,
# which comes before both.
#
# ECFIT_CONFIG_DIR: a folder of `ecfit config -o` or of `ecfit amalgamate -o`, or empty;
# ECFIT_DEFAULT_CONFIG: the folder whose ecfit_config.h is taken then.
get_filename_component(ecfit_top ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(ecfit_private ${ecfit_top}/lib/src)
set(ecfit_headers ${ecfit_top}/lib/include)
set(ecfit_config ${ECFIT_DEFAULT_CONFIG})
if(ECFIT_CONFIG_DIR)
    set(ecfit_config ${ECFIT_CONFIG_DIR})
    if(EXISTS ${ECFIT_CONFIG_DIR}/ecfit.c) # one file of C
        set(ecfit_private ${ECFIT_CONFIG_DIR})
        set(ecfit_headers ${ECFIT_CONFIG_DIR})
    elseif(NOT EXISTS ${ECFIT_CONFIG_DIR}/ecfit_config.h)
        message(FATAL_ERROR "ECFIT_CONFIG_DIR: ${ECFIT_CONFIG_DIR} has no ecfit_config.h")
    endif()
endif()
set(ecfit_sources ${ecfit_private}/ecfit.c)
if(EXISTS ${ecfit_private}/ecfit_asm.S) # a backend in assembly has a second file
    list(APPEND ecfit_sources ${ecfit_private}/ecfit_asm.S)
endif()
