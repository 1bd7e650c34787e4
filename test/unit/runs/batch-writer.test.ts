import assert from "node:assert/strict";
import { BatchWriter } from "../../../services/runs/capture/batch-writer.ts";

/** Returns a batch writer whose writes end when the test resolves them. */
function gatedBatchWriter() {
  const batches: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const started: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()];
  const batchWriter = new BatchWriter<string>(batch => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    started[batches.length]?.resolve();
    batches.push(batch);
    return gate.promise;
  });
  return { batchWriter, batches, gates, started };
}

describe("BatchWriter", () => {
  it("writes simultaneous items as one batch, in order", async () => {
    const batches: string[][] = [];
    const batchWriter = new BatchWriter<string>(async batch => {
      batches.push(batch);
    });
    await Promise.all(["a", "b", "c"].map(item => batchWriter.add(item)));
    assert.deepEqual(batches, [["a", "b", "c"]]);
  });

  it("collects items during a write, and writes them after it", async () => {
    const { batchWriter, batches, gates, started } = gatedBatchWriter();
    const first = batchWriter.add("a");
    await started[0]?.promise;
    const later = ["b", "c"].map(item => batchWriter.add(item));
    assert.deepEqual(batches, [["a"]]);
    gates[0]?.resolve();
    await first;
    await started[1]?.promise;
    assert.deepEqual(batches, [["a"], ["b", "c"]]);
    gates[1]?.resolve();
    await Promise.all(later);
  });

  it("resolves each item after its own write", async () => {
    const { batchWriter, gates, started } = gatedBatchWriter();
    const written: string[] = [];
    const first = batchWriter.add("a").then(() => written.push("a"));
    await started[0]?.promise;
    const second = batchWriter.add("b").then(() => written.push("b"));
    gates[0]?.resolve();
    await first;
    await started[1]?.promise;
    assert.deepEqual(written, ["a"]);
    gates[1]?.resolve();
    await second;
    assert.deepEqual(written, ["a", "b"]);
  });

  it("rejects only the items that fail a batch", async () => {
    const batchWriter = new BatchWriter<string>(async batch => {
      if (batch.includes("bad")) throw new Error(`cannot write ${batch.join(" ")}`);
    });
    const ends = await Promise.allSettled(["a", "bad", "b", "c"].map(item => batchWriter.add(item)));
    assert.deepEqual(
      ends.map(end => (end.status === "rejected" ? end.reason.message : end.status)),
      ["fulfilled", "cannot write bad", "fulfilled", "fulfilled"],
    );
  });

  it("stops writing items one by one after two failures", async () => {
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

  it("continues after a failure", async () => {
    let isAway = true;
    const batchWriter = new BatchWriter<string>(async () => {
      if (isAway) throw new Error("no database");
    });
    await assert.rejects(batchWriter.add("a"), /no database/);
    isAway = false;
    await batchWriter.add("a");
  });
});
