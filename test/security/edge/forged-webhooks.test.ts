import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, describe, it } from "mocha";
import { SECRET, sign } from "../../support/drivers/integration.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { CodeHostAppServer } from "../../support/fakes/code-host/code-host-app.ts";
import { PaymentServer } from "../../support/fakes/payment-server.ts";
import { ready } from "../../support/fixtures/platform-events.ts";

const MEBIBYTE = 1024 * 1024;

/** A webhook as its sender signs it. */
interface Signed {
  path: string;
  body: string;
  /** The signature's header, and the other headers. */
  signature: [name: string, value: string];
  others: Record<string, string>;
  refusedWith: number;
}

describe("A forged webhook", () => {
  let vrs: Vrs;
  let host: CodeHostAppServer;
  let payments: PaymentServer;
  let signed: Signed[];

  before(async () => {
    [host, payments] = await Promise.all([CodeHostAppServer.start(), PaymentServer.start()]);
    vrs = await Vrs.start({ ...host.env, ...payments.env, PLATFORM_CLIENT_SECRET: SECRET });
    const ping = JSON.stringify({ zen: "Keep it logically awesome.", hook_id: 1 });
    const { "x-hub-signature-256": hubSignature = "", ...hubHeaders } = CodeHostAppServer.headers(
      "ping",
      ping,
    );
    const event = payments.event("customer.created", { id: "cus_1", object: "customer" });
    const deployment = ready({ deployment: { target: "production" } });
    signed = [
      {
        path: "/codehost/webhook",
        body: ping,
        signature: ["x-hub-signature-256", hubSignature],
        others: hubHeaders,
        refusedWith: 401,
      },
      {
        path: "/api/webhook",
        body: deployment,
        signature: ["x-platform-signature", sign(deployment)],
        others: {},
        refusedWith: 401,
      },
      {
        path: "/billing/webhook",
        body: event.body,
        signature: ["stripe-signature", event.signature],
        others: {},
        refusedWith: 400,
      },
    ];
  });
  after(async () => {
    await Promise.all([vrs?.stop(), host?.close(), payments?.close()]);
  });

  /** Returns the response status for these bytes. */
  const send = async (
    { path, signature: [name, value], others }: Signed,
    body: string | Buffer,
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(`${vrs.baseUrl}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...others, [name]: value, ...headers },
      body: new Uint8Array(Buffer.from(body)),
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  it("is distinguished from a genuine one, which is accepted", async () => {
    for (const webhook of signed) assert.equal(await send(webhook, webhook.body), 200, webhook.path);
  });

  it("is refused if any byte differs, is missing or is added", async () => {
    for (const webhook of signed) {
      const bytes = Buffer.from(webhook.body);
      const changed = Array.from(bytes, (byte, at) => {
        const copy = Buffer.from(bytes);
        copy.writeUInt8(byte ^ (1 << (at % 8)), at);
        return copy;
      });
      const cut = [1, 2, bytes.length - 1].map(length => bytes.subarray(0, length));
      const more = ["\n", " ", "\0", "{}"].map(end => Buffer.concat([bytes, Buffer.from(end)]));
      for (const body of [...changed, ...cut, ...more, Buffer.alloc(0)])
        assert.equal(
          await send(webhook, body),
          webhook.refusedWith,
          `${webhook.path} ${body.toString("latin1")}`,
        );
    }
  });

  it("is refused if the same JSON has other bytes or is compressed", async () => {
    for (const webhook of signed) {
      const value: unknown = JSON.parse(webhook.body);
      for (const body of [JSON.stringify(value, null, 3), `\ufeff${webhook.body}`, `${webhook.body}\r\n`])
        assert.equal(
          await send(webhook, body),
          webhook.refusedWith,
          `${webhook.path} ${JSON.stringify(body.slice(0, 9))}`,
        );
      const packed = gzipSync(webhook.body);
      assert.equal(await send(webhook, packed, { "Content-Encoding": "gzip" }), webhook.refusedWith);
    }
  });

  it("is refused with an invalid signature, or with that of another body", async () => {
    for (const webhook of signed) {
      const [name, right] = webhook.signature;
      const others = signed.flatMap(({ signature: [, value] }) => (value === right ? [] : [value]));
      const wrong = [...others, "", "sha256=", "0".repeat(64), `sha256=${"0".repeat(64)}`];
      for (const value of [...wrong, right.slice(0, -1), `${right}0`, right.replace(/[0-9a-f]$/, "x")])
        assert.equal(
          await send(webhook, webhook.body, { [name]: value }),
          webhook.refusedWith,
          `${webhook.path} ${value}`,
        );
    }
  });

  it("is refused unread if it is too large, and is never decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(128 * MEBIBYTE, "x"));
    for (const webhook of signed) {
      assert.equal(await send(webhook, Buffer.alloc(5 * MEBIBYTE, "x")), 413, webhook.path);
      assert.equal(await send(webhook, bomb, { "Content-Encoding": "gzip" }), webhook.refusedWith);
    }
    assert.equal((await fetch(`${vrs.baseUrl}/health`)).status, 200);
  });
});
