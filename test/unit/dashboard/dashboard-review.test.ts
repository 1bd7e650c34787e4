import assert from "node:assert/strict";
import { findOwnDecision, type Screenshot } from "../../../dashboard/api/screenshot.ts";
import {
  applyDecision,
  type Decision,
  decisionsToUndo,
  isDecidable,
  isOpen,
  isUndecided,
  rejection as rejectionFor,
} from "../../../dashboard/review/decisions/decision.ts";
import { actionOf, REVIEW_KEYS } from "../../../dashboard/review/keys.ts";
import {
  type Extent,
  firstMinor,
  groupOf,
  largestFirst,
  neighbor,
  nextUndecided,
  nextWidth,
  queueOf,
  sectionsMatching,
  sectionsOf,
  selectedForReview,
  tallyForReview,
} from "../../../dashboard/review/queue/queue.ts";
import { componentOf, orderSections } from "../../../dashboard/review/queue/queue-order.rule.ts";
import { marksIn } from "../../../dashboard/review/stage/use-marks.ts";
import { gridRows } from "../../../dashboard/run/grid-rows.ts";
import { ownDecisions } from "../../../dashboard/run/own-decisions.ts";
import {
  filterQuery,
  filtersIn,
  matchingScreenshots,
  NO_SELECTION,
} from "../../../dashboard/run/screenshot-filters.ts";
import { outcomeText } from "../../../dashboard/texts/review.ts";
import { describeDecision } from "../../../shared/report/describe-review.ts";
import { explanationWith } from "../../support/fixtures/explanations.ts";
import { makeReview, screenshot } from "../../support/fixtures/report-sample.ts";

const ADA = makeReview("ada", "approved", "09:41").by;
/** A screenshot as ada sees it. */
const shot = (id: string, fields: Partial<Screenshot> = {}): Screenshot => ({
  ...screenshot({ id, route: `/${id}`, fingerprint: null, ...fields }),
  ownDecision: findOwnDecision(fields.reviews ?? [], ADA.id),
});
/** Makes ada's decision, in a team that requires this many approvals. */
const asAda = (shots: readonly Screenshot[], decision: Decision, requiredApprovals = 1) =>
  applyDecision(shots, decision, { by: ADA, countsAs: ADA.id, requiredApprovals });
const approval = (...ids: string[]): Decision => ({ ids, verdict: "approved", reason: null });
const rejection = (...ids: string[]): Decision => ({ ids, verdict: "rejected", reason: "too red" });
const reviewed = (id: string, review: NonNullable<Screenshot["review"]>, reviews: Screenshot["reviews"]) =>
  shot(id, { status: "changed", review, reviews });
const bobApproves = makeReview("bob", "approved", "10:02");
const CARRIED = { runId: "run_1", by: ["bob"], at: "2026-11-19T16:20:00.000Z" };
const carried = shot("carried", {
  status: "changed",
  review: { state: "approved", approvals: 0, required: 1 },
  carried: CARRIED,
});

const SHOTS = [
  shot("same", { status: "unchanged" }),
  shot("fresh", { status: "new" }),
  shot("alone", { status: "changed" }),
  shot("header-1", { status: "changed", fingerprint: "header", route: "/page", viewport: 1280 }),
  shot("header-2", { status: "changed", fingerprint: "header", route: "/page", viewport: 375 }),
  shot("broken", { status: "failed" }),
];
/** Partly equal, so that only their sizes order them. */
const MINOR = [0.009, 0.004, 0.00001].map((diffRatio, index) =>
  shot(`minor-${index + 1}`, { minor: true, diffRatio, diffPixels: 9, fingerprint: index > 0 ? "x" : "y" }),
);
const idsOf = (shots: readonly Screenshot[]) => shots.map(({ id }) => id);
const queued = (shots: readonly Screenshot[], extent: Extent = "question") =>
  queueOf(shots, extent).flatMap(section => section.shots);

