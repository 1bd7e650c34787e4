import assert from "node:assert/strict";
import type { Explanation } from "../../../shared/contracts/runs/explanation.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { caller, captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { explanationWith } from "../../support/fixtures/explanations.ts";

const PADDING = "`.card` padding 12px → 16px, by `app.css` (changed)";
const PADDING_NAMED = "`.card` padding 12px → 16px, by `web/src/app.scss` (changed since 1a2b3c4)";
/** A commit with the files that it changed. */
const COMMIT = {
  ...{ owner: "acme", repo: "shop", sha: "a".repeat(40), baseSha: "1a2b3c4".padEnd(40, "0") },
  changedFiles: ["README.md", "web/src/app.scss"],
};

/** Returns an explanation by a changed file. */
function explainedByFile(): Explanation {
  const found = explanationWith(PADDING);
  const file = { url: "https://shop.example/app.css", change: "changed" } as const;
  return { ...found, causes: found.causes.map(cause => ({ ...cause, file })) };
}

const textsOf = (causes: readonly { text: string }[]) => causes.map(({ text }) => text);

for (const kind of MAIN_DATABASES) {
  describe(`Explanations of a run, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let jobs: CaptureJob[] = [];

    runsContextOn(kind, started => {
      context = started;
    });

    /** Starts a run whose pages have these pixels, and capsules if named. */
    const start = async (project: string, look: string, capsule?: string, as = caller, more = {}) => {
      jobs = [];
      context.compared.length = 0;
      context.render = async job => {
        jobs.push(job);
        for (const { id, token } of job.screenshots) {
          const own = captured(job.runId, id, `${project} ${look} ${job.url}`, token);
          await enqueueResult(context.queue, {
            ...{ kind: "captured", ...own },
            ...(capsule !== undefined && { capsuleHash: `${capsule} ${new URL(job.url).pathname}` }),
          });
        }
      };
      const body = submitRunBody.parse({
        url: "https://shop.example",
        project,
        routes: ["/", "/cart"],
        ...more,
      });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body }, as);
      return id;
    };
    const compare = async (explanation?: Explanation) => {
      await until(async () => context.compared.length === 2);
      for (const { runId, screenshotId, baselineHash, currentHash, token } of context.compared)
        await enqueueResult(context.queue, {
          ...{ kind: "compared", runId, screenshotId, baselineHash, currentHash, token },
          ...{ diffPixels: 5, diffRatio: 0.05, regions: [], maskHash: null, fingerprint: screenshotId },
          ...(explanation && { explanation }),
        });
    };
    const list = async (runId: string) => {
      const query = { limit: 1000, cursor: undefined, status: undefined, order: undefined };
      return (await context.ask("runs.screenshots", { runId, query })).data;
    };

    it("pair the capsules of a page and its baseline, and are in the views", async () => {
      const first = await start("shop", "old", "old capsule");
      await context.ended(first);
      await context.ask("runs.approve", { runId: first });
      const second = await start("shop", "new", "new capsule");
      await compare(explanationWith(PADDING, "and a \0 character"));
      const run = await context.ended(second);
      const pairs = context.compared.map(({ capsules }) => capsules);
      assert.deepEqual(
        pairs.toSorted((a, b) => (a?.baseline ?? "").localeCompare(b?.baseline ?? "")),
        [
          { baseline: "old capsule /", current: "new capsule /" },
          { baseline: "old capsule /cart", current: "new capsule /cart" },
        ],
      );
      const [screenshot] = await list(second);
      assert.equal(screenshot?.explanation?.causes[0]?.text, PADDING);
      assert.deepEqual(
        run.causes.map(({ text, screenshots }) => [text.slice(0, 7), screenshots]),
        [
          ["`.card`", 2],
          ["and a \ufffd", 2],
        ],
      );
      const { screenshots } = await context.ask("runs.report", { id: second });
      assert.equal(screenshots[0]?.explanation?.causes[0]?.text, PADDING);
    });

    it("name the file that the commit changed", async () => {
      const first = await start("named", "old", "old capsule");
      await context.ended(first);
      await context.ask("runs.approve", { runId: first });
      const second = await start("named", "new", "new capsule", caller, { scm: COMMIT });
      await compare(explainedByFile());
      const { causes } = await context.ended(second);
      assert.deepEqual(textsOf(causes), [PADDING_NAMED]);
    });

    it("name no file of another commit when a comparison is reused", async () => {
      const again = (scm: object) =>
        start("named", "new", "newer capsule", caller, { scm: { ...COMMIT, ...scm }, rerun: true });
      const same = await again({});
      assert.deepEqual(textsOf((await context.ended(same)).causes), [PADDING_NAMED]);
      assert.equal(context.compared.length, 0);
      const later = await again({ baseSha: "9f8e7d6".padEnd(40, "0"), changedFiles: ["other/app.css"] });
      await compare(explainedByFile());
      assert.deepEqual(textsOf((await context.ended(later)).causes), [
        "`.card` padding 12px → 16px, by `other/app.css` (changed since 9f8e7d6)",
      ]);
      // Without the files of its commit.
      const plain = await start("named", "new", "newest capsule");
      await compare(explainedByFile());
      assert.deepEqual(textsOf((await context.ended(plain)).causes), [PADDING]);
    });

    it("name the files of their own commit when a comparison without a commit is reused", async () => {
      const first = await start("named later", "old", "old capsule");
      await context.ended(first);
      await context.ask("runs.approve", { runId: first });
      const second = await start("named later", "new", "new capsule");
      await compare(explainedByFile());
      await context.ended(second);
      const third = await start("named later", "new", "newer capsule", caller, { scm: COMMIT });
      assert.deepEqual(textsOf((await context.ended(third)).causes), [PADDING_NAMED]);
      assert.equal(context.compared.length, 0);
    });

    it("tell changes that were meant from others", async () => {
      const intent = { routes: ["/cart"], selectors: [".card"] };
      const id = await start("shop", "newer", "newer capsule", caller, { intent });
      const submitted = await context.ask("runs.get", { id });
      assert.deepEqual([submitted.intent?.selectors, submitted.intent?.intended], [[".card"], null]);
      await compare(explanationWith(PADDING));
      const run = await context.ended(id);
      assert.deepEqual(run.intent, { ...intent, words: [], intended: 1, unintended: 1 });
      const marks = async (runId: string) =>
        Object.fromEntries((await list(runId)).map(({ route, intended }) => [route, intended]));
      assert.deepEqual(await marks(id), { "/": false, "/cart": true });
      const { screenshots } = await context.ask("runs.report", { id });
      assert.deepEqual(screenshots.map(({ intended }) => intended).toSorted(), [false, true]);
      const without = await start("shop", "newest", "newest capsule");
      await compare(explanationWith(PADDING));
      assert.equal((await context.ended(without)).intent, undefined);
      assert.deepEqual(await marks(without), { "/": undefined, "/cart": undefined });
    });

    it("are reused with the comparison of the same images", async () => {
      const again = await start("shop", "new", "newer capsule");
      const run = await context.ended(again);
      assert.equal(context.compared.length, 0);
      assert.equal(run.causes[0]?.text, PADDING);
    });

    it("ask for a capsule of an unchanged page only if its baseline has none", async () => {
      const first = await start("bare", "old");
      await context.ended(first);
      await context.ask("runs.approve", { runId: first });
      await context.ended(await start("bare", "old", "late capsule"));
      const needs = () =>
        jobs.flatMap(({ screenshots }) => screenshots.map(({ needsCapsule }) => needsCapsule));
      assert.deepEqual(needs(), [true, true]);
      await context.ended(await start("bare", "old"));
      assert.deepEqual(needs(), [undefined, undefined]);
    });

    it("are missing where one of the images has no capsule", async () => {
      const first = await start("half", "old");
      await context.ended(first);
      await context.ask("runs.approve", { runId: first });
      const second = await start("half", "new", "new capsule");
      await compare();
      const run = await context.ended(second);
      assert.deepEqual(
        context.compared.map(({ capsules }) => capsules),
        [undefined, undefined],
      );
      assert.deepEqual([run.causes, (await list(second))[0]?.explanation], [[], null]);
    });

    it("of another team are never shown, also for equal images", async () => {
      const other = { ...caller, teamId: "team_b", actor: { ...caller.actor, id: "key_b" } };
      const first = await start("shop", "old", undefined, other);
      await context.ended(first).catch(() => {});
      await context.ask("runs.approve", { runId: first }, other);
      const second = await start("shop", "new", undefined, other);
      await until(async () => context.completed.includes(second));
      const run = await context.ask("runs.get", { id: second }, other);
      assert.equal(run.conclusion, "changed");
      assert.deepEqual(run.causes, []);
    });
  });
}
