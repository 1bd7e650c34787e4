import assert from "node:assert/strict";
import {
  type SharingRun,
  type SlotShare,
  shareSlots,
} from "../../../services/runs/capture/share-slots.rule.ts";

const SLOTS = 2;
const WINDOW = 2 * SLOTS;

interface SimulatedRun {
  /** As `team/project/run`. */
  name: string;
  pages: number;
  pageMs: number;
  at?: number;
}

interface StartedPage {
  name: string;
  at: number;
  endsAt: number;
}

/** Simulates a fleet: slots that take queued pages in order, and a queue that `shareSlots` fills. */
function simulate(runs: SimulatedRun[], untilMs: number): StartedPage[] {
  const waiting = new Map(runs.map(run => [run.name, run.pages]));
  const all = new Map(runs.map(run => [run.name, run]));
  let shares: SlotShare[] = [];
  const queue: string[] = [];
  const rendering: StartedPage[] = [];
  const started: StartedPage[] = [];
  for (let now = 0; now <= untilMs; now += 100) {
    for (const { name, at, endsAt } of rendering.filter(page => page.endsAt <= now)) {
      charge(shares, name, endsAt - at);
      rendering.splice(
        rendering.findIndex(page => page.name === name && page.endsAt === endsAt),
        1,
      );
    }
    const outstanding = [...queue, ...rendering.map(({ name }) => name)];
    const sharing = [...waiting].flatMap(([name, pages]): SharingRun[] => {
      const [teamId = "", projectId = ""] = name.split("/");
      const pagesQueued = outstanding.filter(other => other === name).length;
      if ((all.get(name)?.at ?? 0) > now || pages + pagesQueued === 0) return [];
      return [
        {
          runId: name,
          teamId,
          projectId: `${teamId}/${projectId}`,
          pagesQueued,
          jobsWaiting: pages,
          pagesWaiting: pages,
        },
      ];
    });
    const shared = shareSlots(sharing, shares, WINDOW - outstanding.length);
    const present = new Set(shared.shares.map(({ id }) => id));
    shares = [
      ...shared.shares,
      ...shares.filter(({ id }) => !present.has(id)).map(share => ({ ...share, active: false })),
    ];
    for (const name of shared.runIds) waiting.set(name, (waiting.get(name) ?? 0) - 1);
    queue.push(...shared.runIds);
    while (rendering.length < SLOTS && queue.length > 0) {
      const name = queue.shift() ?? "";
      const page = { name, at: now, endsAt: now + (all.get(name)?.pageMs ?? 0) };
      rendering.push(page);
      started.push(page);
    }
  }
  return started;
}

function charge(shares: SlotShare[], name: string, ms: number): void {
  const [team = "", project = ""] = name.split("/");
  for (const share of shares.filter(({ id }) => [team, `${team}/${project}`, name].includes(id))) {
    share.timeMs += ms;
    share.pageMs = share.pageMs === null ? ms : 0.7 * share.pageMs + 0.3 * ms;
  }
}

const waitOf = (started: StartedPage[], { name, at = 0 }: SimulatedRun) =>
  (started.find(page => page.name === name)?.at ?? Number.POSITIVE_INFINITY) - at;
const heldBy = (started: StartedPage[], prefix: string, untilMs: number) =>
  started
    .filter(({ name }) => name.startsWith(prefix))
    .reduce((sum, { at, endsAt }) => sum + Math.min(endsAt, untilMs) - at, 0);