describe("the reader's decisions on a run", () => {
  it("can be undone together, under their own name", () => {
    assert.equal(ownDecisions(SHOTS), null);
    const approved = asAda(SHOTS, approval("fresh", "alone"));
    assert.deepEqual(ownDecisions(approved), { ids: ["fresh", "alone"], name: "approval" });
    assert.equal(ownDecisions(asAda(SHOTS, rejection("broken")))?.name, "rejection");
    assert.equal(ownDecisions(asAda(approved, rejection("broken")))?.name, "decisions");
    assert.equal(
      ownDecisions([reviewed("theirs", { state: "approved", approvals: 1, required: 1 }, [bobApproves])]),
      null,
    );
  });
});

describe("the review's queue", () => {
  it("has what needs review, the most frequent change first", () => {
    assert.deepEqual(idsOf(queued(SHOTS)), ["header-1", "header-2", "alone", "fresh", "broken"]);
    assert.deepEqual(
      queueOf(SHOTS, "question").map(({ title, isGroup }) => [title, isGroup]),
      [
        ["Same change 1", true],
        ["Changed, not grouped", false],
        ["New", false],
        ["Failed", false],
      ],
    );
    assert.equal(queued(SHOTS, "all").at(-1)?.id, "same");
  });

  it("names a group by the cause that all its screenshots have", () => {
    const titleOf = (...texts: string[]) => {
      const shots = SHOTS.map(shot => {
        const own = texts[["header-1", "header-2"].indexOf(shot.id)];
        return own === undefined ? shot : { ...shot, explanation: explanationWith(own) };
      });
      return queueOf(shots, "question")[0]?.title;
    };
    assert.equal(
      titleOf("`.card` padding 12px → 16px", "`.card` padding 12px → 16px"),
      ".card padding 12px → 16px",
    );
    assert.equal(titleOf("`.card` padding 12px → 16px", "other"), "Same change 1");
  });

  it("keeps its order after decisions", () => {
    const after = asAda(SHOTS, approval("header-2", "fresh"));
    assert.deepEqual(idsOf(queued(after)), idsOf(queued(SHOTS)));
    assert.equal(queued(after)[1]?.review?.state, "approved");
    // Carried approvals and partial decisions don't change the order.
    const [, ...others] = SHOTS;
    const mixed = [...asAda(others, approval("alone"), 2), carried];
    assert.deepEqual(idsOf(queued(mixed)), ["header-1", "header-2", "alone", "carried", "fresh", "broken"]);
  });

  it("continues with undecided ones, around the end, and past the current decision", () => {
    const queue = queued(SHOTS);
    assert.equal(nextUndecided(queue, "header-1")?.id, "header-2");
    assert.equal(nextUndecided(queue, "header-1", new Set(["header-1", "header-2"]))?.id, "alone");
    // Failed screenshots need no decision.
    assert.equal(nextUndecided(queue, "fresh")?.id, "header-1");
    const all = asAda(queue, approval(...idsOf(queue)), 2);
    assert.equal(nextUndecided(all, "fresh"), null);
  });

  it("steps to the previous and next one, within its ends", () => {
    const queue = queued(SHOTS);
    assert.equal(neighbor(queue, "alone", -1)?.id, "header-2");
    assert.equal(neighbor(queue, "header-1", -1), null);
    assert.equal(neighbor(queue, "broken", 1), null);
    assert.equal(neighbor(queue, "filtered away", 1)?.id, "header-1");
  });

  it("cycles through the widths of a page", () => {
    const [wide, narrow] = [SHOTS[3], SHOTS[4]];
    assert.ok(wide && narrow);
    assert.equal(nextWidth(SHOTS, narrow)?.id, wide.id);
    assert.equal(nextWidth(SHOTS, wide)?.id, narrow.id);
    assert.equal(nextWidth(SHOTS, shot("alone")), null);
    const dark = shot("dark", { route: wide.route, environment: "dark", viewport: 2000 });
    assert.equal(nextWidth([...SHOTS, dark], wide)?.id, narrow.id, "the widths of its environment");
  });

  it("finds screenshots by the names of their state and environment", () => {
    const menu = shot("menu", { state: "menu open", environment: "dark", status: "changed" });
    const found = (text: string) => sectionsMatching(queueOf([...SHOTS, menu], "all"), text);
    for (const text of ["menu op", "(DARK)"])
      assert.deepEqual(idsOf(found(text).flatMap(({ shots }) => shots)), ["menu"]);
  });

  it("groups identical changes, and keeps others apart", () => {
    const sections = queueOf(SHOTS, "question");
    assert.deepEqual(idsOf(groupOf(sections, "header-2")), ["header-1", "header-2"]);
    assert.deepEqual(idsOf(groupOf(sections, "alone")), ["alone"]);
    assert.deepEqual(groupOf(sections, "nobody"), []);
  });

  it("finds routes by any part, without case", () => {
    const found = sectionsMatching(queueOf(SHOTS, "question"), " PAGE ");
    assert.deepEqual(idsOf(found.flatMap(({ shots }) => shots)), ["header-1", "header-2"]);
  });
});

