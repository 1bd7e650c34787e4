import assert from "node:assert/strict";
import type { Shot } from "../../dashboard/api/shot.ts";
import { decided, isDecidable, isOpen, undoing } from "../../dashboard/review/decision.ts";
import { actOf, REVIEW_KEYS } from "../../dashboard/review/keys.ts";
import {
  groupOf,
  neighbour,
  nextOpen,
  nextWidth,
  queueOf,
  sectionsMatching,
} from "../../dashboard/review/queue.ts";
import { gridRows } from "../../dashboard/run/grid-rows.ts";
import { screenshot } from "../support/report-sample.ts";

const shot = (id: string, fields: Partial<Shot> = {}): Shot => ({
  ...screenshot({ id, route: `/${id}`, fingerprint: null, review: null, ...fields }),
  reviewReason: fields.reviewReason ?? null,
});

const SHOTS = [
  shot("same", { status: "unchanged" }),
  shot("fresh", { status: "new" }),
  shot("alone", { status: "changed" }),
  shot("header-1", { status: "changed", fingerprint: "header", route: "/page", viewport: 1280 }),
  shot("header-2", { status: "changed", fingerprint: "header", route: "/page", viewport: 375 }),
  shot("broken", { status: "failed" }),
];
const idsOf = (shots: readonly Shot[]) => shots.map(({ id }) => id);
const queued = (shots: readonly Shot[], all = false) => queueOf(shots, all).flatMap(section => section.shots);

describe("the review's queue", () => {
  it("has what is in question, what settles the most at once first", () => {
    assert.deepEqual(idsOf(queued(SHOTS)), ["header-1", "header-2", "alone", "fresh", "broken"]);
    assert.deepEqual(
      queueOf(SHOTS, false).map(({ title, isStack }) => [title, isStack]),
      [
        ["Same change 1", true],
        ["Changed, alone", false],
        ["New", false],
        ["Failed", false],
      ],
    );
    assert.equal(queued(SHOTS, true).at(-1)?.id, "same");
  });

  it("stays as it is when something is decided", () => {
    const after = decided(SHOTS, { ids: ["header-2", "fresh"], verdict: "approved", reason: null });
    assert.deepEqual(idsOf(queued(after)), idsOf(queued(SHOTS)));
    assert.equal(queued(after)[1]?.review, "approved");
  });

  it("goes on to what waits, round the end, and past what is being decided", () => {
    const queue = queued(SHOTS);
    assert.equal(nextOpen(queue, "header-1")?.id, "header-2");
    assert.equal(nextOpen(queue, "header-1", new Set(["header-1", "header-2"]))?.id, "alone");
    // What failed waits for nobody.
    assert.equal(nextOpen(queue, "fresh")?.id, "header-1");
    const all = decided(queue, { ids: idsOf(queue), verdict: "approved", reason: null });
    assert.equal(nextOpen(all, "fresh"), null);
  });

  it("steps to its neighbours, and not beyond its ends", () => {
    const queue = queued(SHOTS);
    assert.equal(neighbour(queue, "alone", -1)?.id, "header-2");
    assert.equal(neighbour(queue, "header-1", -1), null);
    assert.equal(neighbour(queue, "broken", 1), null);
    assert.equal(neighbour(queue, "filtered away", 1)?.id, "header-1");
  });

  it("goes round the widths of a page", () => {
    const [wide, narrow] = [SHOTS[3], SHOTS[4]];
    assert.ok(wide && narrow);
    assert.equal(nextWidth(SHOTS, narrow)?.id, wide.id);
    assert.equal(nextWidth(SHOTS, wide)?.id, narrow.id);
    assert.equal(nextWidth(SHOTS, shot("alone")), null);
  });

  it("takes equal changes as a group, and others each by itself", () => {
    const sections = queueOf(SHOTS, false);
    assert.deepEqual(idsOf(groupOf(sections, "header-2")), ["header-1", "header-2"]);
    assert.deepEqual(idsOf(groupOf(sections, "alone")), ["alone"]);
    assert.deepEqual(groupOf(sections, "nobody"), []);
  });

  it("finds routes by any part, in any case", () => {
    const found = sectionsMatching(queueOf(SHOTS, false), " PAGE ");
    assert.deepEqual(idsOf(found.flatMap(({ shots }) => shots)), ["header-1", "header-2"]);
  });
});

