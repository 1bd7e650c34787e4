import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { Browser } from "playwright";
import { SaxesParser } from "saxes";
import { describeApproval } from "../../../cli/baselines/approve-with-options.ts";
import type { CheckEvent } from "../../../cli/check/check-result.ts";
import { printRun } from "../../../cli/cloud/print-run.ts";
import { findingLines } from "../../../cli/doctor/print-findings.ts";
import { entryLines, historyLines } from "../../../cli/monitor/format-run.ts";
import type { HistoryEntry, HistoryShot } from "../../../cli/monitor/history-entry.ts";
import { annotations } from "../../../cli/output/github.ts";
import { junit } from "../../../cli/output/junit.ts";
import { printOutcome } from "../../../cli/output/outcome.ts";
import { showProgress } from "../../../cli/output/progress.ts";
import { printFailure } from "../../../cli/print-failure.ts";
import { CommandError, painter } from "../../../cli/terminal.ts";
import { launchBrowser } from "../../support/drivers/browser/report-browser.ts";
import { RecordingTerminal } from "../../support/drivers/cli-terminal.ts";
import { CONTROLS, CONTROLS_IN_LINES, HOSTILE_NAMES } from "../../support/fixtures/hostile-names.ts";
import {
  changed,
  failed,
  makeCheckedScreenshot,
  makeCheckResult,
  minor,
} from "../../support/fixtures/made-check.ts";
import { makeRun, makeScreenshot } from "../../support/fixtures/run-views.ts";

const SHOTS = HOSTILE_NAMES.flatMap(name => [
  makeCheckedScreenshot(`/${name}`, 375, { ...changed(0.1), notes: [name], renamedFrom: name }),
  makeCheckedScreenshot(`/${name}`, 768, failed(name)),
  makeCheckedScreenshot(`/${name}`, 1280, minor(0.001, 7)),
  makeCheckedScreenshot(`/${name}`, 1440, { stable: false, moving: [name] }),
  makeCheckedScreenshot(`/${name}`, 1920, {
    ...changed(0.2),
    files: { current: `/tmp/${name}`, baseline: null, diff: null },
  }),
]);
const RESULT = makeCheckResult(SHOTS, {
  baseUrl: HOSTILE_NAMES.join(" "),
  browser: HOSTILE_NAMES.join(" "),
  platform: HOSTILE_NAMES.join(" "),
  warnings: [...HOSTILE_NAMES],
});
const SAID = { quiet: false, verbose: true, json: false } as const;

/** Checks that a terminal without colors gets only line breaks as control characters. */
function assertPlain({ printed, errors }: RecordingTerminal): void {
  assert.ok(printed + errors);
  assert.doesNotMatch(printed + errors, CONTROLS_IN_LINES);
}