describe("the review's filter", () => {
  const dark = shot("dark", {
    ...{ route: "/page", environment: "dark", viewport: 375 },
    ...{ status: "changed", fingerprint: "header" },
  });
  const all = [...SHOTS, dark];
  const selected = (some: Partial<typeof NO_SELECTION>, shots: readonly Screenshot[] = all) =>
    idsOf(selectedForReview(shots, { ...NO_SELECTION, ...some }));

  it("selects by status, environment and width together", () => {
    assert.deepEqual(selected({}), idsOf(all));
    assert.deepEqual(selected({ environment: "dark" }), ["dark"]);
    assert.deepEqual(selected({ environment: "default", viewport: 375 }), ["header-2"]);
    assert.deepEqual(selected({ standing: "changed", viewport: 375 }), ["header-2", "dark"]);
    assert.deepEqual(selected({ standing: "new", environment: "dark" }), []);
  });

  it("keeps decided screenshots under their status before the decision", () => {
    const after = asAda(all, approval("dark", "fresh"));
    assert.deepEqual(selected({ standing: "new" }, after), ["fresh"]);
    assert.deepEqual(
      selected({ standing: "approved" }, after),
      ["fresh", "dark"],
      "links select decided ones",
    );
    assert.deepEqual(tallyForReview(after), tallyForReview(all));
  });

  it("limits the group that is decided together", () => {
    const sections = queueOf(all, "question");
    assert.deepEqual(idsOf(groupOf(sections, "dark")), ["header-1", "header-2", "dark"]);
    const narrow = sectionsOf(sections, selectedForReview(all, { ...NO_SELECTION, viewport: 375 }));
    assert.deepEqual(idsOf(groupOf(narrow, "dark")), ["header-2", "dark"]);
    assert.deepEqual(groupOf(narrow, "header-1"), [], "outside the filter");
    assert.deepEqual(
      narrow.map(({ title }) => title),
      ["Same change 1"],
    );
  });

  it("is the same on the page of the run, and in URLs", () => {
    const filters = { text: "/PAGE", standing: null, environment: "default", viewport: 375 };
    assert.deepEqual(idsOf(matchingScreenshots(all, filters)), ["header-2"]);
    assert.deepEqual(filtersIn(filterQuery(filters)), filters);
    assert.deepEqual(filterQuery(filtersIn({})), {});
  });
});

