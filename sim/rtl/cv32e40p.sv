// cv32e40p_core with a memory that grants at once and answers in the next cycle, a port each.
module tb (input logic clk, input logic rst_n, output logic [31:0] pc, output logic fresh);
  `include "memory.svh"

  cv32e40p_core core (
    .clk_i(clk), .rst_ni(rst_n), .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0),
    .boot_addr_i(32'h4000_0080), .mtvec_addr_i(32'h4000_0000), .dm_halt_addr_i('0), .hart_id_i('0), .dm_exception_addr_i('0),
    .instr_req_o(ireq), .instr_gnt_i(ireq), .instr_rvalid_i(irv), .instr_addr_o(iaddr), .instr_rdata_i(ird),
    .data_req_o(dreq), .data_gnt_i(dreq), .data_rvalid_i(drv), .data_we_o(dwe), .data_be_o(be),
    .data_addr_o(daddr), .data_wdata_o(dwd), .data_rdata_i(drd),
    .apu_busy_o(), .apu_req_o(), .apu_gnt_i(1'b0), .apu_operands_o(), .apu_op_o(), .apu_flags_o(),
    .apu_rvalid_i(1'b0), .apu_result_i('0), .apu_flags_i('0),
    .irq_i('0), .irq_ack_o(), .irq_id_o(), .debug_req_i(1'b0), .debug_havereset_o(), .debug_running_o(), .debug_halted_o(),
    .fetch_enable_i(1'b1), .core_sleep_o()
  );
  assign pc = core.pc_id;
  assign fresh = core.id_valid & core.is_decoding;  // leaves ID
endmodule
module cv32e40p_clock_gate (input logic clk_i, input logic en_i, input logic scan_cg_en_i, output logic clk_o);
  assign clk_o = clk_i;
endmodule
