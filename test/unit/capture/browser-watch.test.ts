import assert from "node:assert/strict";
import { BrowserWatch } from "../../../services/renderer/browser-watch.ts";
import { currentScope, inScope } from "../../../shared/tracing/work-scope.ts";

describe("browser watch of a node", () => {
  it("retries until a browser starts, reports it once, and makes jobs wait", async () => {
    const messages: string[] = [];
    let tried = 0;
    const tryBrowser = async () => {
      tried += 1;
      if (tried < 2) throw new Error("still broken");
    };
    const watch = new BrowserWatch({ tryBrowser, warn: message => void messages.push(message) });
    await watch.ready();
    assert.equal(watch.failure, null);
    for (let job = 0; job < 3; job++) watch.failed(new Error("No browser."));
    assert.match(watch.failure ?? "", /No browser starts on this node/);
    assert.equal(messages.length, 1);
    await watch.ready();
    assert.deepEqual([tried, watch.failure, messages.length], [2, null, 2]);
  });

  it("reports the failure as the job's, and the recovery as the node's", async () => {
    const runIds: unknown[] = [];
    const warn = () => void runIds.push(currentScope()?.runId);
    const watch = new BrowserWatch({ tryBrowser: async () => {}, warn });
    inScope({ runId: "run_1" }, () => watch.failed(new Error("No browser.")));
    await watch.ready();
    assert.deepEqual(runIds, ["run_1", undefined]);
  });

  it("releases waiting jobs when its node stops", async () => {
    const watch = new BrowserWatch({ tryBrowser: () => Promise.reject(new Error("broken")), warn: () => {} });
    watch.failed(new Error("No browser."));
    watch.stop();
    await watch.ready();
  });
});
