// ibex_core with a memory that grants at once and answers in the next cycle, a port each.
module tb import ibex_pkg::*; #(
  parameter int Mul = 2,            // rv32m_e: 1 slow, 2 fast, 3 single-cycle
  parameter bit BTAlu = 1'b0,
  parameter bit Wb = 1'b0,
  parameter bit Bp = 1'b0
) (
  input  logic clk, input logic rst_n,
  output logic [31:0] pc, output logic fresh, output logic valid
);
  `include "memory.svh"

  logic dii, diw, we;
  logic [4:0] ra, rb, wa;
  logic [31:0] wd, da, db;
  ibex_mubi_t busy;
  logic [IC_TAG_SIZE-1:0] itag [IC_NUM_WAYS];
  logic [IC_LINE_SIZE-1:0] idat [IC_NUM_WAYS];
  assign itag = '{default: '0};
  assign idat = '{default: '0};

  ibex_core #(
    .RV32M(rv32m_e'(Mul)), .BranchTargetALU(BTAlu), .WritebackStage(Wb), .BranchPredictor(Bp)
  ) u_ibex_core (
    .clk_i(clk), .rst_ni(rst_n), .hart_id_i(32'b0), .boot_addr_i(32'h4000_0000),
    .instr_req_o(ireq), .instr_gnt_i(ireq), .instr_rvalid_i(irv), .instr_addr_o(iaddr),
    .instr_rdata_i(ird), .instr_err_i(1'b0),
    .data_req_o(dreq), .data_gnt_i(dreq), .data_rvalid_i(drv), .data_we_o(dwe), .data_be_o(be),
    .data_addr_o(daddr), .data_wdata_o(dwd), .data_rdata_i(drd), .data_err_i(1'b0),
    .dummy_instr_id_o(dii), .dummy_instr_wb_o(diw), .rf_raddr_a_o(ra), .rf_raddr_b_o(rb),
    .rf_waddr_wb_o(wa), .rf_we_wb_o(we), .rf_wdata_wb_ecc_o(wd), .rf_rdata_a_ecc_i(da),
    .rf_rdata_b_ecc_i(db),
    .ic_tag_req_o(), .ic_tag_write_o(), .ic_tag_addr_o(), .ic_tag_wdata_o(), .ic_tag_rdata_i(itag),
    .ic_data_req_o(), .ic_data_write_o(), .ic_data_addr_o(), .ic_data_wdata_o(), .ic_data_rdata_i(idat),
    .ic_scr_key_valid_i(1'b0), .ic_scr_key_req_o(),
    .irq_software_i(1'b0), .irq_timer_i(1'b0), .irq_external_i(1'b0), .irq_fast_i('0),
    .irq_nm_i(1'b0), .irq_pending_o(), .debug_req_i(1'b0), .crash_dump_o(), .double_fault_seen_o(),
    .fetch_enable_i(IbexMuBiOn), .alert_minor_o(), .alert_major_internal_o(),
    .alert_major_bus_o(), .core_busy_o(busy)
  );
  ibex_register_file_ff #(.RV32E(0), .DataWidth(32)) registers (
    .clk_i(clk), .rst_ni(rst_n), .test_en_i(1'b0), .dummy_instr_id_i(dii), .dummy_instr_wb_i(diw),
    .raddr_a_i(ra), .rdata_a_o(da), .raddr_b_i(rb), .rdata_b_o(db), .waddr_a_i(wa), .wdata_a_i(wd),
    .we_a_i(we), .err_o()
  );

  assign pc = u_ibex_core.pc_id;
  assign valid = u_ibex_core.instr_valid_id;
  assign fresh = u_ibex_core.instr_valid_id & u_ibex_core.instr_new_id;
endmodule

// what FuseSoC's primgen would make
module prim_buf #(parameter int Width = 1) (input [Width-1:0] in_i, output logic [Width-1:0] out_o);
  assign out_o = in_i;
endmodule
