import assert from "node:assert/strict";
import { mock } from "node:test";
import { codeAt, nextCode, withUnusedCodes } from "../../../shared/capture/sessions/one-time-code.ts";

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

  it("are available again at once if they were not typed", async () => {
    const secret = "JBSWY3DPEHPK3PXR";
    const first = await nextCode(secret);
    first.giveBack();
    const again = await nextCode(secret, AbortSignal.timeout(1_000));
    assert.ok([first.code, codeAt(secret, Date.now())].includes(again.code));
  });

  it("are available again at once if the wait for them was aborted", async () => {
    const secret = "JBSWY3DPEHPK3PXT";
    const first = await nextCode(secret);
    const aborting = new AbortController();
    const second = nextCode(secret, aborting.signal);
    aborting.abort();
    await assert.rejects(second, { name: "AbortError" });
    first.giveBack();
    await nextCode(secret, AbortSignal.timeout(1_000));
  });

  describe("of logins at the same time", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000_000_000 }));
    afterEach(() => mock.timers.reset());
    const settle = () => new Promise(resolve => setImmediate(resolve));

    it("are used one after another, each in a period of its own", async () => {
      const secret = "JBSWY3DPEHPK3PXS";
      const codes: string[] = [];
      const logIn = (signal?: AbortSignal) =>
        withUnusedCodes([secret, secret], async () => codes.push((await nextCode(secret)).code), signal);
      const aborting = new AbortController();
      const aborted = logIn(aborting.signal).then(() => logIn(aborting.signal));
      const others = [logIn(), logIn()];
      await settle();
      assert.equal(codes.length, 1);
      aborting.abort(new Error("canceled"));
      await assert.rejects(aborted, /canceled/);
      for (const expected of [2, 3]) {
        mock.timers.tick(30_000);
        await settle();
        assert.equal(codes.length, expected);
      }
      await Promise.all(others);
      assert.equal(new Set(codes).size, 3);
    });
  });
});
