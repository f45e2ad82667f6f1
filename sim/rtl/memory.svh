// The memory of the test benches: it grants at once and answers in the next cycle, through a port
// for instructions and one for data. 2 MiB: bits 30, 29 and 18 to 2 of an address.
logic [31:0] mem [1 << 19] /*verilator public_flat_rw*/;

function automatic int unsigned place(logic [31:0] a);
  return {13'b0, a[30:29], a[18:2]};
endfunction

logic ireq, irv, dreq, drv, dwe;
logic [31:0] iaddr, ird, daddr, dwd, drd;
logic [3:0] be;

always_ff @(posedge clk or negedge rst_n)
  if (!rst_n) begin irv <= 0; drv <= 0; end
  else begin irv <= ireq; drv <= dreq; end

always_ff @(posedge clk) begin
  if (ireq) ird <= mem[place(iaddr)];
  if (dreq) begin
    drd <= mem[place(daddr)];
    if (dwe) begin
      if (be[0]) mem[place(daddr)][7:0] <= dwd[7:0];
      if (be[1]) mem[place(daddr)][15:8] <= dwd[15:8];
      if (be[2]) mem[place(daddr)][23:16] <= dwd[23:16];
      if (be[3]) mem[place(daddr)][31:24] <= dwd[31:24];
    end
  end
end