describe("shareSlots", () => {
  const LONGEST_MS = 30_000;

  it("starts one team's page within two pages of another team with 500 slow ones", () => {
    const slow = { name: "slow/p/r", pages: 500, pageMs: LONGEST_MS };
    for (const at of [0, 100, 15_000, 29_900, 300_000]) {
      const single = { name: "single/p/r", pages: 1, pageMs: 1_000, at };
      const wait = waitOf(simulate([slow, single], 500_000), single);
      assert.ok(wait <= 2 * LONGEST_MS, `${wait} ms, submitted at ${at}`);
    }
  });

  it("starts it as soon if the other team has thirty runs, each in its own project", () => {
    const slow = Array.from({ length: 30 }, (_, at) => ({
      name: `slow/p${at}/r`,
      pages: 1,
      pageMs: LONGEST_MS,
    }));
    const single = { name: "single/p/r", pages: 1, pageMs: 1_000, at: 100 };
    assert.ok(waitOf(simulate([...slow, single], 500_000), single) <= 2 * LONGEST_MS);
  });

  it("starts a small run as soon behind a large one, in the same project or another", () => {
    const large = { name: "team/large/r1", pages: 500, pageMs: LONGEST_MS };
    for (const name of ["team/small/r2", "team/large/r2"]) {
      const small = { name, pages: 3, pageMs: 1_000, at: 40_000 };
      const wait = waitOf(simulate([large, small], 500_000), small);
      assert.ok(wait <= 2 * LONGEST_MS, `${name}: ${wait} ms`);
    }
  });

  it("charges for slot time, not for pages", () => {
    const untilMs = 1_000_000;
    const started = simulate(
      [
        { name: "slow/p/r", pages: 5_000, pageMs: 10_000 },
        { name: "fast/p/r", pages: 5_000, pageMs: 1_000 },
      ],
      untilMs,
    );
    const [slow, fast] = [heldBy(started, "slow", untilMs), heldBy(started, "fast", untilMs)];
    assert.ok(slow / fast > 0.9 && slow / fast < 1.1, `${slow} and ${fast} ms`);
  });

  it("shares slots by team, however many projects and runs each has", () => {
    const untilMs = 1_000_000;
    const many = Array.from({ length: 20 }, (_, at) => ({
      name: `many/p${at % 4}/r${at}`,
      pages: 500,
      pageMs: 2_000,
    }));
    const started = simulate([...many, { name: "one/p/r", pages: 5_000, pageMs: 2_000 }], untilMs);
    const ratio = heldBy(started, "many", untilMs) / heldBy(started, "one", untilMs);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio}`);
    const ofProjects = [0, 1, 2, 3].map(project => heldBy(started, `many/p${project}/`, untilMs));
    assert.ok(Math.min(...ofProjects) / Math.max(...ofProjects) > 0.9, `${ofProjects}`);
  });

  it("gives a new team its share from now on, without arrears or credit", () => {
    const untilMs = 900_000;
    const started = simulate(
      [
        { name: "early/p/r", pages: 5_000, pageMs: 2_000 },
        { name: "late/p/r", pages: 5_000, pageMs: 2_000, at: 600_000 },
      ],
      untilMs,
    );
    const since = started.filter(({ at }) => at >= 610_000);
    const ratio = heldBy(since, "early", untilMs) / heldBy(since, "late", untilMs);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio}`);
  });

  const run = (runId: string, own: Partial<SharingRun> = {}): SharingRun => ({
    ...{ runId, projectId: "p", teamId: "t" },
    ...{ pagesQueued: 0, jobsWaiting: 2, pagesWaiting: 2 },
    ...own,
  });
  const many = { jobsWaiting: 9, pagesWaiting: 9 };
  const share = (kind: SlotShare["kind"], id: string, pageMs: number | null): SlotShare => ({
    ...{ kind, id, pageMs },
    ...{ timeMs: 0, active: true },
  });

  it("prefers the older of two equal runs, and dispatches no more than the free routes", () => {
    assert.deepEqual(shareSlots([run("b"), run("a")], [], 3).runIds, ["a", "b", "a"]);
    assert.deepEqual(shareSlots([run("a"), run("b")], [], 3).runIds, ["a", "b", "a"]);
    assert.deepEqual(shareSlots([run("b"), run("a")], [], 9).runIds, ["a", "b", "a", "b"]);
    assert.deepEqual(shareSlots([run("a")], [], 0).runIds, []);
  });

  it("returns the share of each team, project and run", () => {
    assert.deepEqual(shareSlots([run("a")], [], 1).shares, [
      share("team", "t", null),
      share("project", "p", null),
      share("run", "a", null),
    ]);
  });

  const orders: [title: string, runs: SharingRun[], known: SlotShare[], runIds: string][] = [
    ["routes with more pages", [run("a", { ...many, pagesWaiting: 27 }), run("b", many)], [], "abbbab"],
    ["dispatched pages", [run("a", { ...many, pagesQueued: 2 }), run("b", many)], [], "bbabab"],
    ["the page time of the run", [run("a", many), run("b", many)], [share("run", "a", 1_000)], "abaaab"],
    [
      "the page time of the project",
      [run("a", { ...many, projectId: "q" }), run("b", many)],
      [share("project", "p", 1_000)],
      "babbba",
    ],
    [
      "the page time of the team",
      [run("a", { ...many, teamId: "u" }), run("b", many)],
      [share("team", "t", 9_000)],
      "baaaba",
    ],
  ];
  for (const [title, runs, known, runIds] of orders)
    it(`charges for ${title}`, () => {
      assert.equal(shareSlots(runs, known, 6).runIds.join(""), runIds);
    });

  it("skips a run without waiting routes", () => {
    const idle = run("a", { jobsWaiting: 0, pagesWaiting: 0 });
    assert.deepEqual(shareSlots([idle, run("b")], [], 1).runIds, ["b"]);
  });
});
