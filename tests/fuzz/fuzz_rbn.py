"""Fuzz the RBN reader."""

from readers import check_format, example_boards, fuzz_main

from setrograde.formats.rbn import format_rbn, parse_rbn

MATCH = b"""% RBN 3.2
D 20260801:1930
K Reds:Blues:10:-5
N a+b:c+d:O

{Some
text.}
B 12
H S:AKQ.AKQ.AKQ.AKQJ:JT98.JT98.JT98.T:765.765.7654.987:
A NE:PP2N*^1P:7NA
1 strong
C 7N:S
P HJ52A:HKT63!^1
1 why not
R 13+2220:+17
M ::00000+11111:!=

N e+f:g+h:C
A NE:A
R P
"""
run = check_format(parse_rbn, format_rbn)

if __name__ == "__main__":
    fuzz_main(run, [format_rbn(example_boards()).encode(), MATCH])
