import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mock } from "node:test";
import { afterEach, describe, it } from "mocha";
import { GitHubApp } from "../../../services/scm/code-host/github/github-app.ts";
import { until } from "../../support/drivers/until.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

describe("The connection of a GitHub app", () => {
  afterEach(() => mock.restoreAll());

  it("keeps no timers of installations that it no longer remembers", async () => {
    const app = new GitHubApp({ appId: "1", privateKey: PEM, apiUrl: null }, 2);
    const started = mock.method(globalThis, "setInterval").mock;
    const ended = mock.method(globalThis, "clearInterval").mock;
    for (const id of ["1", "2", "1", "3", "4"]) await app.installation(id, "checks");
    const running = () => {
      const stopped = ended.calls.map(({ arguments: [timer] }) => timer);
      return started.calls.flatMap(({ result }) => (stopped.includes(result) ? [] : [result]));
    };
    assert.equal(started.callCount(), 4);
    await until(() => running().length === 2);
    for (const timer of running()) clearInterval(timer);
  });
});
