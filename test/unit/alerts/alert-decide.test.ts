import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type AlertState, decide, problemOf } from "../../../shared/alerts/decide.rule.ts";
import {
  downFingerprintOf,
  fingerprintOf,
  isDownFingerprint,
} from "../../../shared/alerts/fingerprint.rule.ts";
import { withUncaptured } from "../../../shared/alerts/uncaptured.rule.ts";
import type {
  AlertDecision,
  CheckOutcome,
  ProblemOutcome,
} from "../../../shared/contracts/monitors/alert-actions.ts";

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n));
const images = { baseline: null, current: null, diff: null };
const regressionsOf = (pages: string[]) =>
  pages.map(page => {
    const [route = "", viewport] = page.split(" ");
    return { route, viewport: Number(viewport ?? 1280), diffRatio: 0.1, images };
  });
const changed = (...pages: string[]): ProblemOutcome => ({
  kind: "changed",
  regressions: regressionsOf(pages),
});
const ok: CheckOutcome = { kind: "ok" };
/** Returns an outcome with pages that are down and pages that changed. */
const down = (routes: string[], ...pages: string[]): ProblemOutcome => ({
  ...{ kind: "down", reason: "It answers 500.", routes, isWhole: false },
  regressions: regressionsOf(pages),
});
const NOTHING: AlertState = {
  reportedAt: null,
  alerted: null,
  alertingSince: null,
  lastAlertAt: null,
  snoozedUntil: null,
};

interface Step {
  /** The check's outcome, or a snooze in minutes instead. */
  finds: CheckOutcome | { snooze: number };
  decides?: AlertDecision;
  /** Minute of the check. Default: the step's number. */
  at?: number;
  replaces?: string | null;
}

/** Decisions about checks, one per minute. */
const STORIES: Record<string, Step[]> = {
  "nothing is wrong": [
    { finds: ok, decides: "none" },
    { finds: ok, decides: "none" },
  ],
  "the same pages again": [
    { finds: changed("/a", "/b"), decides: "alerted", replaces: null },
    { finds: changed("/b", "/a"), decides: "repeated" },
    { finds: changed("/a", "/b"), decides: "repeated" },
  ],
  "one page more, and then one less": [
    { finds: changed("/a"), decides: "alerted" },
    { finds: changed("/a", "/b"), decides: "alerted", replaces: fingerprintOf([page("/a")]) },
    { finds: changed("/a"), decides: "alerted" },
  ],
  "the same page at another width": [
    { finds: changed("/a 375"), decides: "alerted" },
    { finds: changed("/a 1280"), decides: "alerted" },
  ],
  "it recovers, once, and breaks in the same way again": [
    { finds: changed("/a"), decides: "alerted" },
    { finds: ok, decides: "recovered" },
    { finds: ok, decides: "none" },
    { finds: changed("/a"), decides: "alerted", replaces: null },
  ],
  "it goes down, which is something else than looking different": [
    { finds: changed("/a"), decides: "alerted" },
    { finds: down(["/a"]), decides: "alerted", replaces: fingerprintOf([page("/a")]) },
    { finds: down(["/a"]), decides: "repeated" },
    { finds: changed("/a"), decides: "alerted", replaces: downFingerprintOf(["/a"], []) },
    { finds: ok, decides: "recovered" },
  ],
  "another page goes down": [
    { finds: down(["/a"]), decides: "alerted" },
    { finds: down(["/b", "/a"]), decides: "alerted", replaces: downFingerprintOf(["/a"], []) },
    { finds: down(["/a", "/b"]), decides: "repeated" },
    { finds: down(["/b"]), decides: "alerted" },
    { finds: ok, decides: "recovered" },
  ],
  "pages look different while another is down": [
    { finds: down(["/a"]), decides: "alerted" },
    { finds: down(["/a"], "/b"), decides: "alerted" },
    { finds: down(["/a"], "/b"), decides: "repeated" },
    { finds: down(["/a"], "/b", "/c"), decides: "alerted" },
    { finds: changed("/b", "/c"), decides: "alerted" },
    { finds: ok, decides: "recovered" },
  ],
  "what breaks during a snooze is alerted after it": [
    { finds: { snooze: 2 } },
    { finds: changed("/a"), decides: "snoozed" },
    { finds: changed("/a"), decides: "alerted" },
  ],
  "what was alerted before a snooze is not alerted after it": [
    { finds: changed("/a"), decides: "alerted" },
    { finds: { snooze: 2 } },
    { finds: changed("/a"), decides: "repeated" },
    { finds: changed("/a"), decides: "repeated" },
  ],
  "what breaks and recovers during a snooze is never told": [
    { finds: { snooze: 3 } },
    { finds: changed("/a"), decides: "snoozed" },
    { finds: ok, decides: "none" },
    { finds: ok, decides: "none" },
  ],
  "what recovers during a snooze is told after it": [
    { finds: changed("/a"), decides: "alerted" },
    { finds: { snooze: 2 } },
    { finds: ok, decides: "snoozed" },
    { finds: ok, decides: "recovered" },
  ],
  "what changes during a snooze and back is not alerted twice": [
    { finds: changed("/a"), decides: "alerted" },
    { finds: { snooze: 3 } },
    { finds: changed("/a", "/b"), decides: "snoozed" },
    { finds: changed("/a"), decides: "repeated" },
    { finds: changed("/a"), decides: "repeated" },
  ],
  "two checks end at the same time": [
    { finds: ok, decides: "none", at: 5 },
    { finds: changed("/a"), decides: "alerted", at: 5 },
  ],
  "an old check comes late": [
    { finds: ok, decides: "none", at: 10 },
    { finds: changed("/a"), decides: "none", at: 9 },
    { finds: down(["/a"]), decides: "none", at: 8 },
    { finds: changed("/a"), decides: "alerted", at: 11 },
    { finds: ok, decides: "none", at: 10 },
    { finds: changed("/a"), decides: "repeated", at: 12 },
  ],
};

