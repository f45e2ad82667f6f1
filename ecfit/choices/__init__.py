"""What there is to choose from: knobs, curves, targets, peers, boards, published figures."""
