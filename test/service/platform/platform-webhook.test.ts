import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import {
  INVALID,
  NOT_ALLOWED,
  NOT_JSON,
  skipped,
  triggered,
  webhookTestContext,
} from "../../support/contexts/webhook-context.ts";
import { Integration, SECRET, sign } from "../../support/drivers/integration.ts";
import { PREVIEW, PREVIEW_DOMAIN, ready, readyEvent, SHA } from "../../support/fixtures/platform-events.ts";
import { problemOf } from "../../support/formats/problem.ts";

function seeded(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe("The deployment platform's webhook", () => {
  const context = webhookTestContext();

  describe("the signature", () => {
    const body = ready();
    const right = sign(body);
    const cases: Record<string, string> = {
      "of other bytes": sign(`${body} `),
      "with another secret": sign(body, `${SECRET}x`),
      "of zeros": "0".repeat(40),
      "too short": right.slice(1),
      "too long": `${right}0`,
      "twice as long": right + right,
      "not in hex": `g${right.slice(1)}`,
      "with a name before it": `sha1=${right}`,
      "in base64": Buffer.from(right, "hex").toString("base64"),
      "with a blank within": `${right.slice(0, 20)} ${right.slice(20)}`,
      "of characters that are not ASCII": "é".repeat(40),
      empty: "",
    };
    for (const [name, signature] of Object.entries(cases))
      it(`is refused when it is ${name}`, async () => {
        assert.deepEqual(
          await context.answer(body, { headers: { "x-platform-signature": signature } }),
          INVALID,
        );
        assert.equal(context.api.requestCount, 0);
      });

    it("is refused when it is missing, for any body", async () => {
      const unsigned = await fetch(`${context.baseUrl}/api/webhook`, { method: "POST", body });
      assert.deepEqual({ status: unsigned.status, body: await unsigned.json() }, INVALID);
      assert.deepEqual(
        await context.answer("{", { headers: { "x-platform-signature": sign("}") } }),
        INVALID,
      );
    });

    it("covers the bytes, so that reformatted JSON is refused", async () => {
      const signature = { "x-platform-signature": right };
      for (const rewritten of [JSON.stringify(JSON.parse(body), null, 2), `${body}\n`, `\ufeff${body}`])
        assert.deepEqual(await context.answer(rewritten, { headers: signature }), INVALID);
    });

    it("covers the received bytes, so that one of an uncompressed body is refused", async () => {
      const zipped = gzipSync(body);
      const headers = { "content-encoding": "gzip" };
      assert.deepEqual(
        await context.answer(zipped, { headers: { ...headers, "x-platform-signature": right } }),
        INVALID,
      );
      // The signature is right, but the body cannot be parsed.
      assert.deepEqual(await context.answer(zipped, { headers }), NOT_JSON);
    });

    it("is accepted in upper case, over a chunked body, and with any content type", async () => {
      const event = ready();
      const headers = { "x-platform-signature": sign(event).toUpperCase(), "content-type": "text/plain" };
      assert.deepEqual(await context.answer(event, { headers, chunked: true }), triggered());
    });
  });

  describe("the body", () => {
    const bodies: Record<string, string | Buffer> = {
      empty: "",
      "cut off": ready().slice(0, -1),
      "two objects": "{}{}",
      "a list": "[]",
      "a text": '"deployment.succeeded"',
      null: "null",
      "not UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      "nested too deeply to be an event": "[".repeat(400_000) + "]".repeat(400_000),
    };
    for (const [name, bytes] of Object.entries(bodies))
      it(`${name} is no event, although it is signed`, async () => {
        assert.deepEqual(await context.answer(bytes), NOT_JSON);
      });

    it("over 1 MiB is refused unread, with and without a Content-Length", async () => {
      const large = Buffer.alloc(10 * 1024 * 1024, " ");
      assert.equal((await context.answer(large)).status, 413);
      const chunks = new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < large.length; sent += 65_536)
            controller.enqueue(large.subarray(0, 65_536));
          controller.close();
        },
      });
      const init = {
        method: "POST",
        body: chunks,
        duplex: "half",
        headers: { "x-platform-signature": sign(large) },
      };
      const answer = await fetch(`${context.baseUrl}/api/webhook`, init);
      await problemOf(answer, "payload_too_large");
      assert.match(await answerToAll(context.baseUrl, large), /^HTTP\/1\.1 413 [\s\S]*payload_too_large/);
      // Exactly 1 MiB is read.
      assert.deepEqual(await context.answer(ready().padEnd(1024 * 1024, " ")), triggered());
    });

    it("uses the last of two equal keys, and pollutes no prototype", async () => {
      const twice = ready().replace('"target":null', '"target":"production","target":null');
      assert.deepEqual(await context.answer(twice), triggered());
      const production = ready().replace('"target":null', '"target":null,"target":"production"');
      assert.deepEqual(await context.answer(production), skipped("Skipping production deployment"));
      const proto = ready().replace(
        '"meta":{}',
        '"meta":{"__proto__":{"scmOrg":"o","scmRepo":"r","gitCommitSha":"0123456"}}',
      );
      assert.deepEqual(await context.answer(proto), triggered("run_2"));
      assert.deepEqual(
        context.api.runs.map(({ scm }) => scm),
        [undefined, undefined],
      );
      const polluting = '{"__proto__":{"type":"deployment.ready"},"constructor":{"prototype":{"type":"x"}}}';
      assert.deepEqual(await context.answer(polluting), skipped("Ignored event type: none"));
      assert.equal(Reflect.get({}, "type"), undefined);
    });
  });

  describe("an event", () => {
    for (const type of [
      "deployment.created",
      "deployment.error",
      "deployment.canceled",
      "deployment",
      "Deployment.Ready",
    ])
      it(`${type} starts nothing`, async () => {
        assert.deepEqual(await context.answer(ready({ type })), skipped(`Ignored event type: ${type}`));
        assert.equal(context.api.requestCount, 0);
      });

    it("with a missing, non-text, or very long type starts nothing", async () => {
      for (const type of [null, 5, {}, ""])
        assert.deepEqual(await context.answer(ready({ type })), skipped("Ignored event type: none"));
      assert.deepEqual(
        await context.answer(ready({ type: "x".repeat(9_000) })),
        skipped(`Ignored event type: ${"x".repeat(100)}`),
      );
    });

    const targets: [unknown, string][] = [
      ["production", "Skipping production deployment"],
      ["staging", "Skipping staging deployment"],
      ["", "Skipping production deployment"],
      [false, "Skipping production deployment"],
      [0, "Skipping production deployment"],
      [{}, "Skipping production deployment"],
      ["<script>", "Skipping production deployment"],
    ];
    for (const [target, reason] of targets)
      it(`for ${JSON.stringify(target)} starts nothing`, async () => {
        assert.deepEqual(await context.answer(ready({ deployment: { target } })), skipped(reason));
        assert.equal(context.api.requestCount, 0);
      });

    it("without a URL starts nothing", async () => {
      for (const url of [undefined, null, "", 5, ["a"]])
        assert.deepEqual(
          await context.answer(ready({ deployment: { url } })),
          skipped("Deployment has no URL"),
        );
      const without = { ...readyEvent(), payload: "none" };
      assert.deepEqual(await context.answer(JSON.stringify(without)), skipped("Deployment has no URL"));
    });

    it("of a preview starts a run, of either type, with and without a target", async () => {
      assert.deepEqual(await context.answer(ready({ type: "deployment.ready" })), triggered("run_1"));
      assert.deepEqual(
        await context.answer(ready({ deployment: { target: undefined } })),
        triggered("run_2"),
      );
      assert.deepEqual(
        context.api.runs.map(({ url, routes, project, scm }) => ({ url, routes, project, scm })),
        [
          { url: `https://${PREVIEW}`, routes: ["/", "/pricing?a=1"], project: "shop", scm: undefined },
          { url: `https://${PREVIEW}`, routes: ["/", "/pricing?a=1"], project: "shop", scm: undefined },
        ],
      );
    });

    it("is checked by type, then target, then URL", async () => {
      const all = ready({ type: "other", deployment: { target: "production", url: "http://127.0.0.1" } });
      assert.deepEqual(await context.answer(all), skipped("Ignored event type: other"));
      const two = ready({ deployment: { target: "production", url: "http://127.0.0.1" } });
      assert.deepEqual(await context.answer(two), skipped("Skipping production deployment"));
    });
  });

  describe("a commit", () => {
    const meta = {
      scmCommitSha: SHA,
      scmPrId: "7",
      scmOrg: "acme",
      scmRepo: "shop",
      scmCommitRef: "topic",
    };

    it("is submitted with the run, with its number as a number", async () => {
      await context.answer(ready({ deployment: { meta } }));
      const [run] = context.api.runs;
      assert.deepEqual(run?.scm, { owner: "acme", repo: "shop", sha: SHA, pr: 7, branch: "topic" });
      // The API names the project owner/repo, as for all runs of that repository.
      assert.equal(run?.project, undefined);
    });
  });

  it("never fails, and never starts a run for an unsigned body, in a thousand mutations", async () => {
    const below = seeded(20_251_121);
    const original = Buffer.from(
      ready({ deployment: { meta: { scmCommitSha: SHA, scmOrg: "acme", scmRepo: "shop", scmPrId: 7 } } }),
    );
    const mutate = () => {
      const bytes = Buffer.from(original);
      for (let changes = 1 + below(4); changes > 0; changes--) bytes[below(bytes.length)] = below(256);
      const [from, to] = [below(bytes.length), below(bytes.length)];
      // Some lose a part, or have one twice.
      if (below(4) === 0) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
      return bytes;
    };
    const statuses = new Map<number, number>();
    for (let round = 0; round < 100; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const bytes = mutate();
          const isSigned = below(2) === 0;
          const headers = { "x-platform-signature": sign(isSigned ? bytes : original) };
          const { status, body } = await context.answer(bytes, { headers });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const same = bytes.equals(original);
          if (!isSigned && !same) assert.deepEqual({ status, body }, INVALID);
          else assert.ok([200, 400].includes(status), `${status} ${JSON.stringify(body)} ${bytes}`);
          if (status === 400)
            assert.ok(
              [NOT_ALLOWED, NOT_JSON].some(({ body: { error } }) => JSON.stringify(body).includes(error)),
            );
        }),
      );
    }
    // The platform's fake received everything.
    for (const status of [200, 400, 401])
      assert.ok((statuses.get(status) ?? 0) > 50, JSON.stringify([...statuses]));
  });

  describe("a node with only the integration", () => {
    it("identifies itself, is ready without the other services, and refers API callers to the right URL", async () => {
      const get = async (path: string) => {
        const response = await fetch(`${context.baseUrl}${path}`);
        return { status: response.status, body: JSON.parse(await response.text()) };
      };
      assert.deepEqual(await get("/health"), {
        status: 200,
        body: { status: "ok", integration: "platform" },
      });
      assert.deepEqual(await get("/ready"), { status: 200, body: { status: "ready", missing: [] } });
      const home = await fetch(context.baseUrl);
      assert.deepEqual([home.status, home.url], [200, `${context.baseUrl}/docs`]);
      const began = Date.now();
      const runs = await get("/v1/runs");
      assert.deepEqual([runs.status, runs.body.code], [404, "not_found"]);
      assert.match(runs.body.detail, /SERVICE_API_URL/);
      assert.equal((await fetch(`${context.baseUrl}/v1/runs`, { method: "PUT" })).status, 404);
      assert.ok(Date.now() - began < 5_000, "without waiting for services that never come");
      const { paths } = (await get("/v1/openapi.json")).body;
      assert.ok("/api/webhook" in paths && !("/v1/runs" in paths));
    });
  });
});