describe("minor changes in a review", () => {
  const shots = [...SHOTS, ...MINOR];

  it("are in the queue on request, as one group with the largest first", () => {
    assert.deepEqual(idsOf(queued(shots)), idsOf(queued(SHOTS)));
    const sections = queueOf(shots, "minor");
    assert.deepEqual(
      sections.slice(-1).map(({ title, isGroup, shots }) => [title, isGroup, idsOf(shots)]),
      [["Minor changes", true, ["minor-1", "minor-2", "minor-3"]]],
    );
    assert.deepEqual(idsOf(groupOf(sections, "minor-2")), ["minor-1", "minor-2", "minor-3"]);
    assert.ok(!idsOf(queued(shots, "minor")).includes("same"));
    assert.deepEqual(idsOf(queued(shots, "all")).slice(-2), ["minor-3", "same"]);
  });

  it("are sorted by pixels with a slightly different color if no others changed", () => {
    const [one] = MINOR;
    assert.ok(one);
    const faint = [3, 40, 18].map(pixels => ({
      ...{ ...one, id: `faint-${pixels}`, diffRatio: 0, diffPixels: 0 },
      faintPixels: pixels,
    }));
    assert.deepEqual(idsOf(largestFirst([...faint, one])), [one.id, "faint-40", "faint-18", "faint-3"]);
  });

  it("start with the largest undecided one", () => {
    assert.equal(firstMinor(SHOTS), null);
    assert.equal(firstMinor(shots)?.id, "minor-1");
    assert.equal(firstMinor(asAda(shots, approval("minor-1")))?.id, "minor-2");
    assert.equal(firstMinor(asAda(shots, approval(...idsOf(MINOR))))?.id, "minor-1");
  });

  it("follow one after another, before other undecided ones", () => {
    const queue = queued(shots, "minor");
    assert.equal(nextUndecided(queue, "minor-1")?.id, "minor-2");
    assert.equal(nextUndecided(queue, "minor-3")?.id, "header-1");
    const all = asAda(queue, approval(...idsOf(queue)));
    assert.equal(nextUndecided(all, "minor-3"), null);
  });

  it("need no decision, and can be approved, rejected and undone", () => {
    const [one] = MINOR;
    assert.ok(one);
    assert.deepEqual([isOpen(one), isUndecided(one)], [false, true]);
    const [approved] = asAda([one], approval(one.id));
    const [refused] = asAda([one], rejection(one.id));
    assert.ok(approved && refused);
    assert.deepEqual([approved.review?.state, isUndecided(approved)], ["approved", false]);
    assert.equal(refused.review?.state, "rejected");
    const [again] = decisionsToUndo([one], approval(one.id)).reduce<Screenshot[]>(
      (some, each) => asAda(some, each),
      [approved],
    );
    assert.deepEqual([again?.review, again?.ownDecision], [null, null]);
  });
});

