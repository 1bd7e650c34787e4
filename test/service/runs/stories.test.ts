import assert from "node:assert/strict";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { StoryList } from "../../../shared/contracts/runs/stories.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { listScreenshots } from "../../../shared/storybook/list-screenshots.rule.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const URL_OF_STORYBOOK = "https://stories.example/library";
const QUERY = { limit: 100, cursor: undefined, status: undefined, order: undefined };

for (const kind of MAIN_DATABASES) {
  describe(`Stories as the pages of a run, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let jobs: CaptureJob[] = [];
    /** The list that the renderer finds, or why it finds none. */
    let found: StoryList | string;
    /** How often the renderer reports its list. */
    let times = 1;

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      jobs = [];
      times = 1;
      context.render = async job => {
        jobs.push(job);
        if (job.listing) return await report(job, job.listing.token);
        for (const { id, token, viewport } of job.screenshots) {
          const pixels = `${job.url} ${viewport}`;
          await enqueueResult(context.queue, { kind: "captured", ...captured(job.runId, id, pixels, token) });
        }
      };
    });

    async function report({ runId }: CaptureJob, token: string): Promise<void> {
      const outcome =
        typeof found === "string" ? { reason: found } : { hash: await context.store(JSON.stringify(found)) };
      for (let time = 0; time < times; time++)
        await enqueueResult(context.queue, { kind: "listed", runId, screenshotId: "", outcome, token });
    }

    /** What a renderer lists for these stories of the component `Button`. */
    function listOf(...names: string[]): StoryList {
      const indexed = names.map(name => {
        const id = `button--${name}`;
        return { id, title: "Button", name, importPath: "./button.stories.js", tags: [] };
      });
      const modes = { light: { theme: "light" }, dark: { theme: "dark", viewport: 480 } };
      const stories = {
        "button--themed": { parameters: { vrs: { modes } }, globals: {}, args: { label: '"Save"' } },
        "button--masked": { parameters: { vrs: { masks: [".own"], threshold: 0.5 } }, globals: {} },
      };
      return listScreenshots({ indexed, stories, errors: [] }, { tags: [], viewports: [800] });
    }

    async function check(project: string, more: object = {}) {
      const body = submitRunBody.parse({ url: URL_OF_STORYBOOK, project, storybook: true, ...more });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      const run = await context.ended(id);
      const { data } = await context.ask("runs.screenshots", { runId: id, query: QUERY });
      return { id, run, data };
    }

    it("are captured by one job for each story and mode, with the settings of both", async () => {
      found = listOf("plain", "themed", "masked");
      times = 3;
      const options = { masks: [".all"], clock: "2026-01-01T00:00:00Z", steps: [], element: "#x" };
      const { data, run } = await check("jobs", { options, viewports: [800] });
      assert.deepEqual(
        data.map(({ route, environment, viewport, status }) => [route, environment, viewport, status]),
        [
          ["button--plain", null, 800, "new"],
          ["button--masked", null, 800, "new"],
          ["button--themed", "light", 800, "new"],
          ["button--themed", "dark", 480, "new"],
        ].toSorted((a, b) => indexIn(data, a) - indexIn(data, b)),
      );
      assert.equal(run.progress.total, 4);
      const [listing, ...captures] = jobs;
      assert.equal(listing?.url, `${URL_OF_STORYBOOK}/iframe.html?viewMode=story`);
      assert.deepEqual(listing?.listing?.viewports, [800]);
      const dark = captures.find(({ url }) => url.includes("dark"));
      assert.equal(
        dark?.url,
        `${URL_OF_STORYBOOK}/iframe.html?viewMode=story&id=button--themed&globals=theme%3Adark`,
      );
      assert.deepEqual(dark?.story?.globals, { theme: "dark" });
      assert.deepEqual(dark?.options, { masks: [".all"], clock: "2026-01-01T00:00:00Z" });
      const masked = captures.find(({ story }) => story?.id === "button--masked");
      assert.deepEqual(masked?.options.masks, [".own"]);
      const view = data.find(({ environment }) => environment === "dark")?.story;
      assert.deepEqual(view, {
        ...{ id: "button--themed", title: "Button", name: "themed", args: { label: '"Save"' } },
        url: `${URL_OF_STORYBOOK}/?path=/story/button--themed&globals=theme%3Adark`,
      });
    });

    it("have baselines, and are removed apart from routes and selected stories", async () => {
      found = listOf("plain", "themed");
      await context.ask("runs.submit", {
        id: newId("run"),
        body: submitRunBody.parse({ url: URL_OF_STORYBOOK, project: "kept", routes: ["/"] }),
      });
      const first = await check("kept");
      await context.ask("runs.approve", { runId: first.id });
      found = listOf("plain");
      const second = await check("kept");
      assert.deepEqual(
        second.data.map(({ route, status, story }) => [route, status, story?.title]).toSorted(),
        [
          ["button--plain", "unchanged", "Button"],
          ["button--themed", "removed", "Button"],
          ["button--themed", "removed", "Button"],
        ],
      );
      const selected = await check("kept", { storybook: { tags: ["stable"] } });
      assert.deepEqual(
        selected.data.map(({ route }) => route),
        ["button--plain"],
      );
      const body = submitRunBody.parse({ url: URL_OF_STORYBOOK, project: "kept", routes: ["/"] });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      await context.ended(id);
      const pages = await context.ask("runs.screenshots", { runId: id, query: QUERY });
      assert.deepEqual(
        pages.data.map(({ route }) => route),
        ["/"],
      );
    });

    it("end their run with the reason if they can't be listed", async () => {
      found = "The Storybook has no stories. Check `stories` in .storybook/main, and build it again.";
      const { run } = await check("failing");
      assert.deepEqual(
        [run.status, run.error],
        ["failed", "The Storybook has no stories. Check `stories` in .storybook/main, and build it again."],
      );
      found = { screenshots: [], disabled: 0, excluded: 0, errors: [] };
      assert.match((await check("failing")).run.error ?? "", /renderer of another version/);
    });

    it("can have texts that the database can't store", async () => {
      const emoji = "\u{1f600}";
      const list = listOf("themed");
      for (const { story } of list.screenshots) {
        story.title = "But\0ton";
        story.args = { "la\0bel": emoji.slice(0, 1) };
        story.globals = { theme: emoji.slice(1) };
      }
      found = { ...list, errors: [`\0 ${emoji.slice(0, 1)}`] };
      const { run, data } = await check("texts");
      assert.equal(run.status, "completed");
      assert.deepEqual(
        data.map(({ story }) => [story?.title, story?.args]),
        [
          ["But\ufffdton", { "la\ufffdbel": "\ufffd" }],
          ["But\ufffdton", { "la\ufffdbel": "\ufffd" }],
        ],
      );
      found = `The story a\0b${emoji.slice(0, 1)} is invalid. ${"x".repeat(5_000)}`;
      const failed = await check("texts");
      assert.match(failed.run.error ?? "", /^The story a\ufffdb\ufffd is invalid\. x+…$/);
      assert.equal(failed.run.error?.length, 2_000);
    });

    it("end their run if two are the same page", async () => {
      const { screenshots, ...rest } = listOf("plain");
      found = { ...rest, screenshots: [...screenshots, ...screenshots] };
      assert.equal((await check("twice")).run.status, "failed");
    });

    it("are listed for a few runs of a team at a time, so that others get renderers too", async () => {
      found = listOf("plain");
      const gate = Promise.withResolvers<void>();
      const { render } = context;
      context.render = async job => {
        if (job.listing) await gate.promise;
        await render(job);
      };
      const body = submitRunBody.parse({ url: URL_OF_STORYBOOK, project: "many", storybook: true });
      const ids: string[] = [];
      for (let count = 0; count < 6; count++)
        ids.push((await context.ask("runs.submit", { id: newId("run"), body })).id);
      const queued = await Promise.all(ids.map(id => context.queue.idsOf("capture", id)));
      assert.deepEqual(
        queued.map(jobs => jobs.has("stories")),
        [true, true, true, true, false, false],
      );
      gate.resolve();
      for (const id of ids) assert.equal((await context.ended(id)).status, "completed");
    });

    it("are only accepted from the renderer that has the job", async () => {
      context.render = async job => {
        if (!job.listing) return;
        found = listOf("plain", "themed");
        await report(job, "forged");
        await context.whenHandled(job.runId);
        found = listOf("plain");
        await report(job, job.listing.token);
      };
      const body = submitRunBody.parse({ url: URL_OF_STORYBOOK, project: "tokens", storybook: true });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      const total = async () => (await context.ask("runs.get", { id })).progress.total;
      await until(async () => (await total()) > 0);
      assert.equal(await total(), 1);
      await context.ask("runs.cancel", { id });
    });
  });
}

function indexIn(
  data: readonly { route: string; environment: string | null }[],
  [route, name]: unknown[],
): number {
  return data.findIndex(each => each.route === route && each.environment === name);
}
