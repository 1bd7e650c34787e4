import assert from "node:assert/strict";
import { type Diagnostics, NO_DIAGNOSTICS } from "../../../shared/contracts/capture/diagnostics.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { diagnosticsAt } from "../../support/fixtures/diagnostics.ts";

for (const kind of MAIN_DATABASES) {
  describe(`Diagnostics of a run's screenshots, on ${kind.name}`, () => {
    let context: RunsTestContext;

    runsContextOn(kind, started => {
      context = started;
    });

    /** Captures `/` with these diagnostics, and its page `/gone` fails with them. */
    const capture = async (project: string, diagnostics: Diagnostics | null | undefined, routes = ["/"]) => {
      const about = diagnostics === undefined ? {} : { diagnostics };
      context.render = async ({ runId, url, screenshots }) => {
        for (const { id, token } of screenshots) {
          const result = url.endsWith("/gone")
            ? ({ kind: "failed", runId, screenshotId: id, token, stage: "capture", reason: "Gone." } as const)
            : ({ kind: "captured", ...captured(runId, id, url, token) } as const);
          await enqueueResult(context.queue, { ...result, ...about });
        }
      };
      const body = submitRunBody.parse({ url: "https://shop.example", project, routes });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      await context.ended(id);
      return id;
    };
    const list = async (runId: string) =>
      (
        await context.ask("runs.screenshots", {
          runId,
          query: { limit: 1000, cursor: undefined, status: undefined, order: undefined },
        })
      ).data;
    const newsOf = async (runId: string) =>
      (await list(runId)).map(({ diagnostics }) => diagnostics?.pageErrors.map(({ isNew }) => isNew));

    const noisy = diagnosticsAt("https://shop.example");

    it("are in the view and the report, also of a page that can't be captured", async () => {
      const runId = await capture("kept", noisy, ["/", "/gone"]);
      for (const { diagnostics } of await list(runId)) assert.deepEqual(diagnostics, noisy);
      const { screenshots } = await context.ask("runs.report", { id: runId });
      assert.deepEqual(
        screenshots.map(({ diagnostics }) => diagnostics),
        [noisy, noisy],
      );
    });

    it("are null for a quiet page, and for an earlier renderer", async () => {
      for (const quiet of [null, undefined]) {
        const [screenshot] = await list(await capture("quiet", quiet));
        assert.equal(screenshot?.diagnostics, null);
      }
    });

    it("say what the baseline's screenshot doesn't have", async () => {
      const approve = (runId: string) => context.ask("runs.approve", { runId });
      assert.deepEqual(await newsOf(await capture("news", noisy)), [[undefined]]);
      await approve(await capture("news", null));
      assert.deepEqual(await newsOf(await capture("news", noisy)), [[true]]);
      const old = await capture("old", undefined);
      await approve(old);
      assert.deepEqual(await newsOf(await capture("old", noisy)), [[undefined]]);
      await approve(await capture("known", noisy));
      assert.deepEqual(await newsOf(await capture("known", noisy)), [[false]]);
    });

    it("make the pages of a list smaller", async () => {
      const text = "x".repeat(500);
      const consoleMessages = Array.from({ length: 20 }, (_, n) => {
        return { level: "error" as const, text: `${n} ${text}`, url: null, line: null, times: 1 };
      });
      const routes = Array.from({ length: 60 }, (_, n) => `/${n}`);
      const runId = await capture("large", { ...NO_DIAGNOSTICS, consoleMessages }, routes);
      const page = await context.ask("runs.screenshots", {
        runId,
        query: { limit: 1000, cursor: undefined, status: undefined, order: undefined },
      });
      assert.ok(page.data.length < routes.length, `${page.data.length}`);
      assert.ok(page.nextCursor);
    });
  });
}
