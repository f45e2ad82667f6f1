"""The library as tests call it: builds, bindings, cases, images, faults."""