describe("The deployment platform's webhook without its settings", () => {
  it("refuses everything without a secret", async () => {
    const integration = await Integration.start({ PLATFORM_CLIENT_SECRET: "" });
    try {
      const NOT_CONFIGURED = { status: 500, body: { error: "Webhook secret not configured" } };
      for (const [bytes, secret] of [
        [ready(), SECRET],
        [ready(), ""],
        ["{", SECRET],
      ] as const) {
        const headers = { "x-platform-signature": sign(bytes, secret) };
        const { status, body } = await integration.deliver(bytes, { headers });
        assert.deepEqual({ status, body }, NOT_CONFIGURED);
      }
    } finally {
      await integration.stop();
    }
  });

  it("reports a missing API URL or key last, and works with another platform's names", async () => {
    const integration = await Integration.start({
      SERVICE_API_URL: "http://localhost:9",
      PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
      PLATFORM_SIGNATURE_HEADER: "X-Other-Signature",
      PLATFORM_INTEGRATION_NAME: "Other",
    });
    try {
      const send = async (bytes: string) => {
        const headers = { "x-platform-signature": "none", "x-other-signature": sign(bytes) };
        const { status, body } = await integration.deliver(bytes, { headers });
        return { status, body };
      };
      const NOT_CONFIGURED = skipped("Service API not configured (SERVICE_API_URL / SERVICE_API_KEY)");
      const body = ready();
      assert.deepEqual(await send(body), NOT_CONFIGURED);
      assert.deepEqual(await send(body), NOT_CONFIGURED);
      assert.deepEqual(await send(ready({ deployment: { url: "https://shop.example" } })), NOT_ALLOWED);
      const { status, body: refused } = await integration.deliver(body);
      assert.deepEqual({ status, body: refused }, INVALID);
      const health = await fetch(`${integration.baseUrl}/health`);
      assert.deepEqual(await health.json(), { status: "ok", integration: "Other" });
    } finally {
      await integration.stop();
    }
  });
});

/** Returns the response for a client that sends the whole body in one chunk before it reads. */
async function answerToAll(baseUrl: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const head = `POST /api/webhook HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = Buffer.concat([
    Buffer.from(`${head}${body.length.toString(16)}\r\n`),
    body,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
  try {
    await new Promise<void>((sent, failed) =>
      socket.on("error", failed).write(chunk, fault => (fault ? failed(fault) : sent())),
    );
    return await text(socket.setEncoding("utf8"));
  } finally {
    socket.destroy();
  }
}
