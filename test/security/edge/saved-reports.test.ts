import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { SavedReports } from "../../../services/gateway/handlers/saved-reports.ts";

const stays = () => new AbortController().signal;

describe("Report exports", () => {
  it("run two at a time, one per run, in the order of their requests", async () => {
    const saved = new SavedReports();
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const acquire = async (name: string) => {
      const end = await saved.acquire(name.slice(0, 1), stays());
      begun.push(name);
      ends.set(name, end);
    };
    const all = ["a1", "a2", "a3", "b1", "c1", "d1"].map(acquire);
    await turn();
    assert.deepEqual(begun, ["a1", "b1"]);
    ends.get("b1")?.();
    await turn();
    // The other requests for run a came first, and wait for their run.
    assert.deepEqual(begun, ["a1", "b1", "c1"]);
    ends.get("a1")?.();
    await turn();
    assert.deepEqual(begun, ["a1", "b1", "c1", "a2"]);
    for (const name of ["c1", "a2", "d1", "a3"]) {
      ends.get(name)?.();
      await turn();
    }
    await Promise.all(all);
    assert.deepEqual(begun.slice(4).toSorted(), ["a3", "d1"]);
  });

  it("accept four concurrent requests of a reader, and eight of a run", () => {
    const saved = new SavedReports();
    const admit = (reader: string, runId = "run") => {
      try {
        return saved.admit(runId, reader);
      } catch (error) {
        assert.match(String(error), /being downloaded too often/);
        return null;
      }
    };
    const first = Array.from({ length: 6 }, () => admit("one"));
    assert.equal(first.filter(Boolean).length, 4);
    assert.equal(Array.from({ length: 6 }, (_, at) => admit(`other ${at}`)).filter(Boolean).length, 4);
    assert.ok(admit("one", "another run"));
    first[0]?.();
    first[0]?.();
    assert.equal([admit("one"), admit("one")].filter(Boolean).length, 1);
  });

  it("wait for a limited time, and not for disconnected readers", async () => {
    const saved = new SavedReports(1);
    const ends = await Promise.all([saved.acquire("a", stays()), saved.acquire("b", stays())]);
    await assert.rejects(saved.acquire("c", stays()), { type: "unavailable" });
    const gone = new AbortController();
    const waiting = new SavedReports(60_000);
    const [endFirst] = await Promise.all([waiting.acquire("a", stays()), waiting.acquire("b", stays())]);
    const third = waiting.acquire("c", gone.signal);
    gone.abort();
    endFirst();
    await assert.rejects(third, { type: "unavailable" });
    await waiting.acquire("c", stays());
    for (const end of ends) end();
    await saved.acquire("c", stays());
  });
});
