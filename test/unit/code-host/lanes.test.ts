import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type FullLanes, type Lane, workInLanes } from "../../../services/scm/lanes/lanes.ts";

type Row = { id: number } & Lane;

/** Returns rows of a lane, host and team, and leases them as the store does: one per host and team at a time. */
function queueOf(rows: Row[]) {
  return async ({ lanes, hosts, teams }: FullLanes) => {
    const taken: Row[] = [];
    for (const row of [...rows]) {
      const isFull = lanes.includes(row.lane) || hosts.includes(row.host) || teams.includes(row.team);
      if (isFull || taken.some(({ host, team }) => host === row.host || team === row.team)) continue;
      taken.push(row);
      rows.splice(rows.indexOf(row), 1);
    }
    return taken;
  };
}

const row = (id: number, of: Partial<Lane> = {}): Row => ({
  ...{ id, lane: "con_1", host: "https://one.example", team: "team_a" },
  ...of,
});
const other = { lane: "con_2", host: "https://two.example", team: "team_b" };

describe("Lanes", () => {
  it("do all work of a lane while another one hangs, and stay within its concurrency", async () => {
    const done: number[] = [];
    const hanging = Promise.withResolvers<void>();
    let atOnce = 0;
    const slow = Array.from({ length: 9 }, (_, id) => row(id));
    const fast = Array.from({ length: 20 }, (_, id) => row(100 + id, other));
    const working = workInLanes<{ id: number }>({
      lease: queueOf([...slow, ...fast]),
      async work({ id, lane }) {
        if (lane === "con_2") {
          done.push(id);
          if (done.length === 20) hanging.resolve();
          return;
        }
        atOnce++;
        assert.ok(atOnce <= 3);
        await hanging.promise;
        atOnce--;
        done.push(id);
      },
      failed: error => assert.fail(String(error)),
    });
    await hanging.promise;
    assert.equal(done.length, 20);
    await working;
    assert.equal(done.length, 29);
  });

  it("bound the work for one host and for one team together", async () => {
    for (const same of ["host", "team"] as const) {
      let [atOnce, most] = [0, 0];
      const rows = Array.from({ length: 40 }, (_, id) =>
        row(id, { lane: `con_${id}`, host: `h${id}`, team: `t${id}`, [same]: "the same" }),
      );
      await workInLanes<{ id: number }>({
        lease: queueOf(rows),
        async work() {
          most = Math.max(most, ++atOnce);
          await new Promise(resolve => setImmediate(resolve));
          atOnce--;
        },
        failed: error => assert.fail(String(error)),
      });
      assert.ok(most <= 12, `${most} with the same ${same}`);
    }
  });

  it("report failures, and continue", async () => {
    const [done, failures]: [number[], unknown[]] = [[], []];
    await workInLanes<{ id: number }>({
      lease: queueOf([row(1), row(2, other), row(3), row(4, other)]),
      async work({ id, lane }) {
        if (lane === "con_1") throw new Error(`Failed ${id}`);
        done.push(id);
      },
      failed: error => failures.push(error),
    });
    assert.deepEqual(
      [done, failures.map(String)],
      [
        [2, 4],
        ["Error: Failed 1", "Error: Failed 3"],
      ],
    );
  });

  it("free the place of work whose time is up, and end the renewal of its lease", async () => {
    const failures: unknown[] = [];
    const overdue: number[] = [];
    const never = new Promise<void>(() => {});
    const done: number[] = [];
    const rows = Array.from({ length: 8 }, (_, id) => row(id));
    await workInLanes<{ id: number }>({
      lease: queueOf(rows),
      work({ id }, signal) {
        signal.addEventListener("abort", () => overdue.push(id));
        if (id < 6) return never;
        done.push(id);
        return Promise.resolve();
      },
      failed: error => failures.push(error),
      timeoutMs: 20,
    });
    assert.deepEqual([overdue.length, failures.length, done], [6, 6, [6, 7]]);
    assert.match(String(failures[0]), /longer than 0.02 seconds/);
  });

  it("start nothing after the signal", async () => {
    await workInLanes(
      {
        lease: () => assert.fail("Leased"),
        work: async () => {},
        failed: () => {},
      },
      AbortSignal.abort(),
    );
  });
});
