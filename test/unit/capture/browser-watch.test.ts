import assert from "node:assert/strict";
import { BrowserWatch } from "../../../services/renderer/browser-watch.ts";

describe("the watch over a node's browsers", () => {
  it("tries until one starts, says so once, and lets jobs wait for it", async () => {
    const said: string[] = [];
    let tried = 0;
    const tryBrowser = async () => {
      tried += 1;
      if (tried < 2) throw new Error("still broken");
    };
    const watch = new BrowserWatch({ tryBrowser, warn: message => void said.push(message) });
    await watch.ready();
    assert.equal(watch.failure, null);
    for (let job = 0; job < 3; job++) watch.failed(new Error("No browser."));
    assert.match(watch.failure ?? "", /No browser starts on this node/);
    assert.equal(said.length, 1);
    await watch.ready();
    assert.deepEqual([tried, watch.failure, said.length], [2, null, 2]);
  });

  it("keeps nobody waiting once its node stops", async () => {
    const watch = new BrowserWatch({ tryBrowser: () => Promise.reject(new Error("broken")), warn: () => {} });
    watch.failed(new Error("No browser."));
    watch.stop();
    await watch.ready();
  });
});
