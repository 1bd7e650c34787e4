import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { isWeakKey } from "../../../services/alerts/chat-apps/weak-key.rule.ts";

/** Every encoding of a point of small order. */
const WEAK = [
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  `01${"00".repeat(31)}`,
  `01${"00".repeat(30)}80`,
  `ec${"ff".repeat(30)}7f`,
  `ec${"ff".repeat(31)}`,
  `ed${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(31)}`,
  `ee${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(31)}`,
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
];

describe("A public key of a chat app", () => {
  it("is weak if its point has a small order", () => {
    for (const key of WEAK) assert.equal(isWeakKey(key), true, key);
  });

  it("isn't weak if it was generated", () => {
    for (let n = 0; n < 50; n++) {
      const { publicKey } = generateKeyPairSync("ed25519");
      assert.equal(
        isWeakKey(publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex")),
        false,
      );
    }
  });
});
