import assert from "node:assert/strict";
import { codeAt, nextCode } from "../../../shared/capture/sessions/one-time-code.ts";

/** The secret of RFC 6238, appendix B, in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("one-time codes", () => {
  it("are those of RFC 6238, with six digits", () => {
    const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map(seconds =>
      codeAt(SECRET, seconds * 1000),
    );
    assert.deepEqual(codes, ["287082", "081804", "050471", "005924", "279037", "353130"]);
  });

  it("read a secret in the ways in which applications show it", () => {
    const spaced = "gezd gnbv-gy3t qojq gezd gnbv gy3t qojq====";
    const uri = `otpauth://totp/App:ada?secret=${SECRET}&issuer=App`;
    assert.deepEqual([codeAt(spaced, 59_000), codeAt(uri, 59_000)], ["287082", "287082"]);
  });

  it("are given once by a process, so that the next one waits for its period", async () => {
    const secret = "JBSWY3DPEHPK3PXQ";
    await nextCode(secret);
    const aborting = new AbortController();
    const second = nextCode(secret, aborting.signal);
    aborting.abort();
    await assert.rejects(second, { name: "AbortError" });
  });
});
