import assert from "node:assert/strict";
import { mapBounded, Slots } from "../../../cli/concurrency.ts";

describe("bounded work", () => {
  it("starts no more after a failure, and fails once no work runs", async () => {
    const started: number[] = [];
    const ended: number[] = [];
    const work = mapBounded([0, 1, 2, 3, 4], 2, async value => {
      started.push(value);
      if (value === 0) throw new Error("failed");
      await new Promise(resolve => setImmediate(resolve));
      ended.push(value);
    });
    await assert.rejects(work, /failed/);
    assert.deepEqual([started, ended], [[0, 1], [1]]);
  });
});

describe("slots", () => {
  it("run as much work as there are slots, urgent work first, and other work in order", async () => {
    const slots = new Slots(2);
    const ends = new Map<string, () => void>();
    const started: string[] = [];
    const work = (name: string, isUrgent = false) =>
      slots.run(
        () => {
          started.push(name);
          return new Promise<string>(resolve => ends.set(name, () => resolve(name)));
        },
        { isUrgent },
      );
    const end = async (name: string) => {
      ends.get(name)?.();
      await new Promise(resolve => setImmediate(resolve));
    };
    const all = [work("a"), work("b"), work("c"), work("d"), work("urgent", true)];
    assert.deepEqual(started, ["a", "b"]);
    await end("b");
    assert.deepEqual(started, ["a", "b", "urgent"]);
    await end("urgent");
    await end("a");
    assert.deepEqual(started, ["a", "b", "urgent", "c", "d"]);
    await end("c");
    await end("d");
    assert.deepEqual(await Promise.all(all), ["a", "b", "c", "d", "urgent"]);
    const next = work("e");
    assert.equal(started.at(-1), "e", "a free slot starts work at once");
    await end("e");
    await next;
  });

  it("are free again after work that fails", async () => {
    const slots = new Slots(1);
    await assert.rejects(
      slots.run(() => Promise.reject(new Error("failed"))),
      /failed/,
    );
    assert.equal(await slots.run(async () => "next"), "next");
  });
});
