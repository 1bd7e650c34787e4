import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import sharp from "sharp";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { commentList, commentView } from "../../../shared/contracts/reviews/comments.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { asMarkdown } from "../../../shared/text/code-spans.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { account, BrowserClient } from "../../support/drivers/browser/browser-client.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { CodeHostAppServer } from "../../support/fakes/code-host/code-host-app.ts";
import { type HostedPull, HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { Site } from "../../support/fixtures/site.ts";

const page = (colour: string) =>
  `<!doctype html><title>Site</title><body style="margin:0;background:${colour}"><h1>Hello</h1>`;

describe("A repository with the code-host app", () => {
  let host: CodeHostAppServer;
  let site: Site;
  let vrs: Vrs;
  const repository = new HostedRepository("octo", "site");

  before(async () => {
    host = await CodeHostAppServer.start();
    [site, vrs] = await Promise.all([
      Site.start({ "/": page("white") }),
      Vrs.start({
        ...host.accounts.env,
        ...host.env,
        SERVICE_SIGN_UP: "open",
        // Its own URL, as with the deployment platform's integration beside it.
        SERVICE_API_URL: "http://localhost:$PORT/",
        SERVICE_API_KEY: TEST_KEY,
      }),
    ]);
    host.install(repository);
  });
  afterEach(() => assert.deepEqual(host.complaints, [], vrs.output));
  after(async () => {
    await vrs?.stop();
    await site?.stop();
    await host?.close();
  });

  const send = async (event: string, payload: object, headers: Record<string, string> = {}) => {
    const body = JSON.stringify(payload);
    const answer = await fetch(`${vrs.baseUrl}/codehost/webhook`, {
      method: "POST",
      headers: { ...CodeHostAppServer.headers(event, body), ...headers },
      body,
    });
    return { status: answer.status, body: Object(await answer.json()) };
  };
  const open = (branch: string, colour: string) => {
    site.pages.set("/", page(colour));
    const pull = repository.open(branch, { files: { "colour.txt": colour } });
    return { pull, event: eventOf(pull, "opened") };
  };
  const eventOf = ({ number, head, base, merged, mergeSha }: HostedPull, action: string) => ({
    action,
    number,
    pull_request: {
      number,
      merged,
      merge_commit_sha: mergeSha,
      head: { ...head, repo: { id: repository.id } },
      base: { ...base, repo: { id: repository.id } },
    },
    ...host.event(repository),
  });
  /** Deploys the site as it is now as the pull request's preview. @returns its check run, after it has ended */
  const checked = async (pull: HostedPull) => {
    const { body } = await send("status", statusOf(pull.head.sha));
    assert.equal(body.triggered, true, JSON.stringify(body));
    await ended();
    return { check: lastCheck(), runId: String(body.runId) };
  };
  const press = (sender: { id: number; login: string }, action: object) =>
    send("check_run", { check_run: { id: lastCheck().id }, sender, ...host.event(repository), ...action });
  const APPROVE = { action: "requested_action", requested_action: { identifier: "approve" } };
  const onMain = async () => {
    const { id } = await vrs.client().submitRun({ url: site.url, project: "octo/site", branch: "main" });
    return (await vrs.client().waitForRun(id)).conclusion;
  };
  /** A team member who is signed in. */
  const member = async (role: string) => {
    const person = account();
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add: [{ login: person.login, role }] });
    await new BrowserClient(vrs.baseUrl).signIn(host.accounts, person);
    return { id: person.id, login: person.login };
  };
  const keyOfAnotherTeam = async () => {
    const stranger = new BrowserClient(vrs.baseUrl);
    await stranger.signIn(host.accounts, account());
    const answer = await stranger.post("/v1/keys", { name: "Another team's", role: "admin" });
    return createdKey.parse(await answer.json()).key;
  };
  const statusOf = (sha: string) => ({
    sha,
    state: "success",
    context: "platform: preview",
    target_url: site.url,
    ...host.event(repository),
  });
  const lastCheck = () => {
    const check = repository.checks.at(-1);
    assert.ok(check);
    return check;
  };
  const ended = () => until(() => lastCheck().status === "completed");

  it("refuses unsigned webhooks with the specified responses", async () => {
    const { status, body } = await send("ping", {}, { "x-hub-signature-256": `sha256=${"0".repeat(64)}` });
    assert.deepEqual([status, body], [401, { message: "invalid signature" }]);
    const huge = await fetch(`${vrs.baseUrl}/codehost/webhook`, {
      method: "POST",
      body: "x".repeat(4_200_000),
    });
    assert.equal(huge.status, 413);
    await huge.text();
    assert.deepEqual(await send("ping", { zen: "Hi" }), {
      status: 200,
      body: { triggered: false, reason: "Ignored event type: ping" },
    });
  });

  it("accepts the event of an organization with 10,000 repositories", async () => {
    const repositories = Array.from({ length: 10_000 }, (_, n) => {
      const name = `repository-with-a-long-name-${n}`;
      return {
        id: n + 1,
        node_id: `R_kgDO${n}`,
        name,
        full_name: `large-organization/${name}`,
        private: true,
      };
    });
    const event = { action: "suspend", installation: { id: 1 }, repositories };
    assert.ok(JSON.stringify(event).length > 1_500_000);
    assert.deepEqual(await send("installation", event), {
      status: 200,
      body: { triggered: false, reason: "Ignored action: installation suspend" },
    });
  });

  it("gets a pull request with its configuration when the app is installed", async () => {
    const [id] = host.installations.keys();
    const { status, body } = await send("installation", { action: "created", installation: { id } });
    assert.deepEqual([status, body.opened], [200, ["octo/site"]]);
    assert.equal(repository.pulls.length, 1);
  });

  it("checks a pull request from preview and run to comment and approval", async () => {
    const { pull, event } = open("first", "white");
    assert.equal((await send("pull_request", event)).body.reason, "No preview URL available yet");
    const { body } = await send("status", statusOf(pull.head.sha));
    assert.equal(body.triggered, true, JSON.stringify(body));
    const check = lastCheck();
    assert.deepEqual(
      [check.name, check.head_sha, body.checkRunId],
      ["Service / Preview", pull.head.sha, check.id],
    );
    await ended();
    assert.equal(check.conclusion, "action_required");
    assert.match(check.output.title ?? "", /^\d+ new screenshots? to review$/);
    assert.match(check.details_url ?? "", /\/v1\/reports\/run_\w+\?token=/);
    const report = await fetch(check.details_url ?? "");
    assert.equal(report.status, 200);
    await report.text();
    // Anyone with the link can see a thumbnail.
    const [, image = ""] = /<img src="([^"]+)"/.exec(check.output.summary) ?? [];
    assert.equal((await fetch(image.replaceAll("&#38;", "&"))).headers.get("content-type"), "image/webp");
    const comments = () => repository.comments.filter(comment => comment.pull === pull.number);
    await until(() => comments().length === 1);
    const run = await vrs.client().getRun(body.runId);
    assert.deepEqual([run.scm?.pr, run.scm?.checkRunId, run.project], [pull.number, check.id, "octo/site"]);

    await vrs.client().approve(body.runId);
    await until(() => check.conclusion === "success");
    await until(() => /Approved/.test(comments()[0]?.body ?? ""));
    assert.equal(comments().length, 1);
  });

  it("uses a pull request's approvals as baselines only after its merge", async () => {
    assert.equal(await onMain(), "new");
    const pull = repository.pulls.at(-1);
    assert.ok(pull);
    repository.merge(pull, "merge");
    const { body } = await send("pull_request", eventOf(pull, "closed"));
    assert.equal(body.reason, "Pull request merged");
    assert.equal(await onMain(), "passed");
  });

  it("accepts approvals with the check run's button only from reviewers, and keeps them after the merge", async () => {
    const behind = open("behind", "white");
    await send("pull_request", behind.event);
    const [reviewer, viewer] = [await member("reviewer"), await member("viewer")];
    for (const [how, colour] of [
      ["squash", "rebeccapurple"],
      ["rebase", "teal"],
    ] as const) {
      const { pull, event } = open(how, colour);
      await send("pull_request", event);
      const { check } = await checked(pull);
      assert.deepEqual(
        [check.conclusion, check.actions.map(({ identifier }) => identifier)],
        ["action_required", ["approve"]],
      );
      assert.match(check.output.summary, /approved on main, as of the merge base [0-9a-f]{7}/);
      const [, change = ""] = /<img src="([^"]+)" alt="Changed part/.exec(check.output.summary) ?? [];
      const picture = await sharp(await (await fetch(change)).arrayBuffer()).metadata();
      assert.deepEqual([picture.format, picture.width], ["png", 720]);
      const strangers = await press({ id: 99, login: "stranger" }, APPROVE);
      assert.match(JSON.stringify(strangers.body), /stranger isn't a member of this team/);
      assert.match(JSON.stringify((await press(viewer, APPROVE)).body), /has the role viewer/);
      assert.equal(check.conclusion, "action_required");
      const { body } = await press(reviewer, APPROVE);
      assert.equal(body.approved, true, JSON.stringify(body));
      await until(() => check.conclusion === "success");
      assert.equal(await onMain(), "changed");
      repository.merge(pull, how);
      await send("pull_request", eventOf(pull, "closed"));
      assert.equal(await onMain(), "passed");
    }
    // It was created before these, and shows the state from then.
    site.pages.set("/", page("white"));
    const { check, runId } = await checked(behind.pull);
    assert.equal(check.conclusion, "success");
    const [shot] = await vrs.client().listScreenshots(runId);
    const [, left = ""] = repository.commits.get(behind.pull.head.sha)?.parents[0]?.match(/^(.{7})/) ?? [];
    assert.equal(shot?.baseline?.reason, `approved on main, as of the merge base ${left}`);
    const said = `Baselines: approved on main, as of the merge base ${left}`;
    await until(() =>
      repository.comments.some(each => each.pull === behind.pull.number && each.body.includes(said)),
    );
    const report = await fetch(check.details_url ?? "");
    assert.ok((await report.text()).includes(`as of the merge base ${left}`));
    assert.equal(await onMain(), "changed");
  });

  it("reruns the same commit with the button", async () => {
    const check = lastCheck();
    site.pages.set("/", page("salmon"));
    const { body } = await press({ id: 99, login: "stranger" }, { action: "rerequested" });
    // Another worker may be reporting the run before, and starts this one afterward.
    assert.ok(body.triggered === true || /being checked/.test(String(body.reason)), JSON.stringify(body));
    // The check is still completed by the run before.
    await until(() => check.conclusion === "action_required");
  });

  it("reports the run of a branch that was deployed before its pull request was opened", async () => {
    const checks = repository.checks.length;
    const pull = repository.open("deployed-first", { files: { a: "1" } });
    const scm = { owner: "octo", repo: "site", sha: pull.head.sha, branch: "deployed-first" };
    repository.pulls.pop();
    const { id } = await vrs.client().submitRun({ url: site.url, scm });
    await vrs.client().waitForRun(id);
    repository.pulls.push(pull);
    const { body } = await send("pull_request", eventOf(pull, "opened"));
    assert.equal(body.reason, "This commit was already checked");
    await until(() => repository.checks.length === checks + 1 && lastCheck().status === "completed");
    assert.ok(lastCheck().details_url?.includes(id));
    await until(() => repository.comments.some(comment => comment.pull === pull.number));
  });

  it("names the repository's changed file as the cause, in check, comment and report", async () => {
    const serve = (css: string) =>
      site.pages.set("/assets/site-4f2a91bc.css", (_, res) => {
        res.writeHead(200, { "Content-Type": "text/css" }).end(css);
      });
    site.pages.set(
      "/",
      `<!doctype html><link rel="stylesheet" href="/assets/site-4f2a91bc.css"><h1>Hello</h1>`,
    );
    serve("h1 { background: #2563eb }");
    const { id } = await vrs.client().submitRun({ url: site.url, project: "octo/site", branch: "main" });
    await vrs.client().waitForRun(id);
    await vrs.client().approve(id);
    for (const [branch, color, status] of [
      ["darker", "#1d4ed8", "unchanged"],
      ["red", "#dc2626", "changed"],
    ] as const) {
      const pull = repository.open(branch, { files: { "styles/site.scss": color, "README.md": color } });
      await send("pull_request", eventOf(pull, "opened"));
      serve(`h1 { background: ${color} }`);
      const { check, runId } = await checked(pull);
      const [left = ""] = repository.commits.get(pull.head.sha)?.parents ?? [];
      const text = `\`h1\` background-color #2563eb → ${color}, by \`styles/site.scss\` (changed since ${left.slice(0, 7)})`;
      const [shot] = await vrs.client().listScreenshots(runId);
      assert.equal(shot?.explanation?.causes[0]?.text, text);
      assert.ok(check.output.summary.includes(asMarkdown(text)), check.output.summary);
      const report = await (await fetch(check.details_url ?? "")).text();
      assert.match(report, /styles\/site\.scss/);
      // pixelmatch counts the darker blue as equal.
      assert.deepEqual([shot?.status, shot?.minor], [status, status === "unchanged"]);
      assert.equal((shot?.faintPixels ?? 0) > 100, shot?.diffPixels === 0);
      if (status === "unchanged") continue;
      await until(() =>
        repository.comments.some(each => each.pull === pull.number && each.body.includes(asMarkdown(text))),
      );
    }
  });

  it("applies its configuration to external runs of its commits", async () => {
    const config = `export default { routes: ["/", "/more"], viewports: [375, 800], threshold: 0.5,
      perRoute: { "/more": { viewports: [640] } } };`;
    site.pages.set("/more", page("white"));
    const shaOf = (branch: string, source: string) =>
      repository.open(branch, { files: { "service.config.ts": source } }).head.sha;
    const [sha, faulty] = [
      shaOf("configured", config),
      shaOf("faulty", "export default { routes: [process.env.A] };"),
    ];
    const submit = (fields: Partial<SubmitRunInput> = {}, of = sha, key = vrs.key) => {
      const scm = { owner: "octo", repo: "site", sha: of };
      const body = { url: site.url, scm, project: "configured", rerun: true as const, ...fields };
      return new ApiClient({ baseUrl: vrs.baseUrl, apiKey: key }).submitRun(body);
    };
    const taken = async (fields: Partial<SubmitRunInput> = {}, key = vrs.key) => {
      const { id } = await submit(fields, sha, key);
      const client = new ApiClient({ baseUrl: vrs.baseUrl, apiKey: key });
      const { threshold } = await client.getRun(id);
      const shots = await client.listScreenshots(id);
      await client.cancelRun(id);
      return [threshold, ...shots.map(({ route, viewport }) => `${route} ${viewport}`).sort()];
    };
    assert.deepEqual(await taken(), [0.5, "/ 375", "/ 800", "/more 640"]);
    assert.deepEqual(await taken({ routes: ["/"] }), [0.5, "/ 375", "/ 800"]);
    assert.deepEqual(await taken({ viewports: [1000] }), [0.01, "/ 1000"]);
    assert.deepEqual(await taken({}, await keyOfAnotherTeam()), [0.01, "/ 1280"]);
    await assert.rejects(submit({}, faulty), (error: Error) => {
      assert.match(error.message, /at this commit has errors\. service\.config\.ts:1:27: .*environment/);
      return true;
    });
    assert.equal((await submit({ viewports: [1000] }, faulty)).status, "queued");
  });

  it("annotates what an external run could not apply", async () => {
    const source = "export default { routes: [process.env.A] };";
    const pull = repository.open("lenient", { files: { "service.config.ts": source } });
    const client = new ApiClient({ baseUrl: vrs.baseUrl, apiKey: vrs.key, lenient: true });
    const scm = { owner: "octo", repo: "site", sha: pull.head.sha, branch: "lenient" };
    const { id } = await client.submitRun({ url: site.url, scm });
    await client.waitForRun(id);
    const check = () => repository.checks.find(({ head_sha }) => head_sha === pull.head.sha);
    await until(() => check()?.status === "completed");
    assert.match(check()?.output.summary ?? "", /Warnings:\n\n- service/);
    const [annotation] = check()?.output.annotations ?? [];
    const { path, start_line, start_column, annotation_level } = Object(annotation);
    assert.deepEqual(
      [path, start_line, start_column, annotation_level],
      ["service.config.ts", 1, 27, "warning"],
    );
  });

  it("closes a check at a callback with the secret", async () => {
    const check = lastCheck();
    const complete = (secret: string) =>
      fetch(`${vrs.baseUrl}/runs/${check.id}/complete`, {
        method: "POST",
        headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
        body: JSON.stringify({ runId: "run_x", conclusion: "passed", reportUrl: "https://vrs.example/r" }),
      });
    const refused = await complete("wrong");
    assert.deepEqual([refused.status, await refused.json()], [401, { message: "invalid callback secret" }]);
    const other = await complete(host.env.SERVICE_CALLBACK_SECRET ?? "");
    assert.deepEqual(
      [other.status, await other.json()],
      [200, { closed: false, reason: "The check has another run" }],
    );
  });

  it("shows threads on the pull request, and replies from there in the thread", async () => {
    const { pull, event } = open("discussed", "salmon");
    await send("pull_request", event);
    const { runId } = await checked(pull);
    const [screenshot] = await vrs.client().listScreenshots(runId);
    const asked = { text: "Is salmon @mona's idea?", screenshot: screenshot?.id };
    const thread = commentView.parse(await (await vrs.post(`/v1/runs/${runId}/comments`, asked)).json());
    const shown = () => repository.comments.filter(({ body }) => body.includes(`vrs thread ${thread.id} `));
    await until(() => shown().length === 1);
    const [, href = ""] = /<a href="([^"]+)"/.exec(shown()[0]?.body ?? "") ?? [];
    const spot = href.replaceAll("&#38;", "&");
    assert.equal(spot, `${vrs.baseUrl}/review/${runId}?shot=${screenshot?.id}&comment=${thread.id}`);

    const reply = {
      ...{ id: 9, body: `> [/](${spot})\n\nYes, <b>mine</b>`, user: { id: 77, login: "mona", type: "User" } },
      ...{
        html_url: "https://host.example/octo/site/pull/1#issuecomment-9",
        updated_at: "2026-01-01T00:00:00Z",
      },
    };
    const issue = { number: pull.number, pull_request: {} };
    const written = { action: "created", issue, comment: reply, ...host.event(repository) };
    const forged = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
    assert.equal((await send("issue_comment", written, forged)).status, 401);
    const { body } = await send("issue_comment", written);
    assert.equal(body.reason, "The reply was written into its thread");
    const { data } = commentList.parse(await (await vrs.request(`/v1/runs/${runId}/comments`)).json());
    assert.deepEqual(
      data.map(({ text, by, externalUrl }) => [text, by.name, externalUrl]),
      [
        [asked.text, data[0]?.by.name, null],
        ["Yes, <b>mine</b>", "mona", reply.html_url],
      ],
    );
    await vrs.request(`/v1/comments/${thread.id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ resolved: true }),
    });
    await until(() => /Resolved by/.test(shown()[0]?.body ?? ""));
    assert.equal(shown().length, 1);
    assert.doesNotMatch(shown()[0]?.body ?? "", /mine/);
  });

  it("logs none of its secrets", () => {
    for (const name of ["CODEHOST_WEBHOOK_SECRET", "SERVICE_CALLBACK_SECRET"])
      assert.ok(!vrs.output.includes(host.env[name] ?? ""), name);
    assert.doesNotMatch(vrs.output, /PRIVATE KEY|ghs_/);
  });
});
