import assert from "node:assert/strict";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import {
  type Login,
  type LoginWork,
  SessionStates,
} from "../../../shared/capture/sessions/session-states.ts";

describe("logins of sessions", () => {
  let states: SessionStates;
  let logins: number;
  let checks: number;
  let nowMs: number;
  beforeEach(() => {
    nowMs = 0;
    states = new SessionStates(() => nowMs);
    logins = 0;
    checks = 0;
  });

  const work = (isValid = true): LoginWork => ({
    logIn: async () => ({ state: { cookies: [], origins: [] }, url: `/login-${++logins}`, beganAt: null }),
    isValid: async () => {
      checks++;
      return isValid;
    },
  });
  const urls = (all: Login[]) => all.map(({ url }) => url);

  it("are repeated neither for a failed login nor for concurrent pages", async () => {
    const logIn = async () => {
      logins++;
      return new CaptureError("session_failed", "It failed.");
    };
    const failing = { ...work(), logIn };
    const failed = await Promise.allSettled([states.login("a", failing), states.login("a", failing)]);
    assert.deepEqual([failed.map(({ status }) => status), logins], [["rejected", "rejected"], 1]);
    assert.deepEqual(urls(await Promise.all([states.login("b", work()), states.login("b", work())])), [
      "/login-2",
      "/login-2",
    ]);
  });

  it("are performed by the next page when the page that performed them was aborted", async () => {
    const aborted = { ...work(), logIn: () => Promise.reject(new Error("aborted")) };
    const [first, second] = await Promise.allSettled([states.login("a", aborted), states.login("a", work())]);
    assert.deepEqual([first.status, second.status, logins], ["rejected", "fulfilled", 1]);
  });

  it("are checked after five minutes, and performed again when they no longer work", async () => {
    await states.login("a", work());
    nowMs += 4 * 60_000;
    await states.login("a", work());
    assert.equal(checks, 0);
    nowMs += 2 * 60_000;
    assert.deepEqual(urls(await Promise.all([states.login("a", work()), states.login("a", work())])), [
      "/login-1",
      "/login-1",
    ]);
    assert.equal(checks, 1);
    nowMs += 6 * 60_000;
    assert.equal((await states.login("a", work(false))).url, "/login-2");
  });

  it("that ended are replaced once for all pages that find it, and again once a page worked with the new one", async () => {
    const first = await states.login("a", work());
    const renewed = await Promise.all([states.renew("a", first, work()), states.renew("a", first, work())]);
    assert.deepEqual(urls(renewed), ["/login-2", "/login-2"]);
    const [second] = renewed;
    assert.equal(await states.renew("a", second, work()), second, "another login would not help");
    states.prove(second);
    assert.equal((await states.renew("a", second, work())).url, "/login-3");
  });

  it("that ended long after the last one was replaced are replaced again", async () => {
    const second = await states.renew("a", await states.login("a", work()), work());
    nowMs += 2 * 60_000;
    assert.equal((await states.renew("a", second, work())).url, "/login-3");
  });
});
