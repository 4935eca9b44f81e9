"""Text in, text out: PBN, LIN, RBN, JSON, BBO viewer links and DDS lists."""
