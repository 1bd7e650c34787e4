import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { NameLookups } from "../../../shared/capture/network/name-lookups.ts";

describe("name lookups of a context", () => {
  let started: { host: string; lookup: PromiseWithResolvers<string[]> }[];
  let lookups: NameLookups;

  beforeEach(() => {
    started = [];
    lookups = new NameLookups(host => {
      const lookup = Promise.withResolvers<string[]>();
      started.push({ host, lookup });
      return lookup.promise;
    });
  });

  // Late lookups fail, and no caller would handle that here.
  afterEach(() => {
    for (const { lookup } of started) lookup.resolve([]);
  });

  const hosts = async () => {
    await setImmediate();
    return started.map(({ host }) => host);
  };

  it("run two at a time and queue the others", async () => {
    const answers = ["a", "b", "c", "d"].map(host => lookups.addresses(host));
    assert.deepEqual(await hosts(), ["a", "b"]);
    started[0]?.lookup.resolve(["1"]);
    assert.deepEqual(await answers[0], ["1"]);
    assert.deepEqual(await hosts(), ["a", "b", "c"]);
    started[1]?.lookup.reject(new Error("no such name"));
    await assert.rejects(answers[1] ?? Promise.resolve(), /no such name/);
    assert.deepEqual(await hosts(), ["a", "b", "c", "d"]);
  });

  it("say when one no longer waits for others", async () => {
    const waiting: string[] = [];
    for (const host of ["a", "b", "c", "c"]) void lookups.lookUp(host).started.then(() => waiting.push(host));
    await setImmediate();
    assert.deepEqual(waiting, ["a", "b"]);
    started[0]?.lookup.resolve(["1"]);
    await setImmediate();
    assert.deepEqual(waiting, ["a", "b", "c", "c"]);
  });

  it("look up a name once for concurrent callers", async () => {
    const answers = [lookups.addresses("a"), lookups.addresses("a")];
    assert.deepEqual(await hosts(), ["a"]);
    started[0]?.lookup.resolve(["1"]);
    assert.deepEqual(await Promise.all(answers), [["1"], ["1"]]);
    void lookups.addresses("a");
    assert.deepEqual(await hosts(), ["a", "a"], "an answer is not kept: the next page may get another");
  });

  it("time out, and keep their slot until they end", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const [slow] = ["a", "b", "c"].map(host => {
        const lookup = lookups.addresses(host);
        lookup.catch(() => {});
        return lookup;
      });
      await hosts();
      mock.timers.tick(8_000);
      await assert.rejects(slow ?? Promise.resolve(), {
        name: "UnresolvedError",
        message: "a does not resolve to a public address",
        detail: "a did not resolve within 8 seconds",
      });
      await assert.rejects(lookups.addresses("a"), /does not resolve/);
      assert.deepEqual(await hosts(), ["a", "b"]);
      started[0]?.lookup.resolve(["1"]);
      assert.deepEqual(await hosts(), ["a", "b", "c"]);
    } finally {
      mock.timers.reset();
    }
  });

  it("start no lookup after the context is closed", async () => {
    const answers = ["a", "b", "c"].map(host => lookups.addresses(host));
    await hosts();
    lookups.close();
    await assert.rejects(answers[2] ?? Promise.resolve(), /canceled/);
    await assert.rejects(lookups.addresses("d"), /canceled/);
    assert.deepEqual(await hosts(), ["a", "b"]);
  });
});
