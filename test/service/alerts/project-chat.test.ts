import assert from "node:assert/strict";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import type { ProjectChatView } from "../../../shared/contracts/monitors/project-chat.ts";
import { newId } from "../../../shared/ids.ts";
import { AlertsTestContext } from "../../support/contexts/alerts-context.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { slackMessage } from "../../support/formats/slack-message.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

for (const kind of MAIN_DATABASES) {
  describe(`Chat channels of projects on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: AlertsTestContext;
    let chat: HttpReceiver;
    let teamId: string;

    before(async () => {
      database = await kind.make();
      context = await AlertsTestContext.start(database.env);
      chat = await HttpReceiver.start(({ body }) => void slackMessage.parse(JSON.parse(body)));
    });
    after(async () => {
      await context?.stop();
      await chat?.close();
      await database?.remove();
    });
    beforeEach(() => {
      teamId = newId("team");
      chat.received.length = 0;
      chat.answers = [{}];
    });

    const ask = <N extends ActionName>(name: N, params: Actions[N]["params"], team = teamId) => {
      const actor = { kind: "key", id: "key_a", name: "ada" } as const;
      const meta = { caller: { teamId: team, role: "admin", actor } };
      return context.broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta });
    };
    const put = (project: string, path: string) =>
      ask("alerts.putProjectChat", { project, slack: path && chat.url(path) });
    const test = (project: string, team?: string) => ask("alerts.testProjectChat", { project }, team);
    const list = (query: { limit: number; cursor?: string }) => ask("alerts.projectChats", { query });
    const ended = async (project: string): Promise<NonNullable<ProjectChatView["lastMessage"]>> => {
      let last: ProjectChatView["lastMessage"] = null;
      await until(async () => {
        last = (await ask("alerts.projectChat", { project })).lastMessage;
        return last !== null && last.status !== "queued";
      });
      return last ?? assert.fail();
    };

    it("show the result of a test message, and only for the current webhook", async () => {
      assert.equal((await put("acme/shop", "/one")).lastMessage, null);
      assert.equal((await test("acme/shop")).lastMessage?.kind, "test");
      assert.equal((await ended("acme/shop")).status, "sent");
      const [sent = assert.fail()] = chat.received;
      assert.equal(sent.path, "/one");
      assert.match(sent.body, /Test message.*runs of acme\/shop.*overview\?project=acme%2Fshop/);
      assert.deepEqual(chat.faults, []);
      chat.answers = [{ status: 404, body: "no_service" }];
      await test("acme/shop");
      const failed = await ended("acme/shop");
      assert.deepEqual([failed.status, failed.answer, failed.nextTryAt], ["failed", "404 no_service", null]);
      assert.equal((await put("acme/shop", "/two")).lastMessage, null);
    });

    it("are listed page by page without their secrets, and only for their team", async () => {
      for (const project of ["a", "b", "c"]) await put(project, "/services/T0/B0/0123456789abcdef0123");
      const first = await list({ limit: 2 });
      const second = await list({ limit: 2, cursor: first.nextCursor ?? "" });
      assert.deepEqual(
        [...first.data, ...second.data].map(({ project, slack, changedBy }) => [project, slack, changedBy]),
        ["a", "b", "c"].map(project => [project, `localhost:${chat.port}/…0123`, "ada"]),
      );
      assert.equal(second.nextCursor, null);
      teamId = newId("team");
      assert.deepEqual((await list({ limit: 2 })).data, []);
      await assert.rejects(test("a"), { type: "not_found" });
    });

    it("are refused without TLS, except on hosts that the operator allows", async () => {
      const set = (slack: string) => ask("alerts.putProjectChat", { project: "acme/shop", slack });
      await assert.rejects(set("http://hooks.example.com/services/T0/B0/secret"), {
        type: "invalid_request",
      });
      assert.equal((await set("https://hooks.example.com/services/T0/B0/secret")).changedBy, "ada");
    });

    it("get five test messages in five minutes, however many are asked for at the same time", async () => {
      await put("acme/shop", "/one");
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => test("acme/shop")));
      const refused = results.flatMap(result => (result.status === "rejected" ? [result.reason] : []));
      assert.equal(refused.length, 3);
      for (const { type, data } of refused) {
        assert.equal(type, "rate_limited");
        assert.ok(data.retryAfterSeconds > 0 && data.retryAfterSeconds <= 300);
      }
      await until(() => chat.received.length === 5);
    });
  });
}