function page(route: string) {
  return { route, viewport: 1280 };
}

describe("The decision about an alert", () => {
  for (const [name, steps] of Object.entries(STORIES))
    it(name, () => {
      let state = NOTHING;
      for (const [index, { finds, decides, at = index, replaces }] of steps.entries()) {
        if ("snooze" in finds) {
          state = { ...state, snoozedUntil: minute(index + finds.snooze) };
          continue;
        }
        const decided = decide(state, { at: minute(at), problem: problemOf(finds) }, minute(index));
        assert.equal(decided.decision, decides, `step ${index + 1}`);
        const tells = decides === "alerted" || decides === "recovered";
        assert.equal(decided.notification !== null, tells, `step ${index + 1}`);
        if (replaces !== undefined) assert.equal(replaceOf(decided.notification), replaces);
        state = decided.state;
      }
    });

  it("keeps the start of an alert until the recovery, also if the problem changes", () => {
    const [, first] = [
      NOTHING,
      decide(NOTHING, { at: minute(1), problem: problemOf(changed("/a")) }, minute(1)).state,
    ];
    const second = decide(first, { at: minute(2), problem: problemOf(down(["/"])) }, minute(2)).state;
    assert.deepEqual([second.alertingSince, second.lastAlertAt], [minute(1), minute(2)]);
    const over = decide(second, { at: minute(3), problem: problemOf(ok) }, minute(3));
    assert.deepEqual([over.state.alertingSince, over.state.lastAlertAt], [null, minute(2)]);
    assert.deepEqual(over.notification, {
      kind: "recovered",
      about: downFingerprintOf(["/"], []),
      since: minute(1),
    });
  });
});

