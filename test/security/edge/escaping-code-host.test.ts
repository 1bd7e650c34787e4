import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { Browser } from "playwright";
import { summary } from "../../../cli/output/github.ts";
import type { CheckState } from "../../../services/scm/checks/check-state.rule.ts";
import { describeCheck } from "../../../services/scm/checks/describe-check.ts";
import { PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import { MAIN_DATABASE } from "../../support/databases/databases.ts";
import { launchBrowser } from "../../support/drivers/browser/report-browser.ts";
import { CONTROLS_IN_LINES, HOSTILE_NAMES } from "../../support/fixtures/hostile-names.ts";
import {
  changed,
  failed,
  makeCheckedScreenshot,
  makeCheckResult,
  minor,
} from "../../support/fixtures/made-check.ts";
import { makeScreenshot } from "../../support/fixtures/run-views.ts";
import { type Rendered, renderMarkdown } from "../../support/formats/rendered-page.ts";

/** Mentions as the code host finds them in displayed text. */
const MENTION = /(^|[^\w`])@[a-z0-9]/i;
const REFERENCE = /(^|[^\w&])(#\d|GH-\d)/i;

function assertHarmless(rendered: Rendered, text: string): void {
  const foreign = [...rendered.links, ...rendered.pictures].filter(
    url => !url.startsWith("https://vrs.example/"),
  );
  assert.deepEqual(foreign, []);
  assert.deepEqual([...rendered.active, ...rendered.complaints], []);
  assert.doesNotMatch(rendered.prose, MENTION);
  assert.doesNotMatch(rendered.prose, REFERENCE);
  assert.doesNotMatch(rendered.text, CONTROLS_IN_LINES);
  assert.doesNotMatch(text, CONTROLS_IN_LINES);
  for (const rows of rendered.rows) assert.equal(new Set(rows).size, 1, `rows of ${rows} cells`);
  assert.ok(
    rendered.headings.every(heading => !/two|heading/.test(heading)),
    rendered.headings.join(),
  );
}

describe("Hostile names at the code host", () => {
  let browser: Browser;
  let on: PullTestContext;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  describe("in a pull request", function () {
    PullTestContext.of(this, MAIN_DATABASE, started => {
      on = started;
    });

    const shots = HOSTILE_NAMES.flatMap((name, index) => [
      makeScreenshot({
        route: `/${name}`,
        fingerprint: `f${index}`,
        baseline: { runId: "run_before", reason: `latest approved on ${name}`, width: 1, height: 1 },
      }),
      makeScreenshot({ route: `/failed/${name}`, status: "failed", error: name, diffRatio: null }),
      makeScreenshot({ route: `/minor/${name}`, status: "unchanged", minor: true, diffRatio: 0.001 }),
      makeScreenshot({ route: `/same/${name}`, status: "unchanged", diffRatio: 0 }),
    ]);

    it("have no effect in the check run", async () => {
      const check = await on.begin();
      await on.end("changed", shots);
      const { summary: text, title } = check.output;
      assert.doesNotMatch(title, CONTROLS_IN_LINES);
      const rendered = await renderMarkdown(browser, text);
      assertHarmless(rendered, text);
      assert.ok(rendered.text.includes("/<script>alert(1)</script>"), "it can still be read");
      assert.equal(rendered.rows.flat().length, shots.length + 3);
    });

    it("have no effect in the comment", async () => {
      await on.begin();
      await on.end("changed", shots);
      const [comment] = on.repository.comments;
      const rendered = await renderMarkdown(browser, comment?.body ?? "");
      assertHarmless(rendered, comment?.body ?? "");
      assert.ok(rendered.text.includes("/<script>alert(1)</script>"), "it can still be read");
    });
  });

  it("have no effect in refusals, notes, URLs and configuration errors", async () => {
    for (const name of HOSTILE_NAMES) {
      const fault = { line: 1, column: 1, endLine: 1, endColumn: 2, message: name };
      const states: CheckState[] = [
        { kind: "refused", reason: name },
        { kind: "misconfigured", path: `${name}.ts`, faults: [{ ...fault, code: "syntax", field: null }] },
      ];
      for (const state of states) {
        const { output } = describeCheck(
          { note: name, previewUrl: `https://preview.example/?${name}` },
          state,
        );
        assertHarmless(await renderMarkdown(browser, output.summary), output.summary);
        for (const plain of [output.title, ...(output.annotations ?? []).map(({ message }) => message)])
          assert.doesNotMatch(plain, CONTROLS_IN_LINES);
      }
    }
  });

  it("have no effect in the summary of a workflow's job", async () => {
    const text = summary(
      makeCheckResult(
        HOSTILE_NAMES.flatMap(name => [
          makeCheckedScreenshot(`/${name}`, 375, { ...changed(0.1), notes: [name] }),
          makeCheckedScreenshot(`/${name}`, 768, failed(name)),
          makeCheckedScreenshot(`/${name}`, 1280, minor(0.001, 7)),
        ]),
        { browser: HOSTILE_NAMES.join(" ") },
      ),
    );
    const rendered = await renderMarkdown(browser, text);
    assertHarmless(rendered, text);
    assert.ok(rendered.text.includes("/<script>alert(1)</script>"));
    assert.equal(rendered.rows.flat().length, HOSTILE_NAMES.length * 3 + 2);
  });
});