describe("a decision", () => {
  it("has no effect if nothing can be decided", () => {
    const means = (some: Screenshot) =>
      (["approved", "rejected", null] as const).map(verdict => isDecidable(some, verdict));
    const one = { approvals: 1, required: 1 };
    const table: [Screenshot, boolean[]][] = [
      [shot("one"), [false, false, false]],
      [shot("one", { status: "failed" }), [false, true, false]],
      [shot("one", { status: "removed" }), [true, true, false]],
      [carried, [false, true, false]],
      [reviewed("one", { state: "approved", ...one }, [bobApproves]), [true, true, false]],
      [
        reviewed("one", { state: "approved", ...one }, [makeReview("ada", "approved", "10:00")]),
        [false, true, true],
      ],
    ];
    for (const [index, [some, expected]] of table.entries())
      assert.deepEqual(means(some), expected, `row ${index}`);
    assert.deepEqual(asAda(SHOTS, approval("same")), SHOTS);
  });

  it("needs the team's number of approvals, and rejects at once", () => {
    const open = shot("one", { status: "changed" });
    const half = reviewed("one", { state: "pending", approvals: 1, required: 2 }, [bobApproves]);
    const refused = reviewed("one", { state: "rejected", approvals: 0, required: 1 }, [
      makeReview("bob", "rejected", "10:02", { reason: "No" }),
    ]);
    const held: Screenshot = { ...carried, id: "one" };
    const table: [
      Screenshot,
      Decision,
      number,
      state: string,
      approvals: number,
      isOpen: boolean,
      words: string,
    ][] = [
      [open, approval("one"), 1, "approved", 1, false, "/one at 1280 px approved."],
      [open, approval("one"), 2, "pending", 1, false, "You approved /one at 1280 px: 1 of 2 approvals."],
      [half, approval("one"), 2, "approved", 2, false, "/one at 1280 px approved."],
      [half, approval("one"), 3, "pending", 2, false, "You approved /one at 1280 px: 2 of 3 approvals."],
      [half, rejection("one"), 2, "rejected", 1, false, "/one at 1280 px rejected."],
      [
        refused,
        approval("one"),
        1,
        "rejected",
        1,
        false,
        "You approved /one at 1280 px. Another reviewer rejected it.",
      ],
      [held, rejection("one"), 1, "rejected", 0, false, "/carried at 1280 px rejected."],
    ];
    assert.ok(isOpen(open) && isOpen(half));
    for (const [index, [before, decision, required, state, approvals, open, words]] of table.entries()) {
      const [after] = asAda([before], decision, required);
      assert.ok(after && decision.verdict);
      assert.deepEqual(
        [after.review?.state, after.review?.approvals, isOpen(after)],
        [state, approvals, open],
        `row ${index}`,
      );
      assert.equal(outcomeText([after], decision.verdict), words);
    }
    const two = asAda([open, shot("two", { status: "new" })], approval("one", "two"), 2);
    assert.equal(outcomeText(two, "approved"), "You approved 2 screenshots. 2 need approval from others.");
  });

  it("by a user's key counts as that user's", () => {
    const withKey = {
      ...makeReview("ada's laptop", "approved", "10:00"),
      by: { kind: "key", id: "key_1", name: "ada's laptop" } as const,
      countsAs: ADA.id,
    };
    const one = reviewed("one", { state: "pending", approvals: 1, required: 2 }, [withKey]);
    assert.deepEqual([one.ownDecision?.verdict, isOpen(one)], ["approved", false]);
    const [after] = asAda([one], rejection("one"), 2);
    assert.deepEqual(
      after?.reviews.map(({ stands }) => stands),
      [false, true],
    );
    assert.equal(after?.review?.approvals, 0);
  });

  it("is undone to the reader's former decision, whatever others decided", () => {
    const before = [
      shot("a", { status: "changed" }),
      reviewed("b", { state: "rejected", approvals: 0, required: 1 }, [
        makeReview("ada", "rejected", "10:00", { reason: "too red" }),
      ]),
      reviewed("c", { state: "pending", approvals: 1, required: 2 }, [bobApproves]),
      shot("d", { status: "unchanged" }),
    ];
    const decision = approval(...idsOf(before));
    const back = decisionsToUndo(before, decision);
    assert.deepEqual(back, [
      { ids: ["a", "c"], verdict: null, reason: null },
      { ids: ["b"], verdict: "rejected", reason: "too red" },
    ]);
    const after = asAda(before, decision, 2);
    assert.equal(after.filter(isOpen).length, 0);
    const states = (shots: readonly Screenshot[]) =>
      shots.map(({ review, ownDecision }) => [review?.state, review?.approvals, ownDecision]);
    const again = back.reduce<Screenshot[]>((shots, each) => asAda(shots, each, 2), after);
    assert.deepEqual(states(again), states(before));
    // All reviews are kept.
    assert.deepEqual(
      again[2]?.reviews.map(({ verdict, by, stands }) => [verdict, by.name, stands]),
      [
        ["approved", "bob", true],
        ["approved", "ada", false],
        ["dismissed", "ada", false],
      ],
    );
  });

  it("to approve after a rejection as noise is undone to that rejection", () => {
    const said = { verdict: "rejected", ...rejectionFor(null, true) } as const;
    const [noise] = asAda([shot("a", { status: "changed" })], { ids: ["a"], ...said });
    assert(noise);
    assert.deepEqual(noise.ownDecision, { ...said, reason: "This change is noise." });
    assert.deepEqual(decisionsToUndo([noise], approval("a")), [{ ids: ["a"], ...noise.ownDecision }]);
    assert.deepEqual(rejectionFor("too red", false), { reason: "too red" });
    assert.match(describeDecision(noise)?.before ?? "", /^Rejected as noise by ada/);
  });

  it("to reject a carried approval is undone to the approval", () => {
    const [rejected] = asAda([carried], rejection("carried"));
    assert.equal(rejected?.review?.state, "rejected");
    const back = decisionsToUndo([carried], rejection("carried"));
    const [again] = back.reduce<Screenshot[]>(
      (shots, each) => asAda(shots, each),
      rejected ? [rejected] : [],
    );
    assert.deepEqual([again?.review, again?.carried], [carried.review, CARRIED]);
  });
});

