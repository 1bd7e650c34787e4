import assert from "node:assert/strict";
import { Inbox } from "../../services/runs/inbox.ts";

/** An inbox whose writes end when the test says so. */
function gatedInbox() {
  const batches: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const begun: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()];
  const inbox = new Inbox<string>(batch => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    begun[batches.length]?.resolve();
    batches.push(batch);
    return gate.promise;
  });
  return { inbox, batches, gates, begun };
}

describe("the inbox", () => {
  it("writes what comes in at once as one batch, in its order", async () => {
    const batches: string[][] = [];
    const inbox = new Inbox<string>(async batch => {
      batches.push(batch);
    });
    await Promise.all(["a", "b", "c"].map(item => inbox.add(item)));
    assert.deepEqual(batches, [["a", "b", "c"]]);
  });

  it("gathers what comes in during a write, and writes it after, never two at once", async () => {
    const { inbox, batches, gates, begun } = gatedInbox();
    const first = inbox.add("a");
    await begun[0]?.promise;
    const later = ["b", "c"].map(item => inbox.add(item));
    assert.deepEqual(batches, [["a"]]);
    gates[0]?.resolve();
    await first;
    await begun[1]?.promise;
    assert.deepEqual(batches, [["a"], ["b", "c"]]);
    gates[1]?.resolve();
    await Promise.all(later);
  });

  it("tells each item of its own write only", async () => {
    const { inbox, gates, begun } = gatedInbox();
    const told: string[] = [];
    const first = inbox.add("a").then(() => told.push("a"));
    await begun[0]?.promise;
    const second = inbox.add("b").then(() => told.push("b"));
    gates[0]?.resolve();
    await first;
    await begun[1]?.promise;
    assert.deepEqual(told, ["a"]);
    gates[1]?.resolve();
    await second;
    assert.deepEqual(told, ["a", "b"]);
  });

  it("is drained when nothing waits and nothing is being written", async () => {
    const { inbox, batches, gates, begun } = gatedInbox();
    void inbox.add("a");
    await begun[0]?.promise;
    void inbox.add("b");
    let drained = false;
    const drain = inbox.drain().then(() => {
      drained = true;
    });
    gates[0]?.resolve();
    await begun[1]?.promise;
    assert.equal(drained, false);
    gates[1]?.resolve();
    await drain;
    assert.deepEqual(batches, [["a"], ["b"]]);
    await inbox.drain();
  });
});
