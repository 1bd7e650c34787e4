import assert from "node:assert/strict";
import { areCompatible, CONTRACTS, NO_CONTRACTS } from "../../../shared/contracts/contract-version.ts";

const PAIRS: [name: string, one: [number, number], other: [number, number], expected: boolean][] = [
  ["equal versions", [3, 3], [3, 2], true],
  ["a newer version that reads the older one", [4, 3], [3, 1], true],
  ["a newer version that no longer reads the older one", [4, 4], [3, 1], false],
  ["a much newer version", [9, 8], [3, 1], false],
];

describe("Message contracts", () => {
  for (const [name, one, other, expected] of PAIRS) {
    it(`of ${name} are ${expected ? "" : "in"}compatible, in both directions`, () => {
      const [a, b] = [one, other].map(([version = 0, oldest = 0]) => ({ version, oldest }));
      assert.ok(a && b);
      assert.equal(areCompatible(a, b), expected);
      assert.equal(areCompatible(b, a), expected);
    });
  }

  it("of this version are compatible with themselves, and not with nodes that announce none", () => {
    assert.ok(areCompatible(CONTRACTS, CONTRACTS));
    assert.ok(CONTRACTS.oldest <= CONTRACTS.version);
    assert.ok(!areCompatible(CONTRACTS, NO_CONTRACTS));
  });
});