describe("a decision", () => {
  it("means nothing where there is nothing to decide", () => {
    const means = (status: Shot["status"]) =>
      (["approved", "rejected", null] as const).map(verdict => isDecidable(shot("one", { status }), verdict));
    assert.deepEqual(means("unchanged"), [false, false, false]);
    assert.deepEqual(means("failed"), [false, true, false]);
    assert.deepEqual(means("removed"), [true, true, false]);
    assert.equal(isDecidable(shot("one", { status: "new", review: "approved" }), null), true);
    assert.deepEqual(decided(SHOTS, { ids: ["same"], verdict: "approved", reason: null }), SHOTS);
  });

  it("is undone to just what was before, whatever that was", () => {
    const before = [
      shot("a", { status: "changed" }),
      shot("b", { status: "changed", review: "rejected", reviewReason: "too red" }),
      shot("c", { status: "changed" }),
      shot("d", { status: "unchanged" }),
    ];
    const decision = { ids: idsOf(before), verdict: "approved", reason: null } as const;
    const back = undoing(before, decision);
    assert.deepEqual(back, [
      { ids: ["a", "c"], verdict: null, reason: null },
      { ids: ["b"], verdict: "rejected", reason: "too red" },
    ]);
    const after = decided(before, decision);
    assert.equal(after.filter(isOpen).length, 0);
    assert.deepEqual(back.reduce<Shot[]>(decided, after), before);
  });
});

describe("the review's keys", () => {
  const press = (key: string, fields = {}) =>
    actOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...fields });

  it("are each one action's", () => {
    const keys = REVIEW_KEYS.flatMap(binding => binding.keys);
    assert.equal(new Set(keys).size, keys.length);
  });

  it("mean the same with the caps lock on", () => {
    assert.equal(press("a"), "approve");
    assert.equal(press("A"), "approve");
    assert.equal(press("ArrowDown"), "next");
    assert.equal(press("6"), "blink");
  });

  it("are others with Shift, except where Shift makes the sign", () => {
    assert.equal(press("G", { shiftKey: true }), "reject-group");
    assert.equal(press("A", { shiftKey: true }), null);
    assert.equal(press("ArrowDown", { shiftKey: true }), "pan-down");
    assert.equal(press("?", { shiftKey: true }), "keys");
    assert.equal(press("+", { shiftKey: true }), "zoom-in");
  });

  it("leave the browser and the system theirs", () => {
    for (const modifier of ["ctrlKey", "metaKey", "altKey"])
      assert.equal(press("r", { [modifier]: true }), null);
    assert.equal(press("F5"), null);
  });
});

describe("the grid of a run", () => {
  const shape = (columns: number, toggled: string[] = []) =>
    gridRows(SHOTS, columns, new Set(toggled)).map(row =>
      row.kind === "heading" ? `${row.name} ${row.count}` : idsOf(row.cells.map(cell => cell.shot)).join(" "),
    );

  it("folds equal changes into one card, and what is unchanged into its heading", () => {
    assert.deepEqual(shape(4), [
      "review 3",
      "header-1 alone",
      "new 1",
      "fresh",
      "failed 1",
      "broken",
      "unchanged 1",
    ]);
  });

  it("unfolds what is asked for, in as many columns as there are", () => {
    assert.deepEqual(shape(2, ["review header-1", "unchanged", "failed"]), [
      "review 3",
      "header-1 header-2",
      "alone",
      "new 1",
      "fresh",
      "failed 1",
      "unchanged 1",
      "same",
    ]);
  });
});
