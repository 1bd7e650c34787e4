import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { findConnection, saveAccess } from "../../../services/scm/connections/connection.store.ts";
import {
  changeConnection,
  disconnect,
  rotateSecret,
} from "../../../services/scm/connections/manage-connections.ts";
import { putDueHooks } from "../../../services/scm/connections/put-hook.ts";
import {
  confirmed,
  isConfirmed,
  validSecrets,
  withSecret,
} from "../../../services/scm/connections/webhook-secrets.rule.ts";
import type { ConnectionWithSecret } from "../../../shared/contracts/code-host/connections.ts";
import { ADMIN, GitLabTestContext } from "../../support/contexts/code-host/gitlab-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { makeHooksDue } from "../../support/rows/scm-rows.ts";

const GRACE_MS = 5 * 60_000;
const CHANGE = /^PUT .*hooks/;

const secretsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let context: GitLabTestContext;
    let made: ConnectionWithSecret;
    this.timeout(60_000);
    database.needed();
    before(async () => {
      context = await GitLabTestContext.start(database);
    });
    beforeEach(async () => {
      await context.reset();
      made = await context.connect();
    });
    after(() => context?.stop());

    const rotate = () => rotateSecret(context.scm, ADMIN, made.id);
    const statusWith = async ({ webhookSecret }: ConnectionWithSecret, of = made) => {
      const event = context.gitlab.mergeRequestEvent(context.project, context.pull, "open");
      return (await context.send({ id: of.id, webhookSecret }, "Merge Request Hook", event)).status;
    };
    const hookSecrets = () => context.project.hooks.map(({ token }) => token);
    /** Lets earlier secrets of a connection get so much older. */
    const age = async (ms: number, { id } = made) => {
      const connection = await findConnection(context.em(), id);
      assert.ok(connection);
      const previous = (connection.access.previous ?? []).map(({ secret, until }) => ({
        secret,
        until: new Date(Date.parse(until) - ms).toISOString(),
      }));
      await saveAccess(context.em(), { id, access: { ...connection.access, previous } });
    };
    /** Writes due webhooks on another node. */
    const recover = async () => {
      await makeHooksDue(context.em());
      await putDueHooks(context.makeNode());
    };

    it("works with both secrets while GitLab does not respond, and soon only with the new one afterward", async () => {
      context.gitlab.failures.push({ match: CHANGE, times: 99, status: 503 });
      const rotated = await rotate();
      assert.equal(rotated.hasWebhook, true);
      assert.deepEqual(hookSecrets(), [made.webhookSecret]);
      for (const each of [made, rotated, made]) assert.equal(await statusWith(each), 200);
      context.gitlab.failures.length = 0;
      await age(23 * 3_600_000);
      assert.equal(await statusWith(made), 200);
      await recover();
      assert.deepEqual(hookSecrets(), [rotated.webhookSecret]);
      assert.deepEqual(
        [await statusWith(made), await statusWith(rotated)],
        [200, 200],
        "events on their way",
      );
      await age(GRACE_MS);
      assert.deepEqual([await statusWith(made), await statusWith(rotated)], [401, 200]);
      const asked = context.gitlab.requests.length;
      await recover();
      assert.equal(context.gitlab.requests.length, asked, "it is done");
      await disconnect(context.scm, ADMIN, made.id);
      assert.deepEqual(context.project.hooks, []);
    });

    it("works with the secret that GitLab has after a lost response", async () => {
      context.gitlab.failures.push({ match: CHANGE, times: 99, status: 500, afterwards: true });
      const rotated = await rotate();
      assert.deepEqual(hookSecrets(), [rotated.webhookSecret]);
      assert.equal(await statusWith(rotated), 200);
      context.gitlab.failures.length = 0;
      await recover();
      await age(GRACE_MS);
      assert.deepEqual([await statusWith(made), await statusWith(rotated)], [401, 200]);
    });

    it("is completed after its node stopped before the request", async () => {
      const { hosts } = context.scm;
      const stopping = Object.assign(Object.create(hosts.gitlab), {
        hooks: {
          ...hosts.gitlab.hooks,
          change: async () => Promise.reject(new TypeError("The node stops.")),
        },
      });
      context.scm = { ...context.scm, hosts: { ...hosts, gitlab: stopping } };
      await assert.rejects(rotate(), /node stops/);
      assert.equal(await statusWith(made), 200);
      await recover();
      assert.notDeepEqual(hookSecrets(), [made.webhookSecret]);
      await age(GRACE_MS);
      assert.equal(await statusWith(made), 401);
      const [webhookSecret = ""] = hookSecrets();
      assert.equal(await statusWith({ ...made, webhookSecret }), 200);
    });

    it("may be repeated before GitLab has any of the new secrets", async () => {
      context.gitlab.failures.push({ match: CHANGE, times: 99, status: 503 });
      const rotated = [await rotate(), await rotate()];
      for (const each of [made, ...rotated]) assert.equal(await statusWith(each), 200);
      context.gitlab.failures.length = 0;
      await recover();
      assert.deepEqual(hookSecrets(), [rotated.at(-1)?.webhookSecret]);
    });

    it("keeps the webhook of a token that lost its permission, until another token changes it", async () => {
      context.gitlab.failures.push({ match: CHANGE, times: 99, status: 403 });
      const rotated = await rotate();
      assert.equal(rotated.hasWebhook, false, "members have to set the secret");
      context.gitlab.failures.length = 0;
      const body = { token: context.gitlab.addToken() };
      await changeConnection(context.scm, ADMIN, { id: made.id, body });
      assert.deepEqual(hookSecrets(), [rotated.webhookSecret]);
    });

    it("lets members set the new secret by hand, and ends the earlier one soon after its first event", async () => {
      const token = context.gitlab.addToken({ level: 30 });
      await disconnect(context.scm, ADMIN, made.id);
      const own = await context.connect({ token });
      const rotated = await rotateSecret(context.scm, ADMIN, own.id);
      assert.equal(rotated.hasWebhook, false);
      await age(GRACE_MS, own);
      assert.deepEqual([await statusWith(own, own), await statusWith(rotated, own)], [200, 200]);
      assert.equal(await statusWith(own, own), 200, "an event on its way");
      await age(GRACE_MS, own);
      assert.deepEqual([await statusWith(own, own), await statusWith(rotated, own)], [401, 200]);
    });
  };

