import assert from "node:assert/strict";
import { createSecretKey, randomBytes } from "node:crypto";
import fc from "fast-check";
import { readSecretKey, SecretBox, SecretKeyError } from "../../../shared/secrets/secret-box.ts";

const key = () => createSecretKey(randomBytes(32));

describe("SecretBox", () => {
  const box = new SecretBox([key()]);

  it("opens any text that it sealed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), text => {
        // Only what UTF-8 can hold. JSON escapes the rest.
        const whole = JSON.stringify(text);
        assert.equal(box.open(box.seal(whole, "alert channels"), "alert channels"), whole);
      }),
    );
  });

  it("never seals a text the same way twice, and reveals nothing of it", () => {
    const sealed = [box.seal("hunter2-hunter2", "link key"), box.seal("hunter2-hunter2", "link key")];
    assert.notEqual(sealed[0], sealed[1]);
    for (const text of sealed)
      assert.doesNotMatch(Buffer.from(text.split(".")[2] ?? "", "base64").toString("latin1"), /hunter2/);
  });

  it("rejects a text that was changed, cut, or sealed for another purpose", () => {
    const sealed = box.seal("secret", "link key");
    const [format, id, data = ""] = sealed.split(".");
    const bytes = Buffer.from(data, "base64");
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      assert.throws(() => box.open(`${format}.${id}.${altered.toString("base64")}`, "link key"));
    }
    assert.throws(() => box.open(sealed.slice(0, -8), "link key"));
    assert.throws(() => box.open(sealed, "alert channels"));
    assert.throws(() => box.open("secret", "link key"), /format that this version does not support/);
  });

  it("seals with its first key and opens with every one", () => {
    const [older, newer] = [key(), key()];
    const sealed = new SecretBox([older]).seal("secret", "link key");
    const both = new SecretBox([newer, older]);
    assert.equal(both.open(sealed, "link key"), "secret");
    assert.ok(both.seal("secret", "link key").startsWith(new SecretBox([newer]).currentPrefix));
    assert.ok(!sealed.startsWith(both.currentPrefix));
  });

  it("names the missing key and where to add it", () => {
    const sealed = new SecretBox([key()]).seal("secret", "link key");
    assert.throws(
      () => box.open(sealed, "link key"),
      (error: Error) =>
        error instanceof SecretKeyError &&
        error.message.includes(`(id ${sealed.split(".")[1]})`) &&
        error.message.includes("Add that key to the end of SERVICE_SECRET_KEY"),
    );
    assert.throws(() => new SecretBox([]).seal("secret", "link key"), /Set SERVICE_SECRET_KEY/);
  });
});

describe("readSecretKey", () => {
  it("reads 32 bytes as base64, base64url and hex, and nothing else", () => {
    const bytes = Buffer.alloc(32, 0xfb);
    for (const text of [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")])
      assert.deepEqual(readSecretKey(text)?.export(), bytes);
    for (const text of ["", "passphrase", bytes.toString("hex").slice(2), `${bytes.toString("base64")}AAAA`])
      assert.equal(readSecretKey(text), null);
  });
});
