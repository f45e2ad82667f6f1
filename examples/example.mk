# What the Makefile of every example includes, which says its CONFIG: options of `ecfit config`.
#
#   make                   builds for this machine
#   make run               and runs it
#   make run CHIP=samd20   on a simulated chip: samd20, nrf52840 (with its figures)
#   make run CHIP=microbit on an emulated board: microbit, mps2-an385
CHIP ?= host
HERE := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
ROOT := $(abspath $(HERE)/..)
NAME := $(notdir $(CURDIR))
OUT ?= $(ROOT)/build/examples/$(NAME)/$(CHIP)
ECFIT ?= $(ROOT)/.venv/bin/ecfit
include $(HERE)/chips.mk

TARGET := $(TARGET_$(CHIP))
$(if $(TARGET),,$(error CHIP=$(CHIP): chips.mk has no such chip))
LIBRARY := $(ROOT)/lib/src/ecfit.c
SOURCES := main.c $(HERE)/board/$(BOARD_$(CHIP)).c $(HERE)/board/say.c
CFLAGS := -std=gnu11 -Os -Wall -Wextra -Wconversion -ffunction-sections -fdata-sections \
	-I$(OUT) -I$(HERE)/board -I$(ROOT)/lib/include -I$(ROOT)/lib/src $(DEFINES)
LDFLAGS := -Wl,--gc-sections

ifneq ($(CHIP),host)
CC := $(or $(CC_$(CHIP)),arm-none-eabi-gcc)
LIBRARY += $(ROOT)/lib/src/ecfit_asm.S
SOURCES += $(HERE)/board/start.c
CFLAGS += $(or $(ISA_$(CHIP)),-mcpu=$(CORE_$(CHIP)) -mthumb) -g
LDFLAGS += --specs=$(or $(SPECS_$(CHIP)),nano.specs) -nostartfiles -Wl,-n -Wl,--build-id=none \
	$(MEMORY_$(CHIP):%=-Wl,--defsym=%) -T $(HERE)/board/cortexm.ld
endif

$(OUT)/$(NAME).elf: $(SOURCES) $(wildcard $(HERE)/board/*) $(OUT)/ecfit_config.h $(MORE)
	$(CC) $(CFLAGS) $(SOURCES) $(LIBRARY) $(LDFLAGS) -o $@

$(OUT)/ecfit_config.h: Makefile
	@mkdir -p $(OUT)
	$(ECFIT) config --target $(TARGET) $(CONFIG) -o $(OUT)

.PHONY: run clean
.DEFAULT_GOAL := $(OUT)/$(NAME).elf

run: $(OUT)/$(NAME).elf
ifeq ($(BOARD_$(CHIP)),host)
	@$<
else ifeq ($(BOARD_$(CHIP)),simulator)
	@$(ECFIT) measure --elf $< --function main --target $(TARGET) --expect 0
else
	@qemu-system-arm -M $(CHIP) -kernel $< -display none -monitor none -serial stdio \
		-semihosting -no-reboot $(QEMU) < /dev/null
endif

clean:
	rm -rf $(OUT)
