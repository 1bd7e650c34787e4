import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { describe, it } from "mocha";
import { pack } from "tar-stream";
import { manifestHash } from "../../../shared/transfers/manifest-entry.ts";

async function tarOf(name: string, content: string): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name }, content);
  tar.entry({ name: "end.json" }, "{}");
  tar.finalize();
  return await buffer(tar);
}

const hashOf = (file: Buffer) =>
  manifestHash(async (from, to) => Uint8Array.from(file.subarray(from, to)).buffer);

describe("The hash of an export's manifest", () => {
  it("is the SHA-256 of its first entry", async () => {
    const manifest = JSON.stringify({ format: "vrs-export", team: "Ä".repeat(700) });
    const file = await tarOf("manifest.json", manifest);
    assert.equal(await hashOf(file), createHash("sha256").update(manifest).digest("hex"));
  });

  it("is missing for other files", async () => {
    assert.equal(await hashOf(await tarOf("other.json", "{}")), null);
    for (const text of ["", "no tar at all", "manifest.json"])
      assert.equal(await hashOf(Buffer.from(text)), null, text);
  });

  it("is missing for a manifest that the service would refuse", async () => {
    const file = await tarOf("manifest.json", "{}");
    file.write("77777777777", 124);
    assert.equal(await hashOf(file), null);
  });
});