describe("the review's keys", () => {
  const press = (key: string, fields = {}) =>
    actionOf({
      ...{ key, code: "", shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false },
      ...fields,
    });

  it("have one action each", () => {
    const keys = REVIEW_KEYS.flatMap(binding => binding.keys);
    assert.equal(new Set(keys).size, keys.length);
  });

  it("ignore caps lock", () => {
    assert.equal(press("a"), "approve");
    assert.equal(press("A"), "approve");
    assert.equal(press("ArrowDown"), "next");
    assert.equal(press("6"), "blink");
  });

  it("differ with Shift, unless Shift types the character", () => {
    assert.equal(press("G", { shiftKey: true }), "reject-group");
    assert.equal(press("A", { shiftKey: true }), null);
    assert.equal(press("ArrowDown", { shiftKey: true }), "pan-down");
    assert.equal(press("?", { shiftKey: true }), "keys");
    assert.equal(press("+", { shiftKey: true }), "zoom-in");
  });

  it("move while they are held, but decide once", () => {
    for (const key of ["ArrowDown", "+", "j", "v", "f", "q"])
      assert.notEqual(press(key, { repeat: true }), null, key);
    for (const key of ["a", "n", "r", "g", "u", "p", "ф"])
      assert.equal(press(key, { code: "KeyA", repeat: true }), null, key);
    assert.equal(press("G", { shiftKey: true, repeat: true }), null);
  });

  it("exist on keyboards of other layouts", () => {
    const table: [key: string, code: string, modifiers: object, act: string | null][] = [
      ["ф", "KeyA", {}, "approve"],
      ["Ф", "KeyA", {}, "approve"],
      ["П", "KeyG", { shiftKey: true }, "reject-group"],
      ["ε", "KeyE", {}, null],
      // If A and Q are swapped, the letter counts.
      ["a", "KeyQ", {}, "approve"],
      ["q", "KeyA", {}, "queue"],
      // Digits that need Shift.
      ["&", "Digit1", {}, "side"],
      ["1", "Digit1", { shiftKey: true }, "side"],
      ["à", "Digit0", {}, "actual"],
      ["!", "Digit1", { shiftKey: true }, null],
      // Characters in other positions.
      ["/", "Digit7", { shiftKey: true }, "find"],
      ["?", "Minus", { shiftKey: true }, "keys"],
      ["/", "KeyQ", { ctrlKey: true, altKey: true }, "find"],
      ["-", "Slash", {}, "zoom-out"],
      ["ö", "Semicolon", {}, null],
    ];
    for (const [key, code, modifiers, act] of table)
      assert.equal(press(key, { code, ...modifiers }), act, `${key} at ${code}`);
  });

  it("exclude keys of the browser and the system", () => {
    for (const modifier of ["ctrlKey", "metaKey", "altKey"])
      assert.equal(press("r", { [modifier]: true }), null);
    assert.equal(press("F5"), null);
  });
});

