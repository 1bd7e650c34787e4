import assert from "node:assert/strict";
import { BatchWriter } from "../../../services/runs/capture/batch-writer.ts";

/** An inbox whose writes end when the test says so. */
function gatedInbox() {
  const batches: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const begun: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()];
  const batchWriter = new BatchWriter<string>(batch => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    begun[batches.length]?.resolve();
    batches.push(batch);
    return gate.promise;
  });
  return { batchWriter, batches, gates, begun };
}

describe("the inbox", () => {
  it("writes what comes in at once as one batch, in its order", async () => {
    const batches: string[][] = [];
    const batchWriter = new BatchWriter<string>(async batch => {
      batches.push(batch);
    });
    await Promise.all(["a", "b", "c"].map(item => batchWriter.add(item)));
    assert.deepEqual(batches, [["a", "b", "c"]]);
  });

  it("gathers what comes in during a write, and writes it after, never two at once", async () => {
    const { batchWriter, batches, gates, begun } = gatedInbox();
    const first = batchWriter.add("a");
    await begun[0]?.promise;
    const later = ["b", "c"].map(item => batchWriter.add(item));
    assert.deepEqual(batches, [["a"]]);
    gates[0]?.resolve();
    await first;
    await begun[1]?.promise;
    assert.deepEqual(batches, [["a"], ["b", "c"]]);
    gates[1]?.resolve();
    await Promise.all(later);
  });

  it("tells each item of its own write only", async () => {
    const { batchWriter, gates, begun } = gatedInbox();
    const told: string[] = [];
    const first = batchWriter.add("a").then(() => told.push("a"));
    await begun[0]?.promise;
    const second = batchWriter.add("b").then(() => told.push("b"));
    gates[0]?.resolve();
    await first;
    await begun[1]?.promise;
    assert.deepEqual(told, ["a"]);
    gates[1]?.resolve();
    await second;
    assert.deepEqual(told, ["a", "b"]);
  });

  it("tells of a failed write only those whose item was at fault", async () => {
    const batchWriter = new BatchWriter<string>(async batch => {
      if (batch.includes("bad")) throw new Error(`cannot write ${batch.join(" ")}`);
    });
    const ends = await Promise.allSettled(["a", "bad", "b", "c"].map(item => batchWriter.add(item)));
    assert.deepEqual(
      ends.map(end => (end.status === "rejected" ? end.reason.message : end.status)),
      ["fulfilled", "cannot write bad", "fulfilled", "fulfilled"],
    );
  });

  it("does not try each by itself when nothing can be written", async () => {
    let writes = 0;
    const batchWriter = new BatchWriter<string>(async () => {
      writes += 1;
      throw new Error("no database");
    });
    const items = Array.from({ length: 50 }, (_, index) => String(index));
    const ends = await Promise.allSettled(items.map(item => batchWriter.add(item)));
    assert.ok(ends.every(end => end.status === "rejected"));
    assert.equal(writes, 3);
  });

  it("goes on after a failure", async () => {
    let away = true;
    const batchWriter = new BatchWriter<string>(async () => {
      if (away) throw new Error("no database");
    });
    await assert.rejects(batchWriter.add("a"), /no database/);
    away = false;
    await batchWriter.add("a");
  });
});
