import assert from "node:assert/strict";
import { changesTable } from "../../../cli/output/changes-table.ts";
import { CheckState } from "../../../cli/output/check-state.ts";
import { duration, shareOf } from "../../../cli/output/format.ts";
import { annotations, summary } from "../../../cli/output/github.ts";
import { LiveLines } from "../../../cli/output/live-lines.ts";
import { printOutcome } from "../../../cli/output/outcome.ts";
import { liveView, showProgress } from "../../../cli/output/progress.ts";
import { shortenName } from "../../../cli/output/shorten-name.ts";
import { shorten, widthOf, wrap } from "../../../cli/output/text-width.ts";
import { RecordingTerminal } from "../../support/drivers/cli-terminal.ts";
import { explanationWith } from "../../support/fixtures/explanations.ts";
import { assertGolden } from "../../support/fixtures/files.ts";
import {
  changed,
  failed,
  makeCheckedScreenshot,
  makeCheckResult,
  minor,
} from "../../support/fixtures/made-check.ts";

const ESCAPE = "\u001b";
const HOSTILE = `/a${ESCAPE}[2J\r\u202egnp.exe`;

const SHOTS = [
  makeCheckedScreenshot("/", 375),
  makeCheckedScreenshot("/", 1280, changed(0.12345, 2)),
  makeCheckedScreenshot("/pricing/enterprise/compare/everything", 375, changed(0.0000004)),
  makeCheckedScreenshot("/価格", 1280, { status: "new", diffRatio: null, renamedFrom: "/prices" }),
  makeCheckedScreenshot(
    "/about",
    1280,
    failed("The page did not answer within 30 s. Is the server up, and may this machine reach it?"),
  ),
  makeCheckedScreenshot("/old", 1280, { status: "removed", diffRatio: null }),
];

const plain = (_: unknown, text: string) => text;

