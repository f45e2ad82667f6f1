# Where an example runs: one list for each CHIP, with the target of `ecfit config` that has its core,
# the file of board/, the compiler's flags, and the memories.
TARGET_host := host
BOARD_host := host

TARGET_samd20 := samd20
BOARD_samd20 := simulator
CORE_samd20 := cortex-m0plus
MEMORY_samd20 := FLASH=0 FLASH_SIZE=0x40000 RAM=0x20000000 RAM_SIZE=0x8000

TARGET_nrf52840 := nrf52840
BOARD_nrf52840 := simulator
CORE_nrf52840 := cortex-m4
MEMORY_nrf52840 := FLASH=0 FLASH_SIZE=0x100000 RAM=0x20000000 RAM_SIZE=0x40000

TARGET_microbit := nrf51822
BOARD_microbit := microbit
CORE_microbit := cortex-m0
MEMORY_microbit := FLASH=0 FLASH_SIZE=0x40000 RAM=0x20000000 RAM_SIZE=0x4000

TARGET_mps2-an385 := cc2538
BOARD_mps2-an385 := mps2
CORE_mps2-an385 := cortex-m3
MEMORY_mps2-an385 := FLASH=0 FLASH_SIZE=0x400000 RAM=0x20000000 RAM_SIZE=0x400000
