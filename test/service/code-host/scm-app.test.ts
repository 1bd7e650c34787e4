import assert from "node:assert/strict";
import { mock } from "node:test";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { AppCheck } from "../../../services/scm/code-host/github/check-app.ts";
import {
  type AppCreation,
  finishAppCreation,
  newAppForm,
  startAppCreation,
} from "../../../services/scm/code-host/github/create-app.ts";
import { anonymousRequest, GitHubApp } from "../../../services/scm/code-host/github/github-app.ts";
import { loadConfig } from "../../../shared/config.ts";
import { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { MAIN_DATABASE } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { agePendingApps, countPendingApps } from "../../support/rows/scm-rows.ts";

const OPERATOR = "usr_operator";
const BASE_URL = "https://vrs.example/checks";

describe("The registration of the code-host app", () => {
  let context: ScmTestContext;
  let creation: AppCreation;

  before(async () => {
    context = await ScmTestContext.start(MAIN_DATABASE);
  });
  beforeEach(async () => {
    await context.reset();
    context.host.apps.grantAll();
    const { apiUrl, webUrl } = context.node.settings;
    creation = { em: context.em, host: anonymousRequest(apiUrl), webUrl, baseUrl: BASE_URL };
  });
  afterEach(() => assert.deepEqual(context.host.complaints, []));
  after(() => context?.stop());

  const stateIn = ({ url }: { url: string }) => new URL(url).searchParams.get("state") ?? "";
  /** Creates the app as an operator's browser does. @returns the query that the code host sends back */
  const create = async (organization?: string) => {
    const begun = await startAppCreation(
      creation,
      OPERATOR,
      organization === undefined ? {} : { organization },
    );
    const form = await newAppForm(creation, { state: stateIn(begun) });
    assert.ok(form);
    const back = context.host.apps.register(form.action, form.manifest);
    return { form, back, sent: Object.fromEntries(back.searchParams) };
  };
  const finish = (sent: Record<string, string>, actorId = OPERATOR) =>
    finishAppCreation(creation, actorId, { code: sent.code ?? "", state: sent.state ?? "" });

  describe("from a manifest", () => {
    it("returns working settings with every required permission", async () => {
      const { form, back, sent } = await create();
      assert.ok(form.action.startsWith(`${context.host.url}/settings/apps/new?state=`));
      assert.equal(`${back.origin}${back.pathname}`, `${BASE_URL}/settings/code-host`);
      assert.equal(JSON.parse(form.manifest).hook_attributes.url, `${BASE_URL}/codehost/webhook`);
      const { variables, installUrl } = await finish(sent);
      assert.ok(installUrl.endsWith("/installations/new"));
      const { scm, codeHost } = loadConfig({ ...variables, CODEHOST_API_URL: `${context.host.url}/api/v3` });
      assert.ok(scm.app && scm.webhookSecret && codeHost);
      const check = new AppCheck(new GitHubApp(scm.app), (_error, what) => assert.fail(what));
      await check.check();
      const { state, missing, app } = check.seen();
      assert.deepEqual([state, missing.permissions, missing.events], ["checked", [], []]);
      assert.equal(app?.name, "vrs vrs.example");
    });

    it("creates the app in an organization", async () => {
      const { form } = await create("octo-org");
      assert.ok(
        form.action.startsWith(`${context.host.url}/organizations/octo-org/settings/apps/new?state=`),
      );
    });

    it("shows the settings once, and only to the operator who started", async () => {
      const { sent } = await create();
      await assert.rejects(finish(sent, "usr_other"), /that you started in the last hour/);
      await assert.rejects(finish({ ...sent, state: "x".repeat(43) }), /that you started in the last hour/);
      await finish(sent);
      await assert.rejects(finish(sent), /haven't completed/);
      assert.equal(await newAppForm(creation, { state: sent.state ?? "" }), null);
    });

    it("refuses a state after an hour", async () => {
      const { sent } = await create();
      await agePendingApps(context.em(), "61 minutes");
      assert.equal(await newAppForm(creation, { state: sent.state ?? "" }), null);
      await assert.rejects(finish(sent), /in the last hour/);
      await startAppCreation(creation, OPERATOR, {});
      assert.equal(await countPendingApps(context.em()), 1);
    });

    it("reports a code that the code host refuses, and can be retried while the code host does not respond", async () => {
      const refused = await create();
      await assert.rejects(finish({ ...refused.sent, code: "unknown" }), /rejected the code/);
      const { sent } = await create();
      context.host.failures.push({ match: /conversions$/, times: 1, status: 502 });
      await assert.rejects(finish(sent), /Retry in a minute/);
      assert.ok((await finish(sent)).variables.CODEHOST_APP_ID);
    });
  });

  describe("checked at the code host", () => {
    const warned: string[] = [];
    const checkOf = (env: Record<string, string> = {}) => {
      const { app } = loadConfig({ ...context.host.env, ...env }).scm;
      assert.ok(app);
      warned.length = 0;
      return new AppCheck(new GitHubApp(app), (_error, what) => void warned.push(what));
    };

    it("names each missing permission and event, and logs them once", async () => {
      const { apps } = context.host;
      delete apps.permissions.merge_queues;
      apps.permissions.contents = "read";
      apps.events = apps.events.filter(event => event !== "merge_group" && event !== "status");
      const check = checkOf();
      await check.check();
      await check.check();
      const { missing } = check.seen();
      assert.deepEqual(
        missing.permissions.map(({ label, access, isOptional }) => [label, access, isOptional]),
        [
          ["Contents", "write", false],
          ["Merge queues", "read", true],
        ],
      );
      assert.deepEqual(
        missing.events.map(({ name }) => name),
        ["status", "merge_group"],
      );
      assert.equal(warned.length, 1);
      assert.match(
        warned[0] ?? "",
        /lacks the permission Contents: write, the permission Merge queues \(optional\): read, the event Status, the event Merge group \(optional\)\./,
      );
    });

    it("accepts more access than required", async () => {
      context.host.apps.permissions.statuses = "write";
      const check = checkOf();
      await check.check();
      assert.deepEqual([check.seen().missing.permissions, warned], [[], []]);
    });

    it("waits for a code host that does not respond, and asks it again", async () => {
      const check = checkOf();
      assert.equal(check.seen().state, "unchecked");
      context.host.failures.push({ match: /^GET \/app$/, times: 6, status: 502 });
      await check.check();
      await check.check();
      assert.equal(check.seen().state, "unreachable");
      assert.match(check.seen().error ?? "", /is not responding/);
      assert.deepEqual(warned, ["The code host is not responding. The app's permissions are checked later."]);
      await check.check();
      assert.deepEqual([check.seen().state, check.seen().error], ["checked", null]);
    });

    it("asks again after 15 minutes, or 10 seconds after an operator's last view", async () => {
      const check = checkOf();
      const countRequests = () => context.host.requests.filter(name => name === "GET /app").length;
      const before = countRequests();
      mock.timers.enable({ apis: ["Date"], now: Date.now() });
      try {
        await check.check();
        await check.check();
        check.seen();
        assert.equal(countRequests() - before, 1);
        context.host.apps.events = [];
        mock.timers.tick(10_001);
        await until(() => check.seen().missing.events.length > 0);
        assert.equal(countRequests() - before, 2);
        mock.timers.tick(15 * 60_000 + 1);
        await check.check();
        assert.equal(countRequests() - before, 3);
      } finally {
        mock.timers.reset();
      }
    });

    it("reports a wrong app id or private key", async () => {
      context.host.failures.push({ match: /^GET \/app$/, times: 1, status: 401, message: "Bad credentials" });
      const check = checkOf();
      await check.check();
      assert.equal(check.seen().state, "refused");
      assert.match(warned[0] ?? "", /CODEHOST_APP_ID and CODEHOST_APP_PRIVATE_KEY/);
    });
  });
});