describe("the output of a check", () => {
  for (const columns of [80, 40]) {
    it(`fits ${columns} columns`, async () => {
      const terminal = new RecordingTerminal({ columns, cwd: "/project" });
      printOutcome(terminal, makeCheckResult(SHOTS, { report: "/project/.service/check/report.html" }), {
        quiet: false,
      });
      for (const line of terminal.printed.split("\n").filter(each => !/^ {2}Report/.test(each)))
        assert.ok(widthOf(line) <= columns, line);
      assert.equal(terminal.errors, "");
      await assertGolden(`outcome-${columns}.txt`, terminal.printed);
    });
  }

  it("is one line without changes, and empty with --quiet", () => {
    const result = makeCheckResult([makeCheckedScreenshot("/", 375), makeCheckedScreenshot("/", 1280)]);
    const terminal = new RecordingTerminal();
    printOutcome(terminal, result, { quiet: true });
    assert.equal(terminal.printed, "");
    printOutcome(terminal, result, { quiet: false });
    assert.equal(terminal.printed, "✓ 2 screenshots unchanged in 3.2 s\n");
  });

  it("names the largest minor changes and the command to approve them", async () => {
    const many = Array.from({ length: 6 }, (_, n) =>
      makeCheckedScreenshot(`/blog/${n}`, 375, minor(0.001 * n, 80 * n)),
    );
    const result = makeCheckResult([
      makeCheckedScreenshot("/", 375),
      ...many,
      makeCheckedScreenshot("/tiny", 1280, minor(1e-9, 1)),
    ]);
    const terminal = new RecordingTerminal();
    printOutcome(terminal, result, { quiet: false });
    await assertGolden("outcome-minor.txt", terminal.printed);
    const quiet = new RecordingTerminal();
    printOutcome(quiet, result, { quiet: true });
    assert.equal(quiet.printed, "");
  });

  it("names slightly different colors and what causes them", () => {
    const faint = (route: string) =>
      makeCheckedScreenshot(route, 375, {
        ...minor(0, 0),
        faintPixels: 6957,
        explanation: explanationWith("`.btn` color #2563eb → #1d4ed8, by `site.css` (changed)"),
      });
    const terminal = new RecordingTerminal({ columns: 100 });
    printOutcome(terminal, makeCheckResult([faint("/"), faint("/b")]), { quiet: false });
    assert.match(
      terminal.printed,
      /within the threshold\n {4}\/ {3}375 {2}6,957 pixels, slightly different color\n.*\n {2}\.btn color #2563eb → #1d4ed8, by site\.css \(changed\): 2 screenshots\n/,
    );
  });

  it("counts minor changes beside other changes", () => {
    const near = makeCheckedScreenshot("/b", 1280, minor(0.004, 7));
    const result = makeCheckResult([
      makeCheckedScreenshot("/", 1280, changed(0.1)),
      near,
      makeCheckedScreenshot("/c", 1280),
    ]);
    const words = "1 changed, 1 minor change, 1 unchanged";
    const terminal = new RecordingTerminal({ columns: 200 });
    printOutcome(terminal, result, { quiet: false });
    assert.match(terminal.printed, new RegExp(`^± ${words} in`, "m"));
    assert.match(
      terminal.printed,
      /^≈ 1 minor change, within the threshold\n {4}\/b {2}1280 {2}0\.4%, 7 pixels$/m,
    );
    assert.match(summary(result), new RegExp(`^${words} in`, "m"));
    assert.match(summary(result), /^<details><summary>1 minor change<\/summary>$/m);
    assert.match(summary(result), /^\| \/b \| 1280 \| 0&#46;4&#37;, 7 pixels \|$/m);
    assert.deepEqual(annotations(result).slice(-1), [
      "::notice title=1 minor change::/b at 1280 px: 0.4%25, 7 pixels",
    ]);
  });

  it("mentions minor changes in the job's summary", () => {
    const result = makeCheckResult([
      makeCheckedScreenshot("/", 375),
      makeCheckedScreenshot("/", 1280, minor(0.001, 9)),
    ]);
    assert.match(summary(result), /^### ✅ 1 screenshot unchanged, 1 with a minor change$/m);
    assert.match(summary(makeCheckResult([makeCheckedScreenshot("/", 375)])), /^### ✅ Nothing changed$/m);
  });

  it("names the changed pages with --quiet, without the next step", () => {
    const terminal = new RecordingTerminal();
    const shots = [
      makeCheckedScreenshot("/", 375),
      makeCheckedScreenshot("/pricing", 1280, changed(0.12345, 2)),
    ];
    printOutcome(terminal, makeCheckResult(shots, { report: "/report.html" }), { quiet: true });
    assert.deepEqual(terminal.printed.trim().split(/\n+/), [
      "route     width  status      diff  regions",
      "  /pricing   1280  ± changed  12.3%        2",
      "± 1 changed, 1 unchanged in 3.2 s",
    ]);
  });

  it("folds only differences from another browser's baselines", () => {
    const shots = Array.from({ length: 6 }, (_, n) =>
      makeCheckedScreenshot(`/${n}`, 1, { ...changed(0.1), otherBrowser: true }),
    );
    const print = (...all: typeof shots) => {
      const terminal = new RecordingTerminal();
      printOutcome(terminal, makeCheckResult([...all, makeCheckedScreenshot("/mine", 1, changed(0.1))]), {
        quiet: false,
      });
      return terminal.printed;
    };
    const printed = print(...shots);
    assert.match(printed, /6 screenshots differ from baselines of another browser/);
    assert.ok(!printed.includes("/3") && printed.includes("/mine"), printed);
    assert.match(print(...shots.slice(1)), /\/3/);
  });

  it("counts all changes", () => {
    const same = { ...changed(0.1), fingerprint: "a" };
    const terminal = new RecordingTerminal();
    printOutcome(
      terminal,
      makeCheckResult([makeCheckedScreenshot("/", 1, same), makeCheckedScreenshot("/b", 1, same)]),
      { quiet: true },
    );
    assert.match(terminal.printed, /^± 2 changed, 1 different change in/m);
  });

  it("passes no control characters of a page to the terminal", () => {
    const table = changesTable(
      [{ ...makeCheckedScreenshot(HOSTILE, 375, changed(0.5)), note: `${ESCAPE}]0;title\u0007` }],
      { columns: 80, paint: plain },
    ).join("\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    assert.doesNotMatch(table, /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.match(table, /gnp\.exe/);
  });

  it("shortens the route before the state and the environment, and never hides the width", () => {
    const LONG = "x".repeat(80);
    const route = `/shop/${"very-long/".repeat(8)}checkout`;
    const page = { route, state: "menu open", environment: "dark" };
    assert.equal(shortenName(page, 40), "/shop/very…g/checkout › menu open (dark)");
    assert.equal(shortenName({ ...page, route: "/" }, 40), "/ › menu open (dark)");
    // The shortest route is one ellipsis.
    assert.equal(shortenName(page, 20), "… › menu open (dark)");
    const both = { route, state: LONG, environment: LONG };
    assert.match(shortenName(both, 40), /^\/s…ut › x+…x+\)$/);
    const long = makeCheckedScreenshot(route, 1280, { ...changed(0.5), state: LONG, environment: LONG });
    const table = (columns: number) => changesTable([{ ...long, note: null }], { columns, paint: plain });
    for (const columns of [40, 80, 120])
      for (const line of table(columns).slice(1)) {
        assert.ok(widthOf(line) <= columns, line);
        assert.match(line, / 1280 {2}± changed/);
      }
  });

  it("is limited to the rows of a window", () => {
    const shots = Array.from({ length: 200 }, (_, index) => ({
      ...makeCheckedScreenshot(`/${index}`, 375, changed(0.5)),
      note: null,
    }));
    const table = changesTable(shots, { columns: 80, paint: plain });
    assert.equal(table.length, 62);
    assert.equal(table.at(-1), "  and 140 more");
  });
});

const pageOf = (route: string, viewport: number) => ({ route, state: null, environment: null, viewport });

describe("progress on a terminal", () => {
  const state = (routes: string[]) => {
    const made = new CheckState();
    made.note(
      {
        type: "planned",
        shots: routes.flatMap(route => [375, 768].map(viewport => pageOf(route, viewport))),
      },
      0,
    );
    for (const route of routes.slice(0, 12)) made.note({ type: "started", route }, 1_000);
    return made;
  };
  const view = (of: CheckState, columns: number, now = 5_000) =>
    liveView(of, { now, frame: 0, columns, paint: plain });

  it("has a line for each route in progress, with counts and the time left", () => {
    const made = state(["/", "/pricing", "/about"]);
    made.note({ type: "done", shot: makeCheckedScreenshot("/", 375) }, 2_000);
    made.note({ type: "done", shot: makeCheckedScreenshot("/", 768, changed(0.1)) }, 3_000);
    made.note({ type: "done", shot: makeCheckedScreenshot("/about", 375) }, 4_000);
    assert.deepEqual(view(made, 60), [
      "⠋ /pricing  0 of 2  4 s",
      "⠋ /about    1 of 2  4 s",
      "  3 of 6 · 1 changed, 2 unchanged · about 5 s left",
    ]);
  });

  it("never fills a line at any width", () => {
    const routes = [
      `/${"long/".repeat(40)}`,
      `/${"漢字".repeat(40)}`,
      HOSTILE,
      ...Array.from({ length: 20 }, (_, i) => `/${i}`),
    ];
    const made = state(routes);
    for (const columns of [20, 40, 80]) {
      const lines = view(made, columns);
      assert.equal(lines.length, 10);
      for (const line of lines) assert.ok(widthOf(line) < columns, `${columns}: ${line}`);
    }
  });

  it("counts each page once, and no removed pages", () => {
    const made = state(["/"]);
    for (const shot of [
      makeCheckedScreenshot("/old", 375, { status: "removed" }),
      makeCheckedScreenshot("/", 375),
      makeCheckedScreenshot("/", 375),
    ])
      made.note({ type: "done", shot }, 1_000);
    assert.match(made.line(1_000), /^1 of 2 /);
  });

  it("moves up over wrapped lines in a narrower window", () => {
    const terminal = new RecordingTerminal({ columns: 80 });
    const lines = new LiveLines(terminal);
    lines.show(["x".repeat(60), "y"]);
    terminal.errors = "";
    terminal.columns = 40;
    lines.show(["z"]);
    assert.equal(terminal.errors, `\r${ESCAPE}[3A${ESCAPE}[0Jz\n`);
  });

  it("keeps the message of an interrupt", () => {
    const stopping = new AbortController();
    const terminal = new RecordingTerminal({ signal: stopping.signal });
    const lines = new LiveLines(terminal);
    lines.show(["x", "y"]);
    stopping.abort();
    terminal.errors = "";
    lines.show(["z"]);
    assert.equal(terminal.errors, `\r${ESCAPE}[0Jz\n`);
  });

  it("leaves a clean window", () => {
    const terminal = new RecordingTerminal({ isInteractive: true });
    const progress = showProgress(terminal, { quiet: false, verbose: true });
    progress.onEvent({ type: "planned", shots: [pageOf("/", 375)] });
    progress.onEvent({ type: "warning", message: "The baselines are another browser's." });
    progress.onEvent({ type: "done", shot: makeCheckedScreenshot("/", 375) });
    progress.end();
    const [saved = ""] = terminal.errors.split(`${ESCAPE}[0J`).slice(-1);
    assert.match(terminal.errors, /Warning: The baselines are another browser's\.\n/);
    assert.match(saved, /^ {2}unchanged {2}\/ 375 {2}320|^ {2}unchanged|^$/);
  });
});

describe("progress in a log", () => {
  it("has the plan and warnings, and with --verbose each screenshot", () => {
    const events = [
      { type: "planned", shots: [pageOf("/", 375)] },
      { type: "warning", message: "Careful." },
      { type: "done", shot: makeCheckedScreenshot("/", 375, changed(0.25)) },
    ] as const;
    const say = (options: { quiet: boolean; verbose: boolean }) => {
      const terminal = new RecordingTerminal();
      const progress = showProgress(terminal, options);
      for (const event of events)
        progress.onEvent(event.type === "planned" ? { ...event, shots: [...event.shots] } : event);
      progress.end();
      return terminal.errors;
    };
    assert.equal(say({ quiet: false, verbose: false }), "1 screenshot of 1 route\nWarning: Careful.\n");
    assert.equal(say({ quiet: true, verbose: false }), "Warning: Careful.\n");
    assert.match(say({ quiet: false, verbose: true }), /^ {2}changed {4}\/ 375 {2}25% · 0\.3 s$/m);
  });

  it("describes slightly different colors, whose share is 0%", () => {
    const terminal = new RecordingTerminal();
    const progress = showProgress(terminal, { quiet: false, verbose: true });
    const faint = {
      status: "unchanged",
      minor: true,
      diffRatio: 0,
      diffPixels: 0,
      faintPixels: 1_200,
    } as const;
    progress.onEvent({ type: "done", shot: makeCheckedScreenshot("/", 375, faint) });
    progress.end();
    assert.match(terminal.errors, /minor {6}\/ 375 {2}1,200 pixels, slightly different color/);
  });
});

describe("the output for the code host", () => {
  it("escapes the ends and starts of commands", () => {
    const shot = makeCheckedScreenshot("/a,b:c%d", 375, failed("one\n::error::two\r%"));
    assert.deepEqual(annotations(makeCheckResult([shot])), [
      "::error title=/a%2Cb%3Ac%25d at 375 px couldn't be checked::one%0A::error::two%0A%25",
    ]);
  });

  it("has at most ten errors and ten warnings", () => {
    const shots = Array.from({ length: 30 }, (_, index) =>
      makeCheckedScreenshot(`/${index}`, 375, { ...changed(0.1), stable: false, moving: ["<img>"] }),
    );
    const lines = annotations(makeCheckResult(shots));
    assert.equal(lines.length, 20);
    assert.match(lines[9] ?? "", /^::error title=21 more::/);
    assert.match(lines[19] ?? "", /^::warning title=21 more::/);
  });

  it("lists the files that a page failed to load in the summary", () => {
    const notes = ["It did not get /app.css (503)."];
    const text = summary(
      makeCheckResult(
        [changed(0.1), failed("Nobody answers.")].map(more =>
          makeCheckedScreenshot("/a", 375, { ...more, notes }),
        ),
      ),
    );
    const last = text
      .split("\n")
      .flatMap(line => (line.startsWith("| /a") ? [line.split(" | ").at(-1)] : []));
    const note = "It did not get /app&#46;css &#40;503&#41;&#46; |";
    assert.deepEqual(last, [note, `Nobody answers&#46; ${note}`]);
  });

  it("stays below the summary's limit, without markup from pages", () => {
    const bad = "/<img src=x>|`*[a](b)";
    const shots = Array.from({ length: 2_000 }, () =>
      makeCheckedScreenshot(bad + "x".repeat(2_000), 375, failed("y".repeat(9_999))),
    );
    const text = summary(makeCheckResult(shots));
    assert.ok(text.length < 512 * 1024, `${text.length}`);
    assert.match(text, /The report shows 1,800 more\./);
    for (const row of text.split("\n").filter(line => line.startsWith("| &#") || line.startsWith("| /")))
      assert.equal(row.split("|").length, 7, row.slice(0, 80));
    assert.doesNotMatch(text, /<img/);
  });
});

describe("formats", () => {
  it("never round a change to zero", () => {
    assert.deepEqual([0.0000004, 0, 0.99999, 1, null].map(shareOf), ["<0.01%", "0%", "99.9%", "100%", ""]);
  });

  it("show durations in natural units", () => {
    assert.deepEqual([320, 9_960, 59_600, 61_000, 3_700_000].map(duration), [
      "0.3 s",
      "10.0 s",
      "1 min 0 s",
      "1 min 1 s",
      "1 h 1 min",
    ]);
  });

  it("cut and wrap texts by terminal cells, never within a character", () => {
    assert.equal(shorten("/漢字漢字/page", 9), "/漢…page");
    assert.equal(widthOf(shorten("👩‍👩‍👧‍👦".repeat(9), 6)) <= 6, true);
    assert.deepEqual(wrap("one two three", 7), ["one two", "three"]);
    assert.deepEqual(wrap("one two\u00a0three", 7), ["one", "two\u00a0thr", "ee"]);
    assert.deepEqual(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
  });
});
