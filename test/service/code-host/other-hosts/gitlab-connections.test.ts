import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { parse } from "yaml";
import { bootstrapDueRepositories } from "../../../../services/scm/bootstrap/bootstrap-repositories.ts";
import { GitLab } from "../../../../services/scm/code-host/gitlab/gitlab-host.ts";
import { findConnection } from "../../../../services/scm/connections/connection.store.ts";
import {
  changeConnection,
  disconnect,
  getConnection,
  listConnections,
  rotateSecret,
} from "../../../../services/scm/connections/manage-connections.ts";
import { rotateDueTokens } from "../../../../services/scm/connections/rotate-tokens.ts";
import { connectBody } from "../../../../shared/contracts/code-host/connections.ts";
import { ServiceError } from "../../../../shared/errors.ts";
import {
  ADMIN,
  BASE_URL,
  GitLabTestContext,
  OTHER,
} from "../../../support/contexts/code-host/gitlab-context.ts";
import { DATABASES, type DatabaseKind } from "../../../support/databases/databases.ts";
import { until } from "../../../support/drivers/until.ts";
import { GitLabProject } from "../../../support/fakes/gitlab/gitlab-project.ts";
import { dateIn } from "../../../support/fakes/gitlab/gitlab-server.ts";
import { isInvalidField } from "../../../support/formats/problem.ts";
import { makeBootstrapsDue } from "../../../support/rows/scm-rows.ts";

/** Matches the error of one field. */

const failing = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.type, code);
  assert.match(error.message, message);
  return true;
};

const connectionsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let context: GitLabTestContext;
    const tokenOf = async (id: string) => (await findConnection(context.em(), id))?.access.token ?? "";
    this.timeout(60_000);
    database.needed();
    before(async () => {
      context = await GitLabTestContext.start(database);
    });
    beforeEach(() => context.reset());
    after(() => context?.stop());

    it("connects a repository, and creates its webhook with the secret", async () => {
      const made = await context.connect();
      assert.match(made.id, /^con_/);
      assert.deepEqual(
        [made.repository, made.project, made.state, made.hasWebhook],
        ["acme/web/shop", "acme/web/shop", "connected", true],
      );
      assert.equal(made.webhookUrl, `${BASE_URL}/codehost/connections/${made.id}/webhook`);
      assert.deepEqual(context.project.hooks, [
        {
          id: 1,
          url: made.webhookUrl,
          token: made.webhookSecret,
          merge_requests_events: true,
          note_events: true,
          deployment_events: true,
        },
      ]);
      const { webhookSecret: _secret, ...view } = made;
      assert.deepEqual(await listConnections(context.scm, ADMIN), { data: [view], nextCursor: null });
      assert.deepEqual(context.gitlab.complaints, []);
    });

    it("stores the token and the secret encrypted", async () => {
      const made = await context.connect();
      const [row] = await context.em().execute("select * from scm.connection");
      const stored = JSON.stringify(row);
      assert.ok(!stored.includes("glpat-") && !stored.includes(made.webhookSecret));
      assert.match(await tokenOf(made.id), /^glpat-/);
    });

    it("leaves the webhook to members if the token may not create it", async () => {
      const made = await context.connect({ token: context.gitlab.addToken({ level: 30 }) });
      assert.deepEqual([made.hasWebhook, context.project.hooks], [false, []]);
    });

    it("says what to fix in a token, a repository or an address", async () => {
      const { gitlab } = context;
      await assert.rejects(
        context.connect({ token: "glpat-unknown" }),
        isInvalidField("token", /GitLab rejects it/),
      );
      const weak = gitlab.addToken({ scopes: ["read_api"] });
      await assert.rejects(
        context.connect({ token: weak }),
        isInvalidField("token", /scope api\. It has: read_api/),
      );
      const reporter = gitlab.addToken({ level: 20 });
      await assert.rejects(context.connect({ token: reporter }), isInvalidField("token", /role Developer/));
      await assert.rejects(
        context.connect({ repository: "acme/none" }),
        isInvalidField("repository", /token can read/),
      );
      const proxied = { match: /self$/, times: 1, status: 200 };
      gitlab.failures.push(proxied);
      await assert.rejects(context.connect(), isInvalidField("url", /address of a GitLab instance/));
      assert.deepEqual(await listConnections(context.scm, ADMIN), { data: [], nextCursor: null });
    });

    it("sends nothing to private addresses or without TLS, except to allowed hosts", async () => {
      context.scm = context.makeNode({ SERVICE_ALLOW_HOSTS: "gitlab.allowed.example" });
      for (const url of [context.gitlab.url, "https://10.0.0.8", "https://[::1]", "https://169.254.169.254"])
        await assert.rejects(context.connect({ url }), isInvalidField("url", /SERVICE_ALLOW_HOSTS/), url);
      await assert.rejects(context.connect({ url: "http://gitlab.example" }), isInvalidField("url", /https/));
      assert.deepEqual(context.gitlab.requests, []);
    });

    it("reports an instance that does not respond, after retries", async () => {
      context.gitlab.failures.push({ match: /self$/, times: 9, status: 502 });
      await assert.rejects(context.connect(), failing("unavailable", /cannot be reached.*502/));
      assert.equal(context.gitlab.requests.length, 3);
    });

    it("waits as long as the instance asks for, and retries server errors", async () => {
      context.gitlab.failures.push(
        { match: /self$/, times: 1, status: 429, headers: { "retry-after": "1" } },
        { match: /projects/, times: 1, status: 500 },
      );
      const startedAt = Date.now();
      await context.connect();
      assert.ok(Date.now() - startedAt >= 1_000);
    });

    it("connects a repository once in a team, and hides it from others", async () => {
      const made = await context.connect();
      await assert.rejects(context.connect(), failing("conflict", /already connected/));
      await context.connect({}, OTHER);
      await assert.rejects(getConnection(context.scm, OTHER, made.id), failing("not_found", /connection/));
      await assert.rejects(disconnect(context.scm, OTHER, made.id), failing("not_found", /connection/));
      await assert.rejects(rotateSecret(context.scm, OTHER, made.id), failing("not_found", /connection/));
      const change = { id: made.id, body: { project: "theirs" } };
      await assert.rejects(changeConnection(context.scm, OTHER, change), failing("not_found", /connection/));
      assert.equal((await getConnection(context.scm, ADMIN, made.id)).project, "acme/web/shop");
    });

    it("takes a new token for the same repository only, and follows a repository that moved", async () => {
      const made = await context.connect();
      const token = context.gitlab.addToken();
      const elsewhere = new GitLabProject("acme", "store");
      Object.assign(elsewhere, { id: context.project.id });
      context.gitlab.projects[0] = elsewhere;
      const changed = await changeConnection(context.scm, ADMIN, { id: made.id, body: { token } });
      assert.deepEqual([changed.repository, await tokenOf(made.id)], ["acme/store", token]);
      const wrong = { id: made.id, body: { token: "glpat-wrong-one" } };
      await assert.rejects(changeConnection(context.scm, ADMIN, wrong), isInvalidField("token", /rejects/));
      assert.equal(await tokenOf(made.id), token);
    });

    it("replaces the webhook's secret at GitLab too", async () => {
      const made = await context.connect();
      const rotated = await rotateSecret(context.scm, ADMIN, made.id);
      assert.notEqual(rotated.webhookSecret, made.webhookSecret);
      assert.deepEqual(
        context.project.hooks.map(({ token }) => token),
        [rotated.webhookSecret],
      );
      const event = context.gitlab.mergeRequestEvent(context.project, context.pull, "open");
      const wrong = { ...made, webhookSecret: `${made.webhookSecret}x` };
      assert.equal((await context.send(wrong, "Merge Request Hook", event)).status, 401);
      assert.equal((await context.send(rotated, "Merge Request Hook", event)).status, 200);
    });

    it("keeps a token that was replaced while the webhook is created", async () => {
      const { signal } = new AbortController();
      const replaced = async (id: string, before: string) => {
        const now = await tokenOf(id);
        assert.notEqual(now, before);
        assert.equal(context.gitlab.tokens.get(now)?.isRevoked, false);
      };
      const token = context.gitlab.addToken({ expiresAt: dateIn(5) });
      context.gitlab.pauses.push({
        match: /^POST .*hooks$/,
        work: () => rotateDueTokens(context.makeNode(), signal),
      });
      const made = await context.connect({ token, rotatesToken: true });
      assert.equal(made.hasWebhook, true);
      await replaced(made.id, token);
      assert.equal((await getConnection(context.scm, ADMIN, made.id)).hasWebhook, true);
    });

    it("opens one merge request with a configuration and a pipeline, also after a lost response", async () => {
      const manifest = { scripts: { dev: "vite" }, devDependencies: { vrs: "1.0.0", vite: "7.0.0" } };
      context.project.push("main", { "package.json": JSON.stringify(manifest), "package-lock.json": "{}" });
      const bootstrap = () => bootstrapDueRepositories(context.scm);
      const made = await context.connect();
      context.gitlab.failures.push({ match: /^POST .*commits$/, times: 1, status: 500, afterwards: true });
      await bootstrap();
      await makeBootstrapsDue(context.em());
      await bootstrap();
      const [, pull] = context.project.pulls;
      assert.equal(context.project.pulls.length, 2);
      assert.deepEqual([pull?.head.ref, pull?.base.ref], ["service/bootstrap-config", "main"]);
      assert.match(pull?.body ?? "", /When you merge this merge request/);
      assert.match(pull?.body ?? "", /`.gitlab-ci.yml` is optional/);
      assert.doesNotMatch(pull?.body ?? "", /pull request/i);
      const files = context.project.filesAt("service/bootstrap-config");
      assert.match(files["service.config.ts"] ?? "", /defineConfig|export default/);
      const job = parse(files[".gitlab-ci.yml"] ?? "")["visual-check"];
      assert.deepEqual(job.script, [
        "npm ci",
        'npx --no-install vrs check --config ./service.config.ts --start "npm run dev"',
      ]);
      assert.equal(job.rules[0].if, '$CI_PIPELINE_SOURCE == "merge_request_event"');
      await disconnect(context.scm, ADMIN, made.id);
      await context.connect();
      await bootstrap();
      assert.equal(context.project.pulls.length, 2, "the branch exists");
      assert.deepEqual(context.gitlab.complaints, []);
    });

    it("never changes a repository's own pipeline, and opens nothing if it has a configuration or none is wanted", async () => {
      const manifest = JSON.stringify({ scripts: { dev: "vite" }, devDependencies: { vrs: "1.0.0" } });
      context.project.push("main", { "package.json": manifest, ".gitlab-ci.yml": "test: {}" });
      const bootstrap = () => bootstrapDueRepositories(context.scm);
      await context.connect();
      await bootstrap();
      const proposed = context.project.filesAt("service/bootstrap-config");
      assert.equal(proposed[".gitlab-ci.yml"], "test: {}");
      assert.match(context.project.pulls.at(-1)?.body ?? "", /already has a pipeline.*add `.gitlab-ci.yml`:/);
      const configured = new GitLabProject("acme", "configured", {
        "service.config.ts": "export default {};",
      });
      const unwanted = new GitLabProject("acme", "unwanted");
      for (const project of [configured, unwanted]) context.gitlab.addProject(project);
      await context.connect({ repository: configured.path });
      await context.connect({ repository: unwanted.path, bootstrap: false });
      await bootstrap();
      assert.deepEqual([configured.pulls.length, unwanted.pulls.length], [0, 0]);
    });

    it("keeps no limits of tokens that are not used anymore", async () => {
      const gitlab = new GitLab(context.scm.policy, 1);
      const accessOf = (token: string) => ({ url: context.gitlab.url, token });
      const { comments } = gitlab.repository(
        {
          connectionId: "con_1",
          ...{ owner: "acme/web", repo: "shop" },
          hostId: String(context.project.id),
          ...accessOf(context.gitlab.addToken()),
        },
        () => {},
      );
      // More notes than a token writes in a minute.
      const written = Array.from({ length: 55 }, () => comments.create(context.pull.number, "Hi"));
      await until(() => context.project.notes.length === 50);
      await gitlab.readToken(accessOf(context.gitlab.addToken()));
      assert.equal((await Promise.all(written)).length, 55);
    });

    it("deletes the webhook with the connection", async () => {
      const made = await context.connect();
      await disconnect(context.scm, ADMIN, made.id);
      assert.deepEqual(context.project.hooks, []);
      await assert.rejects(getConnection(context.scm, ADMIN, made.id), failing("not_found", /connection/));
    });

    it("replaces a token before it expires, once on any number of nodes", async () => {
      const token = context.gitlab.addToken({ expiresAt: dateIn(5) });
      const second = context.gitlab.addProject(new GitLabProject("acme", "docs"));
      const made = await context.connect({ token, rotatesToken: true });
      const other = await context.connect({ token, rotatesToken: true, repository: second.path });
      const late = context.gitlab.addToken({ expiresAt: dateIn(30) });
      const third = context.gitlab.addProject(new GitLabProject("acme", "late"));
      const kept = await context.connect({ token: late, rotatesToken: true, repository: third.path });
      const { signal } = new AbortController();
      await Promise.all([1, 2, 3].map(() => rotateDueTokens(context.makeNode(), signal)));
      const replaced = await tokenOf(made.id);
      assert.notEqual(replaced, token);
      assert.deepEqual([await tokenOf(other.id), await tokenOf(kept.id)], [replaced, late]);
      assert.equal(context.gitlab.requests.filter(each => /rotate$/.test(each)).length, 1);
      const view = await getConnection(context.scm, ADMIN, made.id);
      assert.deepEqual([view.tokenExpiresAt, view.state], [dateIn(90), "connected"]);
    });

    it("leaves tokens alone that a team replaces itself", async () => {
      const token = context.gitlab.addToken({ expiresAt: dateIn(5) });
      const made = await context.connect({ token });
      await rotateDueTokens(context.scm, new AbortController().signal);
      assert.equal(await tokenOf(made.id), token);
    });
  };

