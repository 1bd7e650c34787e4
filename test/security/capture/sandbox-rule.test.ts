import assert from "node:assert/strict";
import { whyNotUnsandboxed } from "../../../services/renderer/sandbox.rule.ts";
import { loadConfig } from "../../../shared/config.ts";

const place = { allowUnsandboxed: false, isOnBus: false, isLoopbackOnly: true, teams: 1 };

describe("node without the browser's sandbox", () => {
  it("renders while it serves one team on loopback", () => {
    assert.equal(whyNotUnsandboxed(place), null);
  });

  for (const [fields, reason] of [
    [{ isOnBus: true }, /part of a cluster/],
    [{ isLoopbackOnly: false }, /other machines can reach/],
    [{ teams: 2 }, /several teams/],
  ] as const)
    it(`refuses because ${reason.source}, unless its operator allows it`, () => {
      assert.match(whyNotUnsandboxed({ ...place, ...fields }) ?? "", reason);
      assert.equal(whyNotUnsandboxed({ ...place, ...fields, allowUnsandboxed: true }), null);
    });

  for (const [env, expected] of [
    [{}, true],
    [{ SERVICE_BASE_URL: "http://127.0.0.1:4400" }, true],
    [{ SERVICE_BASE_URL: "http://[::1]:4400" }, true],
    [{ SERVICE_BASE_URL: "https://vrs.example" }, false],
    [{ SERVICE_BASE_URL: "https://vrs.example", SERVICE_LISTEN: "loopback" }, true],
    [{ SERVICE_LISTEN: "all" }, false],
  ] as const)
    it(`${expected ? "listens only on" : "listens beyond"} loopback with ${JSON.stringify(env)}`, () => {
      assert.equal(loadConfig(env).isLoopbackOnly, expected);
    });
});
