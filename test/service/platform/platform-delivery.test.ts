import assert from "node:assert/strict";
import {
  DUPLICATE,
  NOT_ALLOWED,
  triggered,
  webhookTestContext,
} from "../../support/contexts/webhook-context.ts";
import { type CloudApi, problem } from "../../support/fakes/cloud-api.ts";
import { ready, readyEvent } from "../../support/fixtures/platform-events.ts";
import {
  abandonDeliveries,
  ageProcessedDeliveries,
  insertConsent,
} from "../../support/rows/platform-rows.ts";

describe("The deployment platform's deliveries", () => {
  const context = webhookTestContext();

  describe("A delivery", () => {
    it("is a duplicate if it is repeated within 24 hours", async () => {
      const body = ready();
      assert.deepEqual(await context.answer(body), triggered());
      assert.deepEqual(await context.answer(body), DUPLICATE);
      await ageProcessedDeliveries(context.em(), "23 hours 59 minutes");
      assert.deepEqual(await context.answer(body), DUPLICATE);
      await ageProcessedDeliveries(context.em(), "2 minutes");
      context.api.reset();
      assert.deepEqual(await context.answer(body), triggered());
      assert.deepEqual(await context.answer(body), DUPLICATE);
    });

    it("is identified only by its id, whatever its content and length", async () => {
      const id = `\u0000${"é".repeat(900)}`;
      assert.deepEqual(await context.answer(ready({ id })), triggered());
      assert.deepEqual(
        await context.answer(ready({ id, deployment: { url: "http://127.0.0.1" } })),
        DUPLICATE,
      );
      assert.deepEqual(await context.answer(ready({ id: `${id}.` })), triggered("run_2"));
    });

    it("is identified also by a number, unless the number is unsafe", async () => {
      for (const id of [12_345, 0]) {
        context.api.reset();
        assert.deepEqual(await context.answer(ready({ id })), triggered());
        assert.deepEqual(await context.answer(ready({ id })), DUPLICATE);
        assert.deepEqual(await context.answer(ready({ id: String(id) })), DUPLICATE);
      }
      context.api.reset();
      for (const run of ["run_1", "run_2"])
        assert.deepEqual(await context.answer(ready({ id: 2 ** 53 })), triggered(run));
    });

    it("without an id is never a duplicate", async () => {
      for (const run of ["run_1", "run_2"])
        assert.deepEqual(await context.answer(ready({ id: null })), triggered(run));
    });

    it("that arrives ten times at once starts one run, and one response has its id", async () => {
      const body = ready();
      let open = () => {};
      context.api.gate = new Promise<void>(resolve => {
        open = resolve;
      });
      const all = Promise.all(Array.from({ length: 10 }, () => context.answer(body)));
      while (context.api.requestCount === 0) await new Promise(resolve => setTimeout(resolve, 10));
      open();
      const answers = await all;
      assert.equal(context.api.requestCount, 1);
      assert.deepEqual(
        answers.filter(({ body }) => JSON.stringify(body).includes("run_1")),
        [triggered()],
      );
      assert.equal(answers.filter(({ body }) => JSON.stringify(body).includes("Duplicate")).length, 9);
    });

    it("that fails is submitted by an equal one that waits", async () => {
      const body = ready();
      let open = () => {};
      context.api.gate = new Promise<void>((_, reject) => {
        open = () => reject(new Error("failed"));
      });
      context.api.gate.catch(() => {});
      const first = context.answer(body);
      while (context.api.requestCount === 0) await new Promise(resolve => setTimeout(resolve, 10));
      const second = context.answer(body);
      await new Promise(resolve => setTimeout(resolve, 200));
      const failed = context.api.gate;
      context.api.gate = Promise.resolve();
      open();
      await failed.catch(() => {});
      assert.equal((await first).status, 502);
      assert.deepEqual(await second, triggered());
      assert.match(context.api.invalidRequests.splice(0).join(), /failed/);
    });

    it("whose node stopped is processed when it is repeated after the lease", async () => {
      const event = readyEvent();
      context.api.fail.push("hang up");
      const answers = context.answer(JSON.stringify(event));
      assert.equal((await answers).status, 502);
      // The row of a node that stopped between the lease and the response.
      await context.answer(JSON.stringify(event));
      await abandonDeliveries(context.em(), 12.5);
      context.api.reset();
      const began = Date.now();
      assert.deepEqual(await context.answer(JSON.stringify(event)), triggered());
      assert.ok(Date.now() - began < 10_000);
    });

    it("that was refused or ignored is checked again when it is repeated", async () => {
      const event = readyEvent({
        deployment: { url: "https://shop.example" },
        payload: { project: { id: "prj_later" } },
      });
      const body = JSON.stringify(event);
      for (let time = 0; time < 2; time++) assert.deepEqual(await context.answer(body), NOT_ALLOWED);
      await insertConsent(context.em(), "project:prj_later");
      assert.deepEqual(await context.answer(body), triggered("run_1", "https://shop.example"));
      assert.deepEqual(await context.answer(body), DUPLICATE);
    });
  });

  describe("The Cloud API", () => {
    const failures: Record<string, [CloudApi["fail"][number], object]> = {
      "refuses the run": [
        res => problem(res, 402, "plan_limit_exceeded", "The team has used 50 of the 50 runs."),
        {
          status: 402,
          code: "plan_limit_exceeded",
          error: "The team has used 50 of the 50 runs.",
          requestId: "request-1",
        },
      ],
      "does not know the key, as in the middle of a key's exchange": [
        res => problem(res, 401, "unauthorized", "This API key is unknown or was revoked."),
        {
          status: 401,
          code: "unauthorized",
          error: "This API key is unknown or was revoked.",
          requestId: "request-1",
        },
      ],
      "asks for patience": [
        res => problem(res, 503, "unavailable", "Try again shortly.", { "Retry-After": "60" }),
        { status: 503, code: "unavailable", error: "Try again shortly.", requestId: "request-1" },
      ],
      "answers with a proxy's page that has the key in it": [
        res => void res.writeHead(500).end(`<h1>Bad: Bearer ${context.api.key}</h1>`),
        { status: 500, code: "unknown", error: "500 <h1>Bad: Bearer …</h1>", requestId: null },
      ],
      "answers with something else than a run": [
        res => void res.writeHead(200).end("<h1>Welcome</h1>"),
        {
          status: null,
          code: "unreachable",
          error: "The response of the Cloud API could not be read",
          requestId: null,
        },
      ],
      "answers with an error of ten thousand words": [
        res => problem(res, 500, "internal", "word ".repeat(10_000)),
        { status: 500, code: "internal", error: "word ".repeat(100), requestId: "request-1" },
      ],
    };
    for (const [name, [failure, body]] of Object.entries(failures))
      it(`that ${name} causes status 502 with its error, and the delivery can be repeated`, async () => {
        const bytes = ready();
        context.api.fail.push(failure);
        assert.deepEqual(await context.answer(bytes), { status: 502, body: { triggered: false, ...body } });
        assert.deepEqual(await context.answer(bytes), triggered());
        assert.deepEqual(await context.answer(bytes), DUPLICATE);
      });

    it("that closes the connection causes status 502, and the delivery can be repeated", async () => {
      const bytes = ready();
      context.api.fail.push("hang up");
      const { status, body } = await context.answer(bytes);
      assert.equal(status, 502);
      assert.match(
        JSON.stringify(body),
        /"triggered":false,"error":"The Cloud API could not be reached: .+"status":null/,
      );
      assert.deepEqual(await context.answer(bytes), triggered());
    });
  });
});
