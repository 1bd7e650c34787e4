import assert from "node:assert/strict";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { StoryList } from "../../../shared/contracts/runs/stories.ts";
import { type SubmitRunInput, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { listScreenshots } from "../../../shared/storybook/list-screenshots.rule.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { DATABASES } from "../../support/databases/databases.ts";

const QUERY = { limit: 100, cursor: undefined, status: undefined, order: undefined };
const NAMES = ["alert", "button", "card", "dialog"];
const ALL = NAMES.map(name => `${name}--plain`);

for (const kind of DATABASES) {
  describe(`Stories that nothing behind has changed, on ${kind.name}`, () => {
    let context: RunsTestContext;
    /** Stories that renderers have captured, in the current run. */
    let rendered: string[] = [];
    /** The browser of the renderers. */
    let rendering = "r1";
    /** Hashes of scripts by their stories. */
    let hashes: Record<string, string> = {};
    /** What stories show, if not the hash of their script. */
    let pixels: Record<string, string> = {};
    /** Stories that load something outside of the archive. */
    let outside: string[] = [];

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      rendering = "r1";
      hashes = Object.fromEntries(NAMES.map(name => [name, "one"]));
      pixels = {};
      outside = [];
      context.compare = async job => {
        const { runId, screenshotId, baselineHash, currentHash, token } = job;
        await enqueueResult(context.queue, {
          ...{ kind: "compared", runId, screenshotId, baselineHash, currentHash, token },
          ...{ diffPixels: 9, diffRatio: 0.5, regions: [], maskHash: null, fingerprint: currentHash },
        });
      };
      context.render = async job => {
        const { listing, story, runId } = job;
        if (listing) return await list(job, listing.token);
        for (const { id, token } of job.screenshots) {
          const name = story?.title ?? "";
          rendered.push(story?.id ?? "");
          const loaded = ["iframe.html", `assets/${name}-aBcdefgh.js`];
          await enqueueResult(context.queue, {
            ...{ kind: "captured", ...captured(runId, id, pixels[name] ?? `${name} ${hashes[name]}`, token) },
            rendering,
            ...(story?.inputs && !outside.includes(name) && { loaded }),
          });
        }
      };
    });

    async function list({ runId }: CaptureJob, token: string): Promise<void> {
      const indexed = NAMES.map(name => {
        const story = { id: `${name}--plain`, title: name, name: "Plain" };
        return { ...story, importPath: `./${name}.stories.js`, tags: [] };
      });
      const found: StoryList = listScreenshots(
        { indexed, stories: {}, errors: [] },
        { tags: [], viewports: [800] },
      );
      const files = Object.entries(hashes).map(([name, hash]) => [
        `assets/${name}-aBcdefgh.js`,
        [`assets/${name}-#.js`, hash],
      ]);
      found.build = {
        rendering,
        files: { "iframe.html": ["iframe.html", "page"], ...Object.fromEntries(files) },
      };
      const outcome = { hash: await context.store(JSON.stringify(found)) };
      await enqueueResult(context.queue, { kind: "listed", runId, screenshotId: "", outcome, token });
    }

    async function check(
      project: string,
      more: Partial<SubmitRunInput> = {},
      storybook: NonNullable<SubmitRunInput["storybook"]> = { onlyChanged: true },
    ) {
      rendered = [];
      const archive = await context.storeArchive(
        project,
        Object.values(hashes).map((hash, at) => `${at} ${hash}`),
      );
      const body = submitRunBody.parse({ archive, project, storybook, threshold: 0, ...more });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      const run = await context.ended(id);
      const { data } = await context.ask("runs.screenshots", { runId: id, query: QUERY });
      return { id, run, data, messages: run.warnings.map(({ message }) => message).join("\n") };
    }

    /** Checks all stories and makes them the baselines. */
    async function approve(project: string, storybook?: NonNullable<SubmitRunInput["storybook"]>) {
      const first = await check(project, {}, storybook);
      await context.ask("runs.approve", { runId: first.id });
      return first;
    }

    it("are skipped and keep their baselines, except for an audit", async () => {
      const first = await approve("kept");
      assert.deepEqual(rendered.toSorted(), ALL);
      assert.match(first.messages, /Skipped no story: nothing is known yet/);
      const second = await check("kept");
      assert.deepEqual(second.run.stories, { total: 4, skipped: 3, audited: 1, by: "files", missed: [] });
      assert.match(second.messages, /^Skipped 3 of 4 screenshots of stories.*1 other like them was captured/);
      assert.equal(second.run.conclusion, "passed");
      assert.deepEqual(
        second.data.map(({ route, status }) => [route, status]),
        rendered.map(id => [id, "unchanged"]),
      );
      assert.equal(rendered.length, 1);
      // The skipped ones are still compared with their baselines.
      const whole = await check("kept", {}, true);
      assert.equal(whole.run.counts.unchanged, 4);
      assert.equal(whole.run.stories, undefined);
    });

    it("are captured if their own files have changed, and then skipped with the new ones", async () => {
      await approve("files");
      hashes = { ...hashes, card: "two" };
      const second = await check("files");
      assert.deepEqual(
        second.data.filter(({ status }) => status !== "unchanged").map(({ route }) => route),
        ["card--plain"],
      );
      assert.deepEqual(second.run.stories, { total: 4, skipped: 2, audited: 1, by: "files", missed: [] });
      await context.ask("runs.approve", { runId: second.id });
      assert.equal((await check("files")).run.stories?.skipped, 3);
      // Their baselines are those of the new files now.
      hashes = { ...hashes, card: "one" };
      assert.ok((await check("files")).data.some(({ route }) => route === "card--plain"));
    });

    it("are skipped by their sources, although the bundler wrote other files", async () => {
      const sources = Object.fromEntries(NAMES.map(name => [`./${name}.stories.js`, "0123456789abcdef"]));
      await approve("sources", { onlyChanged: true, sources });
      hashes = Object.fromEntries(NAMES.map(name => [name, "two"]));
      pixels = Object.fromEntries(NAMES.map(name => [name, `${name} one`]));
      const changed = { ...sources, "./button.stories.js": "fedcba9876543210" };
      const { run, messages } = await check("sources", {}, { onlyChanged: true, sources: changed });
      assert.deepEqual(run.stories, { total: 4, skipped: 2, audited: 1, by: "sources", missed: [] });
      assert.match(messages, /Their sources, or the files that they load, are the same/);
      assert.ok(rendered.includes("button--plain"));
    });

    it("are all captured with other settings, with another browser, and if their files aren't known", async () => {
      outside = ["alert"];
      await approve("settings");
      const again = await check("settings");
      assert.ok(rendered.includes("alert--plain"));
      assert.equal(again.run.stories?.skipped, 2);
      const masked = await check("settings", { options: { masks: [".clock"] } });
      assert.equal(masked.run.stories?.skipped, 0);
      assert.match(masked.messages, /Skipped no story: the files or settings/);
      rendering = "r2";
      await check("settings");
      assert.equal(rendered.length, 4);
    });

    it("fail the audit loudly if they changed, and are all captured in the next run", async () => {
      await approve("missed");
      pixels = Object.fromEntries(NAMES.map(name => [name, `${name} with other data`]));
      const { run, data, messages } = await check("missed");
      const [audited] = data;
      assert.equal(data.length, 1);
      assert.deepEqual(run.stories?.missed, [`${audited?.story?.title}/Plain`]);
      assert.match(messages, /The audit found changes in stories whose files are the same.*\/Plain/);
      assert.equal(run.conclusion, "changed");
      const next = await check("missed");
      assert.equal(next.run.stories?.skipped, 0);
      assert.equal(rendered.length, 4);
    });

    it("need an archive", () => {
      const parsed = submitRunBody.safeParse({
        ...{ url: "https://stories.example", project: "a", storybook: { onlyChanged: true } },
      });
      assert.match(
        JSON.stringify(parsed.error?.issues),
        /"onlyChanged"\].*requires `archive`|requires `archive`/,
      );
    });
  });
}
