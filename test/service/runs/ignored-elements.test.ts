import assert from "node:assert/strict";
import type { SelectorRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const box = { x: 0, y: 0, width: 9, height: 9 };
const ad = (y: number): SelectorRegions => ({
  selector: ".ad",
  matches: 1,
  regions: [{ ...box, y }],
});
const none: SelectorRegions = { selector: ".none", matches: 0, regions: [] };

for (const kind of MAIN_DATABASES) {
  describe(`Elements in which changes don't count, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let jobs: CaptureJob[] = [];

    runsContextOn(kind, started => {
      context = started;
    });

    const submit = async (project: string, pixels: string, selectorRegions: SelectorRegions[]) => {
      jobs = [];
      context.render = async job => {
        jobs.push(job);
        for (const { id, token } of job.screenshots) {
          const result = { ...captured(job.runId, id, pixels, token), selectorRegions };
          await enqueueResult(context.queue, { kind: "captured", ...result });
        }
      };
      const ignoreRegions = [box, { selector: ".ad", padding: 2 }, { selector: ".none", viewport: 400 }];
      const body = submitRunBody.parse({
        ...{ url: "https://shop.example", project, viewports: [400] },
        options: { ignoreRegions },
      });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      return id;
    };
    const shotOf = async (runId: string) => {
      const query = { limit: 10, cursor: undefined, status: undefined, order: undefined };
      const [shot] = (await context.ask("runs.screenshots", { runId, query })).data;
      assert.ok(shot);
      return shot;
    };

    it("are found by the capture, and kept with the baseline", async () => {
      const first = await submit("shop", "first", [ad(20), none]);
      await context.ended(first);
      assert.deepEqual(jobs[0]?.screenshots[0]?.ignoreSelectors, [
        { selector: ".ad", padding: 2 },
        { selector: ".none" },
      ]);
      const { ignored, notes } = await shotOf(first);
      assert.deepEqual(ignored.regions, [
        { ...box, pixels: 0 },
        { ...box, y: 20, selector: ".ad", pixels: 0 },
      ]);
      assert.deepEqual(notes, ["No element of the screenshot matches the ignore region .none."]);
      await context.ask("runs.approve", { runId: first });

      const second = await submit("shop", "second", [ad(50), none]);
      await until(async () => context.compared.some(({ runId }) => runId === second));
      const compared = context.compared.find(({ runId }) => runId === second);
      assert.deepEqual(compared?.ignoreRegions, [
        box,
        { ...box, y: 50, selector: ".ad" },
        { ...box, y: 20, selector: ".ad" },
      ]);
    });
  });
}
