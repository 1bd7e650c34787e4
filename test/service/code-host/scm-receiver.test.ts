import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { describe, it } from "mocha";
import { EVENT_REASONS } from "../../../services/scm/texts/events.ts";
import { handleDueDeliveries } from "../../../services/scm/webhooks/handle-delivery.ts";
import { handleOnce } from "../../../services/scm/webhooks/handle-once.ts";
import { receiveWebhook } from "../../../services/scm/webhooks/receive-webhook.ts";
import { ApiError } from "../../../shared/api/api-exchanges.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { PREVIEW, PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import { deliver, type ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { CodeHostAppServer } from "../../support/fakes/code-host/code-host-app.ts";
import {
  ageDeliveryLease,
  insertLeasedDelivery,
  readBootstraps,
  readDeliveries,
  setDeliveryRetries,
} from "../../support/rows/scm-rows.ts";

const deliveriesOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    it("refuses webhooks without a valid signature of the raw bytes, as specified", async () => {
      const body = JSON.stringify(context.pullEvent(on.repository, on.pull));
      const headers = CodeHostAppServer.headers("pull_request", body);
      const wrong = { status: 401, body: { message: "invalid signature" } };
      const { "x-hub-signature-256": signature = "", ...unsigned } = headers;
      assert.deepEqual(await receiveWebhook(context.node, deliver(unsigned, body)), wrong);
      for (const bad of [
        "",
        "sha256=",
        signature.replace("sha256=", "sha1="),
        signature.slice(0, -1),
        `${signature}0`,
      ]) {
        const answer = await receiveWebhook(
          context.node,
          deliver({ ...headers, "x-hub-signature-256": bad }, body),
        );
        assert.deepEqual(answer, wrong, bad);
      }
      assert.deepEqual(await receiveWebhook(context.node, deliver(headers, `${body} `)), wrong);
      const unset = context.makeNode({ CODEHOST_WEBHOOK_SECRET: "" });
      assert.deepEqual(await receiveWebhook(unset, deliver(headers, body)), {
        status: 500,
        body: { message: "webhook secret not configured" },
      });
      assert.deepEqual(context.host.requests, []);
    });

    it("checks a commit once for any number of concurrent events", async () => {
      await on.opened();
      const nodes = [context.node, context.makeNode(), context.makeNode()];
      const events = nodes.flatMap(node => [
        context.send("status", context.statusEvent(on.repository, on.pull.head.sha, PREVIEW), { node }),
        context.send("status", context.statusEvent(on.repository, on.pull.head.sha, PREVIEW), { node }),
      ]);
      const answers = await Promise.all(events);
      assert.equal(answers.filter(({ body }) => Object(body).triggered === true).length, 1);
      assert.equal(context.cloud.submitted.length, 1);
      on.theCheck();
    });

    it("handles a delivery once in 24 hours, and again after a failure", async () => {
      await on.opened();
      context.cloud.refusal = new ApiError(
        401,
        "unauthorized",
        "This API key is unknown or was revoked.",
        null,
      );
      const event = context.statusEvent(on.repository, on.pull.head.sha, PREVIEW);
      const failed = await context.send("status", event, { id: "delivery-1" });
      assert.deepEqual(failed, {
        status: 502,
        body: { triggered: false, error: "This API key is unknown or was revoked." },
      });
      context.cloud.refusal = null;
      assert.equal(Object(await context.send("status", event, { id: "delivery-1" })).body.triggered, true);
      const duplicate = { triggered: false, reason: "Duplicate delivery (already processed)" };
      assert.deepEqual((await context.send("status", event, { id: "delivery-1" })).body, duplicate);
      assert.equal(context.cloud.submitted.length, 1);
      on.theCheck();
    });

    describe("that take longer than the code host waits", () => {
      const outlast = async (handle: () => Promise<DeliveryAnswer>, node = context.node) => {
        const id = "long";
        const event = context.statusEvent(on.repository, on.pull.head.sha, PREVIEW);
        const installationId = String(Object(event).installation.id);
        const delivery = { id, installationId, event: "status", payload: JSON.stringify(event) };
        const answer = await handleOnce(node, delivery, handle, 20);
        assert.deepEqual(answer, {
          status: 200,
          body: { triggered: false, reason: EVENT_REASONS.continued },
        });
        return delivery;
      };

      it("are finished after the response", async () => {
        let finish: (answer: DeliveryAnswer) => void = () => {};
        await outlast(
          () =>
            new Promise(resolve => {
              finish = resolve;
            }),
        );
        const [waiting] = await readDeliveries(context.em());
        assert.deepEqual([waiting?.isLeased, waiting?.isDone], [true, false]);
        await handleDueDeliveries(context.makeNode());
        assert.equal(context.cloud.submitted.length, 0, "its node still handles it");
        finish({ status: 200, body: { triggered: true } });
        await until(async () => (await readDeliveries(context.em()))[0]?.isDone === true);
      });

      it("are retried if they fail after the response", async () => {
        const { payload } = await outlast(async () => {
          await delay(60);
          throw new TypeError("The handler failed.");
        });
        await until(async () => (await readDeliveries(context.em()))[0]?.isLeased === false);
        const [kept] = await readDeliveries(context.em());
        assert.equal(kept?.payload, payload);
        assert.ok(kept?.dueAt && kept.dueAt.getTime() > Date.now());
      });

      it("are retried after their lease if the database fails with them", async () => {
        const unhandled: unknown[] = [];
        const note = (reason: unknown) => void unhandled.push(reason);
        process.on("unhandledRejection", note);
        try {
          let isDown = false;
          const em = () => {
            if (isDown) throw new Error("The database is down.");
            return context.em();
          };
          const { payload } = await outlast(
            async () => {
              await delay(60);
              isDown = true;
              throw new TypeError("The handler failed.");
            },
            { ...context.node, em },
          );
          await until(() => context.warnings.some(each => String(each).includes("The database is down.")));
          await delay(20);
          assert.deepEqual(unhandled, [], "Node ends a process with a rejection that nobody handles");
          const [kept] = await readDeliveries(context.em());
          assert.deepEqual([kept?.payload, kept?.isDone], [payload, false]);
        } finally {
          process.off("unhandledRejection", note);
        }
      });

      it("get their error if it comes at the same time as the response", async () => {
        const deletion = Promise.withResolvers<void>();
        /** Deletes rows slowly. */
        const em = () =>
          new Proxy(context.em(), {
            get(target, name) {
              if (name !== "execute") return Reflect.get(target, name, target);
              return async (sql: string, params: string[]) => {
                if (sql.startsWith("delete from scm.delivery")) await deletion.promise;
                return target.execute(sql, params);
              };
            },
          });
        const delivery = { id: "late", installationId: null, event: "status", payload: "{}" };
        const fail = async () => {
          setTimeout(deletion.resolve, 700);
          throw new TypeError("The handler failed.");
        };
        const handled = handleOnce({ ...context.node, em }, delivery, fail, 500);
        await assert.rejects(handled, /The handler failed/, "the code host sends it again");
        assert.deepEqual(await readDeliveries(context.em()), []);
      });

      it("are handled by another node if theirs stops", async () => {
        await on.opened();
        let stop: () => void = () => {};
        await outlast(
          () =>
            new Promise((_resolve, reject) => {
              stop = () => reject(new Error("The node stopped."));
            }),
        );
        await ageDeliveryLease(context.em(), 60);
        await handleDueDeliveries(context.makeNode());
        on.theCheck();
        assert.equal(context.cloud.submitted[0]?.run.url, PREVIEW);
        stop();
        await until(() => context.warnings.some(each => String(each).includes("The node stopped.")));
        assert.equal((await readDeliveries(context.em()))[0]?.isDone, true);
      });
    });

    describe("that the code host does not respond to", () => {
      const noPulls = { match: /^GET .*pulls$/, times: 99, status: 502 };

      it("are retried until it responds, also on another node", async () => {
        context.host.failures.push(noPulls);
        const { status, body } = await on.deployed();
        assert.deepEqual([status, Object(body).triggered], [200, false]);
        assert.match(Object(body).reason, /^The code host is not responding\. The service will retry: /);
        await context.age("1 minute");
        await handleDueDeliveries(context.makeNode());
        assert.equal(context.cloud.submitted.length, 0);
        context.host.failures.length = 0;
        await handleDueDeliveries(context.makeNode());
        assert.equal(context.cloud.submitted.length, 0, "it is not due yet");
        await context.age("1 minute");
        await handleDueDeliveries(context.makeNode());
        on.theCheck();
        assert.equal(context.cloud.submitted[0]?.run.url, PREVIEW);
        await context.age("1 minute");
        const asked = context.host.requests.length;
        await handleDueDeliveries(context.node);
        assert.equal(context.host.requests.length, asked, "it is done");
      });

      it("are kept for another retry if this service fails during one", async () => {
        context.host.failures.push(noPulls);
        await on.deployed();
        context.host.failures.length = 0;
        await context.age("1 minute");
        const broken = context.makeNode();
        broken.previews.put = () => {
          throw new TypeError("The preview can't be stored.");
        };
        await handleDueDeliveries(broken);
        const [kept] = await readDeliveries(context.em());
        assert.ok(kept?.dueAt && kept.dueAt.getTime() > Date.now());
        assert.equal(kept.isLeased, false);
        await context.age("2 minutes");
        await handleDueDeliveries(context.makeNode());
        on.theCheck();
      });

      it("are dropped after about two hours", async () => {
        context.host.failures.push(noPulls);
        await on.deployed();
        await setDeliveryRetries(context.em(), 30);
        context.host.failures.length = 0;
        await context.age("1 day");
        await handleDueDeliveries(context.makeNode());
        assert.equal(context.cloud.submitted.length, 0);
      });

      it("are handled at once when they are sent again", async () => {
        context.host.failures.push(noPulls);
        const event = context.statusEvent(on.repository, on.pull.head.sha, PREVIEW);
        await context.send("status", event, { id: "delivery-3" });
        context.host.failures.length = 0;
        assert.equal(Object(await context.send("status", event, { id: "delivery-3" })).body.triggered, true);
        const rows = await readDeliveries(context.em());
        assert.deepEqual(rows, [
          { id: "delivery-3", payload: null, dueAt: null, isDone: true, isLeased: true },
        ]);
      });

      it("are deleted if it refuses", async () => {
        context.host.failures.push({ match: /^GET .*pulls$/, times: 1, status: 403 });
        assert.match(Object((await on.deployed()).body).reason, /rejected the request/);
        assert.deepEqual(await readDeliveries(context.em()), []);
      });

      it("bootstrap the repositories later that could not be listed", async () => {
        const [id = 0] = [...context.host.installations.keys()].slice(-1);
        context.host.failures.push({ match: /^GET \/installation\/repositories$/, times: 99, status: 502 });
        const { body } = await context.send("installation", { action: "created", installation: { id } });
        assert.deepEqual(Object(body).opened, []);
        context.host.failures.length = 0;
        await context.age("1 minute");
        await handleDueDeliveries(context.node);
        assert.deepEqual(await readBootstraps(context.em()), [
          { repo: "site", state: "opened", secondsUntilDue: null },
        ]);
      });

      it("are not kept if an approval fails, and the check shows why", async () => {
        const check = await on.begin();
        await on.end("changed");
        context.cloud.approve = async () => Promise.reject(new TypeError("fetch failed"));
        const pressed = { action: "requested_action", requested_action: { identifier: "approve" } };
        await assert.rejects(on.press(check, pressed), /fetch failed/);
        assert.match(check.output.summary, /^> The approval failed.*Select Approve again/);
        assert.ok((await readDeliveries(context.em())).every(({ isDone }) => isDone));
      });
    });

    describe("that are sent again during the first attempt", () => {
      const duplicate = { triggered: false, reason: "Duplicate delivery (already processed)" };
      const deliver = () =>
        context.send("status", context.statusEvent(on.repository, on.pull.head.sha, PREVIEW), {
          id: "delivery-2",
        });
      /** Inserts the delivery as leased by another node. */
      const leasedElsewhere = (secondsAgo: number) =>
        insertLeasedDelivery(context.em(), "delivery-2", secondsAgo);

      it("wait for the result of the first attempt", async () => {
        await on.opened();
        context.host.slow.push({ match: /^POST .*check-runs$/, ms: 500 });
        const answers = await Promise.all([deliver(), deliver()]);
        const bodies = answers.map(({ body }) => Object(body));
        assert.ok(bodies.some(({ triggered }) => triggered));
        assert.ok(bodies.some(({ reason }) => reason === duplicate.reason));
        assert.equal(context.cloud.submitted.length, 1);
      });

      it("are handled if the first attempt failed", async () => {
        await on.opened();
        const submit = context.cloud.submit.bind(context.cloud);
        context.host.slow.push({ match: /^POST .*check-runs$/, ms: 500 });
        context.cloud.submit = async () => {
          context.cloud.submit = submit;
          throw new TypeError("fetch failed");
        };
        const answers = await Promise.all([deliver(), deliver()]);
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 502]);
        assert.ok(answers.some(({ body }) => Object(body).triggered));
      });

      it("are handled if the node of the first attempt stopped", async () => {
        await on.opened();
        await leasedElsewhere(12);
        assert.equal(Object((await deliver()).body).triggered, true);
        assert.deepEqual((await deliver()).body, duplicate);
      });

      it("must be sent again while the result is unknown", async () => {
        await on.opened();
        await leasedElsewhere(-60);
        assert.deepEqual(await deliver(), {
          status: 503,
          body: { triggered: false, error: "An identical delivery is still being processed" },
        });
        assert.equal(context.cloud.submitted.length, 0);
      });
    });

    it("sends the code host nothing during a requested pause", async () => {
      await on.opened();
      const match = /^POST .*check-runs$/;
      context.host.failures.push({ match, times: 1, status: 429, headers: { "retry-after": "1" } });
      assert.equal(Object(await on.deployed()).body.triggered, true, "a pause of one second is waited for");
      const reset = String(Math.ceil(Date.now() / 1_000) + 600);
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
      on.pull = on.repository.open("third", { files: { third: "3" } });
      context.host.failures.push({ match, times: 1, status: 403, headers });
      const asked = context.host.requests.length;
      const [first, second] = [await on.deployed(), await on.deployed()];
      for (const { status, body } of [first, second])
        assert.deepEqual([status, /The check follows/.test(Object(body).reason)], [200, true]);
      assert.equal(context.host.requests.length, asked + 2, "no request is sent meanwhile");
    });

    it("requests one token for many concurrent requests, and leaves a removed installation alone", async () => {
      const ask = async (id: number) => {
        const { host } = context.makeNode();
        return Promise.allSettled(Array.from({ length: 20 }, () => host.listRepositories(String(id))));
      };
      const given = context.host.tokensGiven;
      const [id = 0] = context.host.installations.keys();
      assert.ok((await ask(id)).every(({ status }) => status === "fulfilled"));
      assert.ok(context.host.tokensGiven - given <= 6);
      const refused = await ask(1);
      assert.ok(refused.every(each => each.status === "rejected" && each.reason.status === 404));
    });

    it("retries what is safe to repeat, and keeps one token per installation", async () => {
      const given = context.host.tokensGiven;
      context.host.failures.push(
        { match: /^GET .*pulls$/, times: 2, status: 502 },
        { match: /^PATCH /, times: 1, status: 500 },
      );
      assert.equal(Object(await on.deployed()).body.triggered, true);
      assert.equal(on.theCheck().details_url, "https://vrs.example/r/run_0?token=t");
      assert.equal(context.host.tokensGiven, given + 1);
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Webhook deliveries of the code host on ${database.name}`, deliveriesOn(database));
