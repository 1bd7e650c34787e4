import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createBuildBody } from "../../../shared/contracts/builds/builds.ts";
import type { UploadedScreenshotInput } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { newId } from "../../../shared/ids.ts";
import { caller, RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

type Shot = Omit<UploadedScreenshotInput, "hash"> & { imageWidth: number };

const found = { diffPixels: 50, diffRatio: 0.5, regions: [], fingerprint: "f", maskHash: null };

function hashOf({ name, imageWidth }: Shot): string {
  return createHash("sha256").update(`${name} ${imageWidth}`).digest("hex");
}

for (const kind of MAIN_DATABASES) {
  describe(`Uploads without a viewport on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: RunsTestContext;

    before(async () => {
      database = await kind.make();
      context = await RunsTestContext.start({ ...database.env });
    });
    after(async () => {
      await context?.stop();
      await database?.remove();
    });

    /** Uploads a build, and answers its comparisons. Returns what its run shows. */
    const upload = async (body: object, shots: Shot[]) => {
      const screenshots = shots.map(shot => {
        const { imageWidth: _, ...listed } = shot;
        return { ...listed, hash: hashOf(shot) };
      });
      const parsed = createBuildBody.parse({ ...body, screenshots });
      const { id } = await context.ask("runs.createBuild", { id: newId("run"), body: parsed });
      for (const shot of shots) {
        const hash = hashOf(shot);
        const image = { hash, imageHash: hash, width: shot.imageWidth, height: 10 };
        await context.ask("runs.recordUpload", { id, image });
      }
      await context.ask("runs.finalizeBuild", { id, body: {} });
      await until(async () => {
        for (const { colorThreshold: _, ignoreRegions: __, ...pair } of context.compared.splice(0))
          await context.report({ kind: "compared", ...pair, ...found });
        return context.completed.includes(id);
      });
      const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 10 } });
      const shown = data.map(shot => `${pageName(shot)} ${shot.viewport} ${shot.status}`).sort();
      return { id, shown };
    };
    const approve = (runId: string) => context.ask("runs.approve", { runId });
    const card = (imageWidth: number, more: Partial<Shot> = {}) => ({ name: "Card", imageWidth, ...more });

    it("compares an image of another width with the baseline of its name, and replaces it", async () => {
      const project = "replaced";
      const firefox = { environment: "firefox" };
      await approve((await upload({ project }, [card(300), card(300, firefox)])).id);
      const wider = await upload({ project }, [card(310), card(320, firefox)]);
      assert.deepEqual(wider.shown, ["Card (firefox) 300 changed", "Card 300 changed"]);
      await approve(wider.id);
      const same = await upload({ project }, [card(310), card(320, firefox)]);
      assert.deepEqual(same.shown, ["Card (firefox) 300 unchanged", "Card 300 unchanged"]);
      const back = await upload({ project, subset: true }, [card(300)]);
      assert.deepEqual(back.shown, ["Card 300 changed"]);
    });

    it("keeps the width through pull requests and their merges", async () => {
      const commit = (sha: string, pr?: number) => {
        const branch = pr === undefined ? "main" : "feature";
        const scm = { owner: "acme", repo: "widths", sha: sha.repeat(40), branch, baseBranch: "main" };
        return { scm: { ...scm, defaultBranch: "main", ...(pr !== undefined && { pr }) } };
      };
      await approve((await upload(commit("a"), [card(300)])).id);
      const first = await upload(commit("b", 5), [card(310)]);
      assert.deepEqual(first.shown, ["Card 300 changed"]);
      await approve(first.id);
      assert.deepEqual((await upload(commit("c", 5), [card(310)])).shown, ["Card 300 unchanged"]);
      const second = await upload(commit("d", 6), [card(320)]);
      await approve(second.id);
      const into = { branch: "main", defaultBranch: "main" };
      const merge = (pr: number, head: string, sha: string) => {
        const merged = { pr, sha: head.repeat(40), branch: null, runIds: [] };
        const of = { teamId: caller.teamId, project: "acme/widths", merged };
        return context.ask("runs.carryApprovals", { ...of, into: { ...into, sha: sha.repeat(40) } });
      };
      assert.deepEqual(await merge(5, "c", "e"), { carried: 1 });
      assert.deepEqual((await upload(commit("e"), [card(310)])).shown, ["Card 300 unchanged"]);
      assert.deepEqual(await merge(6, "d", "f"), { carried: 1 });
      assert.deepEqual((await upload(commit("f"), [card(320)])).shown, ["Card 300 unchanged"]);
    });

    it("takes the width of the image if several baselines could be meant", async () => {
      const project = "several";
      const at = (width: number) => card(width * 2, { viewport: { width } });
      await approve((await upload({ project }, [at(375), at(1280), card(300)])).id);
      const known = await upload({ project }, [at(375), at(1280), card(310)]);
      assert.deepEqual(known.shown, ["Card 1280 unchanged", "Card 300 changed", "Card 375 unchanged"]);
      const unclear = await upload({ project, subset: true }, [at(375), card(310)]);
      assert.deepEqual(unclear.shown, ["Card 310 new", "Card 375 unchanged"]);
      const given = await upload({ project, subset: true }, [at(400)]);
      assert.deepEqual(given.shown, ["Card 400 new"]);
    });

    it("finds the baseline of a previous name at another width", async () => {
      const project = "renamed";
      await approve((await upload({ project }, [card(300)])).id);
      const tile = { name: "Tile", imageWidth: 310, previousNames: ["Old", "Card"] };
      const renamed = await upload({ project }, [tile]);
      assert.deepEqual(renamed.shown, ["Tile 300 changed"]);
    });
  });
}