describe("Hostile names in the command-line tool", () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  it("have no effect on a terminal in the output of a check", () => {
    const events: CheckEvent[] = [
      { type: "planned", shots: SHOTS },
      ...HOSTILE_NAMES.map(message => ({ type: "warning" as const, message })),
      ...SHOTS.flatMap(shot => [
        { type: "started" as const, route: shot.route },
        { type: "done" as const, shot },
      ]),
    ];
    const terminal = new RecordingTerminal();
    const progress = showProgress(terminal, SAID);
    for (const event of events) progress.onEvent(event);
    progress.end();
    printOutcome(terminal, RESULT, SAID);
    assertPlain(terminal);
  });

  it("have no effect on a terminal with live lines", () => {
    const terminal = new RecordingTerminal({ isInteractive: true });
    const progress = showProgress(terminal, SAID);
    progress.onEvent({ type: "planned", shots: SHOTS });
    for (const { route } of SHOTS) progress.onEvent({ type: "started", route });
    for (const shot of SHOTS) progress.onEvent({ type: "done", shot });
    for (const message of HOSTILE_NAMES) progress.onEvent({ type: "warning", message });
    progress.end();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    const others = terminal.errors.replaceAll(/\r(\u001b\[\d+A)?\u001b\[0J/g, "");
    assert.notEqual(others, terminal.errors);
    assert.doesNotMatch(others, CONTROLS_IN_LINES);
  });

  it("have no effect on a terminal in the output of services, monitors, examinations and errors", () => {
    for (const name of HOSTILE_NAMES) {
      const terminal = new RecordingTerminal();
      const shots = [
        makeScreenshot({ route: `/${name}`, notes: [name] }),
        makeScreenshot({ route: `/${name}`, status: "failed", error: name, diffRatio: null }),
        makeScreenshot({ route: `/${name}`, status: "unchanged", minor: true, diffRatio: 0.001 }),
      ];
      for (const status of ["failed", "completed"] as const) {
        const run = makeRun({ id: "run_1", status, error: name, conclusion: "changed" });
        printRun(
          terminal,
          { run: { ...run, links: { self: name, report: name } }, screenshots: shots },
          SAID,
        );
      }
      const entry = entryOf(name);
      const paint = painter(terminal);
      const place = { historyDir: "/tmp/history", cwd: "/tmp" };
      const lines = [
        ...entryLines(entry, paint, place),
        ...historyLines({ entries: [entry], unreadable: 1 }, paint),
        ...findingLines(terminal, { name: "Service", state: "fault", said: name, fix: name }),
      ];
      terminal.out(`${lines.join("\n")}\n`);
      const options = { terminal, json: false, verbose: true, called: "vrs check" };
      printFailure(new CommandError("c", name, new Error(name)), options);
      printFailure(new Error(name), options);
      assertPlain(terminal);
    }
  });

  it("have no effect on a terminal in the output of an approval", () => {
    for (const name of HOSTILE_NAMES) {
      const terminal = new RecordingTerminal();
      const page = { state: name, environment: null, viewport: 375 };
      const about = { ...page, file: `/tmp/${name}` };
      const approved = [
        { did: "added" as const, route: `/${name}`, from: null, ...about },
        { did: "renamed" as const, route: `/${name}`, from: `/${name} before`, ...about },
      ];
      const failed = [{ ...page, route: `/${name}` }];
      terminal.out(describeApproval({ approved, failed, dryRun: false }));
      assertPlain(terminal);
    }
  });

  it("have no effect in a JUnit file, which strict parsers accept", async () => {
    const xml = junit(RESULT);
    const seen = { testcase: 0, failure: 0, error: 0, "system-out": 0, other: 0 };
    const names: string[] = [];
    const parser = new SaxesParser();
    parser.on("error", error => {
      throw error;
    });
    parser.on("opentag", ({ name, attributes }) => {
      if (name === "testcase") names.push(String(attributes.classname));
      if (name in seen)
        seen[name === "testcase" || name === "failure" || name === "error" ? name : "system-out"] += 1;
    });
    parser.on("cdata", () => assert.fail("there is no such section in ours"));
    parser.write(xml).close();
    assert.deepEqual(seen, {
      testcase: SHOTS.length,
      failure: HOSTILE_NAMES.length * 2,
      error: HOSTILE_NAMES.length,
      "system-out": HOSTILE_NAMES.length,
      other: 0,
    });
    assert.ok(
      names.some(name => name.includes('<testcase name="forged"/>')),
      "it can still be read",
    );
    assert.doesNotMatch(xml, CONTROLS_IN_LINES);
    const page = await browser.newPage();
    const text = await page.evaluate(source => {
      const document = new DOMParser().parseFromString(source, "application/xml");
      const faults = document.getElementsByTagName("parsererror").length;
      return faults > 0 ? "malformed" : document.documentElement.textContent;
    }, xml);
    await page.close();
    assert.doesNotMatch(text ?? "malformed", /malformed/);
    assert.doesNotMatch(text ?? "", CONTROLS_IN_LINES);
  });

  it("start no workflow command", () => {
    for (const name of HOSTILE_NAMES) {
      const shots = [
        makeCheckedScreenshot(`/${name}`, 375, failed(name)),
        makeCheckedScreenshot(`/${name}`, 1280, minor(0.001, 7)),
        makeCheckedScreenshot(`/${name}`, 1440, { stable: false, moving: [name] }),
      ];
      const lines = annotations(makeCheckResult(shots, { warnings: [name] }));
      assert.equal(lines.length, 4);
      for (const line of lines) {
        assert.match(line, /^::(error|warning|notice) title=[^:,]*::/);
        assert.doesNotMatch(line, CONTROLS);
        // As the runner reads them.
        assert.doesNotMatch(
          decodeURIComponent(line.replaceAll(/%(?!0A|25|3A|2C)/g, "%25")),
          CONTROLS_IN_LINES,
        );
      }
    }
  });
});

/** Returns a page's result with this name everywhere. */
function entryOf(name: string): HistoryEntry {
  const shot = (state: "failed" | "changed", viewport: number): HistoryShot => ({
    stateName: null,
    environment: null,
    viewport,
    state,
    error: state === "failed" ? name : null,
    notes: [name],
    looks: 2,
    diffRatio: 0.1,
    diffPixels: 10,
    hash: null,
    stable: true,
    browser: name,
    images: { baseline: null, current: "images/a.png", diff: "images/b.png" },
  });
  return {
    version: 1,
    url: `https://shop.example/${name}`,
    at: "2026-05-04T03:02:01.000Z",
    durationMs: 1_000,
    outcome: "changed",
    threshold: 0.01,
    shots: [shot("failed", 375), shot("changed", 768)],
  };
}
