import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { usage } from "../../../shared/contracts/billing/usage.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { teamList } from "../../../shared/contracts/teams/people.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";

describe("A team on the free plan", () => {
  let vrs: Vrs;
  let site: Site;
  /** The accepted runs, in order. */
  const accepted: string[] = [];

  before(async () => {
    // The page never responds. The first run stays in progress during the test, and the others wait.
    [vrs, site] = await Promise.all([
      Vrs.start({ SERVICE_PLAN: "free", RENDER_CONCURRENCY: "1" }),
      Site.start({ "/": () => {} }),
    ]);
  });
  after(async () => {
    await site?.stop();
    await vrs?.stop();
  });

  const submit = (body: object = {}) => vrs.post("/v1/run", { url: site.url, ...body });
  const accept = async (body: object = {}, status = 202) => {
    const answer = await submit(body);
    assert.equal(answer.status, status, await answer.clone().text());
    const run = submittedRun.parse(await answer.json());
    if (status === 202) accepted.push(run.id);
    return run.id;
  };
  const read = async () => usage.strict().parse(await (await vrs.request("/v1/usage")).json());
  const cancel = async (id = "") =>
    runView.parse(await (await vrs.post(`/v1/runs/${id}/cancel`, {})).json()).status;
  const monthAfter = (start: string) => {
    const date = new Date(start);
    return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)).toISOString();
  };

  it("has no usage at first, which every member can read", async () => {
    const { period, members, ...others } = await read();
    assert.match(period.start, /-01T00:00:00\.000Z$/);
    assert.equal(period.end, monthAfter(period.start));
    assert.ok(Date.parse(period.start) <= Date.now() && Date.now() < Date.parse(period.end));
    assert.equal(members.limit, 1);
    assert.deepEqual(others, {
      plan: "free",
      runs: { used: 0, limit: 50 },
      screenshots: { used: 0, limit: 500 },
      monitors: { used: 0, limit: 1 },
      retentionDays: 7,
    });
    const viewer = createdKey.parse(
      await (await vrs.post("/v1/keys", { name: "viewer", role: "viewer" })).json(),
    );
    const headers = { Authorization: `Bearer ${viewer.key}` };
    assert.equal((await fetch(`${vrs.baseUrl}/v1/usage`, { headers })).status, 200);
    await problemOf(await fetch(`${vrs.baseUrl}/v1/usage`), "unauthorized");
  });

  it("has its seats taken by invitations, and is refused more", async () => {
    const { id: teamId = "" } = teamList.parse(await (await vrs.request("/v1/teams")).json()).data[0] ?? {};
    const invite = (login: string) => vrs.post("/v1/teams", { teamId, add: [{ login, role: "viewer" }] });
    assert.deepEqual((await read()).members, { used: 0, limit: 1 });
    assert.equal((await invite("friend")).status, 200);
    assert.deepEqual((await read()).members, { used: 1, limit: 1 });
    const { used, limit } = await problemOf(await invite("another"), "plan_limit_exceeded");
    assert.deepEqual({ used, limit }, (await read()).members);
    await vrs.post("/v1/teams", { teamId, remove: ["friend"] });
    assert.deepEqual((await read()).members, { used: 0, limit: 1 });
  });

  it("is refused what exceeds its plan, and learns what to do", async () => {
    const routes = Array.from({ length: 251 }, (_, index) => `/${index}`);
    const refused = await problemOf(await submit({ routes, viewports: [320, 640] }), "plan_limit_exceeded");
    const { period } = await read();
    assert.deepEqual([refused.limit, refused.used, refused.resetsAt], [500, 0, period.end]);
    assert.match(refused.detail, /0 of the 500 screenshots .*needs 502.*fewer routes or viewports/);
    assert.deepEqual((await read()).runs, { used: 0, limit: 50 });
  });

  it("can submit 50 runs per month, also concurrently", async () => {
    const scm = { owner: "o", repo: "r", sha: "aaaaaaa" };
    const first = await accept({ scm, viewports: [320, 640, 960] });
    await until(async () => (await vrs.client().getRun(first)).status === "rendering");
    const answers = await Promise.all(Array.from({ length: 60 }, () => submit()));
    for (const answer of answers) {
      if (answer.status === 202) accepted.push(submittedRun.parse(await answer.json()).id);
      else await problemOf(answer, "plan_limit_exceeded");
    }
    assert.equal(accepted.length, 50);
    const { runs, screenshots, period } = await read();
    assert.deepEqual(
      [runs, screenshots],
      [
        { used: 50, limit: 50 },
        { used: 52, limit: 500 },
      ],
    );
    const { limit, used, resetsAt, detail } = await problemOf(await submit(), "plan_limit_exceeded");
    assert.deepEqual({ limit, used, resetsAt }, { limit: 50, used: 50, resetsAt: period.end });
    assert.match(detail, /50 of the 50 runs/);
    assert.equal(await accept({ scm }, 200), first, "a repeat costs nothing");
  });

  it("gets back only runs that were canceled before a capture", async () => {
    const [first, last] = [accepted[0], accepted.at(-1)];
    for (const id of [last, last, first]) assert.equal(await cancel(id), "canceled");
    assert.deepEqual((await read()).runs, { used: 49, limit: 50 });
    await accept();
    await problemOf(await submit(), "plan_limit_exceeded");
  });

  it("has the same usage after a crash", async () => {
    const before = await read();
    await vrs.kill();
    await vrs.start();
    assert.deepEqual(await read(), before);
    await problemOf(await submit(), "plan_limit_exceeded");
  });
});
