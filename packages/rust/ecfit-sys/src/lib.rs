//! Bindings to ecfit, elliptic-curve cryptography in C for constrained devices.
//!
//! The library is compiled for the curves of the features; `ECFIT_PRESET` or `ECFIT_CONFIG_DIR`
//! in the environment say with which settings (build.rs). What a configuration leaves out is
//! declared here, but does not link. The crate `ecfit` has safe types.
#![no_std]
#![allow(non_camel_case_types, non_snake_case)]

include!("bindings.rs");
