import assert from "node:assert/strict";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { pageName, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const OPTIONS = {
  environments: { dark: { colorScheme: "dark" }, phone: { device: "iPhone 15" } },
  perRoute: {
    "/": { environments: ["default", "dark"], steps: [{ action: "screenshot" }, open(), shot("open")] },
    "/more": { environments: ["phone"] },
  },
};

function open() {
  return { action: "click", selector: "#menu" };
}
function shot(name: string) {
  return { action: "screenshot", name };
}

for (const kind of MAIN_DATABASES) {
  describe(`States and environments of a page, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let jobs: CaptureJob[] = [];
    /** The pixels of screenshots, by environment, state and width. */
    let look: (of: string) => string;

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      jobs = [];
      look = of => of;
      context.render = async job => {
        jobs.push(job);
        for (const { id, token, state = null, viewport } of job.screenshots) {
          const of = look(
            [job.url, job.environment?.colorScheme, job.environment?.device, state, viewport].join(),
          );
          await enqueueResult(context.queue, { kind: "captured", ...captured(job.runId, id, of, token) });
        }
      };
    });

    const ask = <N extends ActionName>(name: N, params: Actions[N]["params"]) => context.ask(name, params);
    const submit = async (project: string, options: object, more: object = {}, only?: ScreenshotKey[]) => {
      const routes = ["/", "/more"];
      const viewports = [{ width: 600, height: 900 }, 800];
      const body = { url: "https://shop.example", project, routes, viewports, options, ...more };
      const params = { id: newId("run"), body: submitRunBody.parse(body), ...(only && { only }) };
      const { id } = await ask("runs.submit", params);
      const run = await context.ended(id);
      const query = { limit: 100, cursor: undefined, status: undefined, order: undefined };
      const { data } = await ask("runs.screenshots", { runId: id, query });
      return { id, run, data };
    };
    const names = (pages: (ScreenshotKey & { status?: string })[]) =>
      pages.map(page => `${pageName(page)} ${page.viewport}`).toSorted();
    const ALL = [
      ...["/ 600", "/ 800", "/ › open 600", "/ › open 800"],
      ...["/ (dark) 600", "/ (dark) 800", "/ › open (dark) 600", "/ › open (dark) 800", "/more (phone) 393"],
    ].toSorted();

    it("are one job per route and environment", async () => {
      const { data, run } = await submit("jobs", OPTIONS);
      assert.deepEqual(names(data), ALL);
      assert.equal(run.counts.new, ALL.length);
      const shapes = jobs.map(({ url, environment, screenshots }) => ({
        url: new URL(url).pathname,
        environment,
        screenshots: screenshots.map(({ viewport, height, state }) => [viewport, height, state]),
      }));
      const both = [
        [600, 900, undefined],
        [600, 900, "open"],
        [800, undefined, undefined],
        [800, undefined, "open"],
      ];
      assert.deepEqual(
        shapes.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
        [
          { url: "/", environment: { colorScheme: "dark" }, screenshots: both },
          { url: "/", environment: undefined, screenshots: both },
          { url: "/more", environment: { device: "iPhone 15" }, screenshots: [[393, 659, undefined]] },
        ].toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      );
    });

    it("have baselines of their own, and never one of another environment", async () => {
      const first = await submit("own", OPTIONS);
      await ask("runs.approve", { runId: first.id });
      assert.equal((await submit("own", OPTIONS)).run.conclusion, "passed");
      const { environments, ...rest } = OPTIONS;
      const renamed = { environments: { ...environments, night: environments.dark }, ...rest };
      const perRoute = { ...OPTIONS.perRoute, "/": { ...OPTIONS.perRoute["/"], environments: ["night"] } };
      const { data } = await submit("own", { ...renamed, perRoute }, { partial: true });
      const added = data.filter(({ status }) => status === "new");
      assert.deepEqual(new Set(added.map(({ environment }) => environment)), new Set(["night"]));
      assert.equal(added.length, 4);
    });

    it("are removed like routes", async () => {
      const { id } = await submit("removed", OPTIONS);
      await ask("runs.approve", { runId: id });
      const perRoute = {
        "/": { environments: ["default"], steps: OPTIONS.perRoute["/"].steps.slice(0, 1) },
        "/more": { environments: ["phone"] },
      };
      const { data, id: after } = await submit("removed", { ...OPTIONS, perRoute });
      const removed = data.filter(({ status }) => status === "removed");
      const gone = ALL.filter(name => name.includes("open") || name.includes("dark"));
      assert.deepEqual(names(removed), gone);
      await ask("runs.approve", { runId: after });
      assert.equal((await submit("removed", { ...OPTIONS, perRoute })).run.conclusion, "passed");
    });

    it("are compared apart from each other", async () => {
      const { id } = await submit("compared", OPTIONS);
      await ask("runs.approve", { runId: id });
      look = of => (of.includes("dark") && of.endsWith("open,600") ? "changed" : of);
      const before = context.compared.length;
      const body = { url: "https://shop.example", project: "compared", routes: ["/"], viewports: [600] };
      const { id: again } = await ask("runs.submit", {
        id: newId("run"),
        body: submitRunBody.parse({
          ...body,
          options: { ...OPTIONS, perRoute: { "/": OPTIONS.perRoute["/"] } },
        }),
      });
      await until(() => context.compared.length > before);
      await ask("runs.cancel", { id: again });
      const query = { limit: 100, cursor: undefined, status: "pending" as const, order: undefined };
      const { data } = await ask("runs.screenshots", { runId: again, query });
      assert.deepEqual(names(data), ["/ › open (dark) 600"]);
    });

    it("that a confirmation names are the only ones that it captures", async () => {
      const only = [
        { route: "/", state: "open", environment: "dark", viewport: 800 },
        { route: "/", state: null, environment: null, viewport: 600 },
      ];
      const { data } = await submit("only", OPTIONS, { partial: true }, only);
      assert.deepEqual(names(data), names(only));
      assert.deepEqual(jobs.flatMap(({ screenshots }) => screenshots.map(({ state }) => state)).toSorted(), [
        "open",
        undefined,
      ]);
    });

    it("are listed by filters and cursors", async () => {
      const { id } = await submit("list", OPTIONS);
      await ask("runs.approve", { runId: id });
      const query = { project: "list", limit: 2 };
      const of = async (more: object) => {
        const found: ScreenshotKey[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await ask("runs.baselines", {
            query: { ...query, ...more, ...(cursor && { cursor }) },
          });
          found.push(...page.data);
          if (page.nextCursor === null) return names(found);
          cursor = page.nextCursor;
        }
      };
      assert.deepEqual(await of({}), ALL);
      assert.deepEqual(
        await of({ environment: "dark" }),
        ALL.filter(name => name.includes("dark")),
      );
      assert.deepEqual(
        await of({ environment: null }),
        ALL.filter(name => !name.includes("(")),
      );
      assert.deepEqual(
        await of({ state: "open", viewport: 800 }),
        ALL.filter(name => name.includes("open") && name.endsWith("800")),
      );
      const page = { project: "list", route: "/", viewport: 800, limit: 10 };
      for (const [state, environment] of [
        [null, null],
        ["open", "dark"],
      ] as const) {
        const { data } = await ask("runs.baselineHistory", { query: { ...page, state, environment } });
        assert.deepEqual(
          data.map(each => [each.state, each.environment]),
          [[state, environment]],
        );
        const seen = await ask("runs.screenshotHistory", { query: { ...page, state, environment } });
        assert.equal(seen.data.length, 1);
      }
    });
  });
}