for (const database of MAIN_DATABASES)
  describe(`The rotation of a webhook's secret on ${database.name}`, secretsOn(database));

describe("The secrets of a webhook", () => {
  const DAY_MS = 24 * 3_600_000;

  it("are valid for a day after they were replaced", () => {
    const first = withSecret({ secret: "a", token: "t" }, "b", 0);
    assert.deepEqual(validSecrets(first, DAY_MS - 1), ["b", "a"]);
    assert.deepEqual(validSecrets(first, DAY_MS), ["b"]);
    const second = withSecret(first, "c", DAY_MS / 2);
    assert.deepEqual(validSecrets(second, DAY_MS - 1), ["c", "b", "a"]);
    assert.deepEqual(validSecrets(second, DAY_MS), ["c", "b"]);
    assert.equal(second.token, "t");
  });

  it("are valid for five minutes after the code host has the latest, and never longer than before", () => {
    const access = withSecret(withSecret({ secret: "a" }, "b", 0), "c", DAY_MS - 60_000);
    assert.equal(isConfirmed(access, DAY_MS - 60_000), false);
    const ended = confirmed(access, DAY_MS - 60_000);
    assert.equal(isConfirmed(ended, DAY_MS - 60_000), true);
    assert.deepEqual(validSecrets(ended, DAY_MS - 1), ["c", "b", "a"]);
    assert.deepEqual(validSecrets(ended, DAY_MS), ["c", "b"]);
    assert.deepEqual(validSecrets(ended, DAY_MS - 60_000 + GRACE_MS), ["c"]);
  });

  it("are few, whatever is replaced", () => {
    let access = withSecret({ secret: "0" }, "1", 0);
    for (let each = 2; each < 30; each++) access = withSecret(access, String(each), 0);
    assert.equal(validSecrets(access, 1).length, 6);
  });
});