describe("the order of the queue", () => {
  const routed = (id: string, route: string, diffRatio: number) =>
    shot(id, { status: "changed", route, diffRatio });
  const shots = [
    routed("small", "/shop/cart", 0.01),
    routed("large", "/faq", 0.9),
    routed("middle", "/shop/list?page=2", 0.2),
    shot("new", { status: "new", route: "/about", diffRatio: null }),
  ];
  const titled = (order: "change" | "size" | "route" | "component") =>
    orderSections(queueOf(shots, "question"), order).map(({ title, shots: some }) => [title, ...idsOf(some)]);

  it("starts with the largest change if there is no identical one", () => {
    assert.deepEqual(titled("change"), [
      ["Changed", "large", "middle", "small"],
      ["New", "new"],
    ]);
  });

  it("is by size, by route, or by component", () => {
    assert.deepEqual(titled("size"), [["Largest first", "large", "middle", "small", "new"]]);
    assert.deepEqual(titled("route"), [
      ["/about", "new"],
      ["/faq", "large"],
      ["/shop/cart", "small"],
      ["/shop/list?page=2", "middle"],
    ]);
    assert.deepEqual(titled("component"), [
      ["/about", "new"],
      ["/faq", "large"],
      ["/shop", "middle", "small"],
    ]);
    assert.deepEqual(orderSections([], "size"), []);
  });

  it("takes the component of a story from its name", () => {
    assert.equal(componentOf({ route: "Forms/Button/Primary" }), "Forms/Button");
    assert.equal(componentOf({ route: "Button" }), "Button");
    assert.equal(componentOf({ route: "/" }), "/");
  });
});

describe("the settings of highlighting", () => {
  it("are the valid ones of those stored in the browser", () => {
    const stored = { color: "#00aa00", opacity: 0.4, blinkMs: 350 };
    assert.deepEqual(marksIn(JSON.stringify(stored)), stored);
    const strange = { color: "red; background: url(//x)", opacity: 0, blinkMs: 20, mask: true };
    for (const text of [null, "", "{", "3", "null", JSON.stringify(strange)])
      assert.deepEqual(marksIn(text), {}, String(text));
  });
});

describe("the grid of a run", () => {
  const shape = (columns: number, toggled: string[] = []) =>
    gridRows(SHOTS, columns, new Set(toggled)).map(row =>
      row.kind === "heading" ? `${row.name} ${row.count}` : idsOf(row.cells.map(cell => cell.shot)).join(" "),
    );

  it("folds identical changes into one card, and unchanged ones into their heading", () => {
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

  it("folds minor changes before the unchanged ones, and offers the undecided ones", () => {
    const [first, ...others] = MINOR;
    assert.ok(first);
    const shots = [...SHOTS, ...others, ...asAda([first], approval(first.id))];
    const rows = gridRows(shots, 4, new Set());
    const headings = rows.flatMap(row => (row.kind === "heading" ? [row] : []));
    assert.deepEqual(
      headings.slice(-3).map(({ name, isFolded, open }) => [name, isFolded, idsOf(open)]),
      [
        ["minor", true, ["minor-2", "minor-3"]],
        ["reviewed", true, []],
        ["unchanged", true, []],
      ],
    );
  });

  it("folds no group of a filtered status, until it is folded by hand", () => {
    const folded = (toggled: string[], isNarrowed: boolean) =>
      gridRows(MINOR, 4, new Set(toggled), isNarrowed).map(row => row.kind === "heading" && row.isFolded);
    assert.deepEqual(folded([], false), [true]);
    assert.deepEqual(folded([], true), [false, false]);
    assert.deepEqual(folded(["minor"], true), [false, false], "also where it is unfolded among all");
    assert.deepEqual(folded(["narrowed minor"], true), [true]);
  });

  it("unfolds on request, in as many columns as fit", () => {
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
