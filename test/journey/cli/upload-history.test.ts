import assert from "node:assert/strict";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { vrs } from "../../support/drivers/vrs-command.ts";

describe("vrs upload in a repository with history", () => {
  let service: Vrs;
  let context: ScreenshotsTestContext;
  let origin: ScreenshotsTestContext;
  before(async () => {
    [service, context, origin] = await Promise.all([
      Vrs.start(),
      ScreenshotsTestContext.start(),
      ScreenshotsTestContext.start(),
    ]);
    await origin.git("config", "receive.denyCurrentBranch", "ignore");
    await context.git("remote", "add", "origin", origin.root);
    await context.write(".gitignore", "event.json\n");
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop(), origin?.stop()]);
  });

  const sha = async () => (await context.git("rev-parse", "HEAD")).trim();

  /** Draws screenshots, commits them and uploads them as a job of GitHub Actions. */
  async function upload(
    colors: { card: string; menu: string },
    env: Record<string, string>,
  ): Promise<{ out: string; run: string }> {
    await context.draw("shots/Card.png", colors.card);
    await context.draw("shots/Menu.png", colors.menu);
    await context.commit();
    return await uploadCommit(env);
  }

  async function uploadCommit(env: Record<string, string>): Promise<{ out: string; run: string }> {
    const job = { GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/shop", GITHUB_SHA: await sha() };
    const access = { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    const ended = await vrs(["upload", "shots"], { cwd: context.root, env: { ...access, ...job, ...env } });
    const out = ended.stdout + ended.stderr;
    return { out, run: /\brun_\w+/.exec(out)?.[0] ?? assert.fail(out) };
  }

  const onMain = { GITHUB_REF: "refs/heads/main", GITHUB_REF_NAME: "main" };
  async function onPullRequest(): Promise<Record<string, string>> {
    const event = { pull_request: { number: 5, head: { sha: await sha(), ref: "feature" } } };
    await context.write("event.json", JSON.stringify(event));
    return { GITHUB_EVENT_PATH: `${context.root}/event.json`, GITHUB_BASE_REF: "main" };
  }
  const approve = ({ run }: { run: string }) => service.client().approve(run);

  it("compares branches with their merge base, and queued and squashed commits with what was approved", async () => {
    const colors = { card: "#f00", menu: "#00f" };
    await approve(await upload(colors, onMain));
    await context.git("branch", "feature");
    // The base branch moves on.
    await approve(await upload({ ...colors, card: "#0a0" }, onMain));
    // Both repositories began with a commit of their own, which are equal only within the same second.
    await context.git("push", "--quiet", "--force", "origin", "main");
    await context.git("fetch", "--quiet", "origin");
    const main = await sha();

    await context.git("checkout", "--quiet", "feature");
    await context.write("other.txt", "1");
    await context.commit();
    const untouched = await uploadCommit(await onPullRequest());
    assert.match(untouched.out, /passed: 2 unchanged/);
    const [card] = await service.client().listScreenshots(untouched.run);
    assert.match(card?.baseline?.reason ?? "", /^approved on main, as of the merge base/);

    await context.draw("shots/Menu.png", "#90f");
    await context.commit();
    const changed = await uploadCommit(await onPullRequest());
    assert.match(changed.out, /changed: 1 changed, 1 unchanged/);
    await approve(changed);

    const queue = `gh-readonly-queue/main/pr-5-${main}`;
    await context.git("checkout", "--quiet", "-b", queue, main);
    await context.git("merge", "--squash", "--quiet", "feature");
    await context.commit();
    const queued = await uploadCommit({ GITHUB_REF: `refs/heads/${queue}`, GITHUB_REF_NAME: queue });
    assert.match(queued.out, /passed: 2 unchanged/);
    assert.deepEqual(
      (await service.client().listScreenshots(queued.run)).map(({ baseline }) =>
        baseline?.reason.replace(/\w{7}$/, "…"),
      ),
      ["approved on main, as of the merge base …", "identical screenshot approved on pull request #5"],
    );

    // Without the code-host app, the service doesn't know about the merge.
    await context.git("checkout", "--quiet", "main");
    await context.git("merge", "--ff-only", "--quiet", queue);
    const squashed = await uploadCommit(onMain);
    assert.match(squashed.out, /changed: 1 changed, 1 unchanged/);
    await approve(squashed);
    assert.match((await uploadCommit(onMain)).out, /passed: 2 unchanged/);
  });
});
