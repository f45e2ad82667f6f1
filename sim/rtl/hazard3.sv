// hazard3_cpu_2port, with the RP2350's parameters that cost or save cycles (data sheet, 3.8.8) and
// a memory that is always ready, a port each.
module tb (input logic clk, input logic rst_n, output logic [31:0] pc, output logic fresh);
  logic [31:0] mem [1 << 19] /*verilator public_flat_rw*/;

  function automatic int unsigned place(logic [31:0] a); // as in memory.svh
    return {13'b0, a[30:29], a[18:2]};
  endfunction

  // AHB: the address in one cycle, the data in the next
  logic [31:0] iaddr, daddr, dwd, iplace, dplace;
  logic [1:0] itrans, dtrans;
  logic [2:0] dsize;
  logic dwrite, writes;
  logic [3:0] be;

  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) writes <= 0;
    else writes <= dtrans[1] & dwrite;

  always_ff @(posedge clk) begin
    if (itrans[1]) iplace <= iaddr;
    if (dtrans[1]) begin
      dplace <= daddr;
      be <= (dsize == 0 ? 4'b0001 : dsize == 1 ? 4'b0011 : 4'b1111) << daddr[1:0];
    end
    if (writes) begin
      if (be[0]) mem[place(dplace)][7:0] <= dwd[7:0];
      if (be[1]) mem[place(dplace)][15:8] <= dwd[15:8];
      if (be[2]) mem[place(dplace)][23:16] <= dwd[23:16];
      if (be[3]) mem[place(dplace)][31:24] <= dwd[31:24];
    end
  end

  logic power;
  hazard3_cpu_2port #(
    .RESET_VECTOR(32'h4000_0080), .MTVEC_INIT(32'h4000_0000),
    .EXTENSION_ZBA(1), .EXTENSION_ZBB(1), .EXTENSION_ZBS(1), .EXTENSION_ZBKB(1),
    .EXTENSION_ZCB(1), .EXTENSION_ZCMP(1), .EXTENSION_ZIFENCEI(1),
    .CSR_COUNTER(1), .U_MODE(1), .PMP_REGIONS(1), .NUM_IRQS(1),
    .MULDIV_UNROLL(2), .MUL_FAST(1), .MUL_FASTER(1), .MULH_FAST(1), .FAST_BRANCHCMP(1),
    .RESET_REGFILE(1), .BRANCH_PREDICTOR(1)
  ) cpu (
    .clk, .clk_always_on(clk), .rst_n, .pwrup_req(power), .pwrup_ack(power), .clk_en(),
    .unblock_out(), .unblock_in(1'b0),
    .i_haddr(iaddr), .i_hwrite(), .i_htrans(itrans), .i_hsize(), .i_hburst(), .i_hprot(),
    .i_hmastlock(), .i_hmaster(), .i_hready(1'b1), .i_hresp(1'b0), .i_hwdata(),
    .i_hrdata(mem[place(iplace)]),
    .d_haddr(daddr), .d_hwrite(dwrite), .d_htrans(dtrans), .d_hsize(dsize), .d_hburst(), .d_hprot(),
    .d_hmastlock(), .d_hmaster(), .d_hexcl(), .d_hready(1'b1), .d_hresp(1'b0), .d_hexokay(1'b1),
    .d_hwdata(dwd), .d_hrdata(mem[place(dplace)]),
    .dbg_req_halt(1'b0), .dbg_req_halt_on_reset(1'b0), .dbg_req_resume(1'b0), .dbg_halted(),
    .dbg_running(), .dbg_data0_rdata('0), .dbg_data0_wdata(), .dbg_data0_wen(),
    .dbg_instr_data('0), .dbg_instr_data_vld(1'b0), .dbg_instr_data_rdy(),
    .dbg_instr_caught_exception(), .dbg_instr_caught_ebreak(), .dbg_sbus_addr('0),
    .dbg_sbus_write(1'b0), .dbg_sbus_size('0), .dbg_sbus_vld(1'b0), .dbg_sbus_rdy(),
    .dbg_sbus_err(), .dbg_sbus_wdata('0), .dbg_sbus_rdata(),
    .irq('0), .soft_irq(1'b0), .timer_irq(1'b0)
  );

  // The first cycle of an instruction in stage X, which decodes and executes it.
  logic here, valid, here_before;
  assign valid = !cpu.core.d_starved;
  assign here = valid && cpu.core.df_cir_use == 0;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) here_before <= 0;
    else here_before <= here;
  assign pc = cpu.core.d_pc;
  assign fresh = valid && !here_before;
endmodule