for (const database of DATABASES)
  describe(`Connections to GitLab on ${database.name}`, connectionsOn(database));

describe("The body of a connection", () => {
  const errorsOf = (more: object) =>
    connectBody
      .safeParse({ host: "gitlab", repository: "acme/shop", token: "glpat-12345", ...more })
      .error?.issues.map(({ path }) => path.join(".")) ?? [];

  it("accepts groups in groups, and instances below a path", () => {
    assert.deepEqual(errorsOf({ repository: "a/b/c.d-e_f" }), []);
    assert.deepEqual(errorsOf({ url: "https://example.com/gitlab/" }), []);
    assert.equal(
      connectBody.parse({ host: "gitlab", url: "https://x.y/z//", repository: "a/b", token: "glpat-12345" })
        .url,
      "https://x.y/z",
    );
  });

  it("has one spelling of an address", () => {
    const read = (url: string) =>
      connectBody.parse({ host: "gitlab", url, repository: "a/b", token: "glpat-12345" }).url;
    for (const url of ["https://GitLab.com", "https://gitlab.com:443/", "https://gitlab.com/a/.."])
      assert.equal(read(url), "https://gitlab.com", url);
  });

  it("refuses paths, addresses and tokens that could leave their place in a request", () => {
    for (const repository of [
      "shop",
      "a/..",
      "../a",
      "a/../b",
      "a//b",
      "/a/b",
      "a/b/",
      "a/b?c",
      "a/%2e",
      "a/b\n",
    ])
      if (repository.trim() === repository)
        assert.deepEqual(errorsOf({ repository }), ["repository"], repository);
    assert.deepEqual(errorsOf({ repository: `${"g".repeat(101)}/p` }), ["repository"]);
    for (const url of ["ftp://x.y", "https://u:p@x.y", "https://x.y?z", "https://x.y#z", "x.y"])
      assert.deepEqual(errorsOf({ url }), ["url"], url);
    for (const token of ["", "short", "with space 1", "line\nbreak123", "ü".repeat(9)])
      assert.deepEqual(errorsOf({ token }), ["token"], token);
    assert.deepEqual(errorsOf({ host: "other" }), ["host"]);
  });
});