describe("A check with uncaptured pages", () => {
  const cases: [
    what: string,
    alerted: ProblemOutcome | null,
    found: CheckOutcome,
    uncaptured: string[],
    comes: CheckOutcome,
  ][] = [
    ["is nothing where nothing is alerted", null, changed("/b"), ["/a"], changed("/b")],
    ["stays down beside what changed", down(["/a"], "/b"), changed("/b"), ["/a 0"], down(["/a"], "/b")],
    ["stays down beside what is down", down(["/a", "/b"]), down(["/b"]), ["/a 0"], down(["/b", "/a"])],
    ["stays changed beside what is down", changed("/a"), down(["/b"]), ["/a"], down(["/b"], "/a")],
    ["stays changed beside what is newly changed", changed("/a"), changed("/b"), ["/a"], changed("/b", "/a")],
    ["is up where it was seen at one of its widths", down(["/a"]), changed("/b"), ["/a 375"], changed("/b")],
    [
      "is another width than the one that is well",
      changed("/a 375", "/a"),
      changed("/b"),
      ["/a"],
      changed("/b", "/a"),
    ],
    ["stays changed beside no problem", changed("/a", "/b"), ok, ["/a", "/z"], changed("/a")],
    ["stays down beside no problem", down(["/a", "/b"]), ok, ["/a 0"], down(["/a"])],
    ["is nothing where another page is alerted", changed("/a"), ok, ["/b"], ok],
    ["is not what was seen to be well", down(["/a"], "/c"), changed("/b"), ["/d"], changed("/b")],
  ];
  for (const [what, alerted, found, uncaptured, comes] of cases)
    it(what, () => assert.deepEqual(withUncaptured(found, regressionsOf(uncaptured), alerted), comes));
});

function replaceOf(notification: ReturnType<typeof decide>["notification"]): string | null {
  return notification && notification.kind !== "recovered" ? notification.replaces : null;
}

describe("A check that could not capture one environment", () => {
  const [plain, dark] = [null, "dark"].map(environment => ({
    ...{ route: "/", state: null, environment, viewport: 1280 },
  }));

  it("keeps the alert of that environment alone", () => {
    assert.ok(plain && dark);
    const alerted: ProblemOutcome = {
      kind: "changed",
      regressions: [plain, dark].map(each => ({ ...each, diffRatio: 0.1, images })),
    };
    const kept = withUncaptured(ok, [dark], alerted);
    assert.deepEqual(kept, { kind: "changed", regressions: [{ ...dark, diffRatio: 0.1, images }] });
    const stored: ProblemOutcome = { kind: "changed", regressions: regressionsOf(["/"]) };
    assert.deepEqual(withUncaptured(ok, [plain], stored), stored);
    assert.deepEqual(withUncaptured(ok, [dark], stored), ok);
  });
});

describe("The fingerprint of pages", () => {
  it("shows whether pages are down", () => {
    assert.ok(isDownFingerprint(downFingerprintOf(["/a"], [page("/b")])));
    assert.ok(!isDownFingerprint(fingerprintOf([page("/a")])));
  });

  it("is the same for any order and for duplicates", () => {
    const [a, b] = [page("/a"), page("/b")];
    assert.equal(fingerprintOf([a, b]), fingerprintOf([b, a, b]));
    assert.match(fingerprintOf([a]), /^[0-9a-f]{32}$/);
  });

  it("stays the same for pages without a state and an environment", () => {
    const before = "bbdc7fc3e5b6eaf72eedc3f0683cc626";
    const stored = [
      { route: "/", viewport: 1280 },
      { route: "/a", viewport: 375 },
    ];
    assert.equal(fingerprintOf(stored), before);
    assert.equal(fingerprintOf(stored.map(each => ({ ...each, state: null, environment: null }))), before);
  });

  it("differs for each state and environment", () => {
    const of = (state: string | null, environment: string | null) =>
      fingerprintOf([{ route: "/", state, environment, viewport: 1280 }]);
    const all = [of(null, null), of("dark", null), of(null, "dark"), of("dark", "dark")];
    assert.equal(new Set(all).size, all.length);
  });

  it("differs for other pages, whatever characters their routes have", () => {
    const sets = [
      [],
      [page("/a")],
      [page("/b")],
      [{ route: "/a", viewport: 375 }],
      [page("/a"), page("/b")],
      [page('/a",1280]\n["/b')],
      [{ route: "/a1", viewport: 2 }],
      [{ route: "/a", viewport: 12 }],
    ];
    assert.equal(new Set(sets.map(fingerprintOf)).size, sets.length);
  });
});
