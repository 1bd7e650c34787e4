import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { NameLookups } from "../../../shared/capture/network/name-lookups.ts";

describe("the look-ups of a context", () => {
  let asked: { host: string; answer: PromiseWithResolvers<string[]> }[];
  let lookups: NameLookups;

  beforeEach(() => {
    asked = [];
    lookups = new NameLookups(host => {
      const answer = Promise.withResolvers<string[]>();
      asked.push({ host, answer });
      return answer.promise;
    });
  });

  // What is late fails, and here nobody would hear of it any more.
  afterEach(() => {
    for (const { answer } of asked) answer.resolve([]);
  });

  const hosts = async () => {
    await setImmediate();
    return asked.map(({ host }) => host);
  };

  it("are two at a time, and the others have their turn", async () => {
    const answers = ["a", "b", "c", "d"].map(host => lookups.addresses(host));
    assert.deepEqual(await hosts(), ["a", "b"]);
    asked[0]?.answer.resolve(["1"]);
    assert.deepEqual(await answers[0], ["1"]);
    assert.deepEqual(await hosts(), ["a", "b", "c"]);
    asked[1]?.answer.reject(new Error("no such name"));
    await assert.rejects(answers[1] ?? Promise.resolve(), /no such name/);
    assert.deepEqual(await hosts(), ["a", "b", "c", "d"]);
  });

  it("ask once for a name that is asked for by many", async () => {
    const answers = [lookups.addresses("a"), lookups.addresses("a")];
    assert.deepEqual(await hosts(), ["a"]);
    asked[0]?.answer.resolve(["1"]);
    assert.deepEqual(await Promise.all(answers), [["1"], ["1"]]);
    void lookups.addresses("a");
    assert.deepEqual(await hosts(), ["a", "a"], "an answer is not kept: the next page may get another");
  });

  it("are not waited for without end, and keep their place until they end", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const [slow] = ["a", "b", "c"].map(host => {
        const answer = lookups.addresses(host);
        answer.catch(() => {});
        return answer;
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
      asked[0]?.answer.resolve(["1"]);
      assert.deepEqual(await hosts(), ["a", "b", "c"]);
    } finally {
      mock.timers.reset();
    }
  });

  it("begin no more once the context is closed", async () => {
    const answers = ["a", "b", "c"].map(host => lookups.addresses(host));
    await hosts();
    lookups.close();
    await assert.rejects(answers[2] ?? Promise.resolve(), /canceled/);
    await assert.rejects(lookups.addresses("d"), /canceled/);
    assert.deepEqual(await hosts(), ["a", "b"]);
  });
});
