import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { Uploads } from "../../../services/gateway/handlers/uploads/uploads.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { hashOf, picture } from "../../support/drivers/build-client.ts";
import { LocalServer, send } from "../../support/servers/local-server.ts";

describe("The gateway's memory for uploaded images", () => {
  it("is bounded, and free again after each upload, successful or not", async () => {
    const image = await picture("red");
    const other = Buffer.alloc(image.length);
    const uploads = new Uploads(image.length + 10);
    const server = new LocalServer((req, res) => {
      const answer = (code: number, body: object) => send(res, code, body);
      uploads.read(req, hashOf(image)).then(
        ({ width }) => answer(200, { width }),
        error => answer(error instanceof ServiceError ? error.code : 500, {}),
      );
    });
    await server.listen();
    const put = async (bytes: Buffer) =>
      (await fetch(server.url, { method: "PUT", body: new Uint8Array(bytes) })).status;
    for (const [bytes, status] of [
      [image, 200],
      [other, 422],
      [Buffer.concat([image, Buffer.alloc(100)]), 503],
      [image, 200],
    ] as const)
      assert.equal(await put(bytes), status);
    await server.close();
  });

  it("is kept for images while attachments arrive slowly", async () => {
    const image = await picture("red");
    const text = "x".repeat(image.length);
    const uploads = new Uploads(image.length + 10);
    const { promise: isReceiving, resolve: receives } = Promise.withResolvers<void>();
    const server = new LocalServer((req, res) => {
      if (req.headers["content-type"] === "text/plain") {
        req.once("readable", receives);
        uploads
          .readAttachment(req, hashOf(Buffer.from(text)), async (_bytes, kind) => kind)
          .then(
            kind => send(res, 200, { kind }),
            () => send(res, 500, {}),
          );
      } else
        uploads.read(req, hashOf(image)).then(
          () => send(res, 200, {}),
          () => send(res, 500, {}),
        );
    });
    await server.listen();
    const slow = request(server.url, { method: "PUT", headers: { "content-type": "text/plain" } });
    const answered = once(slow, "response");
    slow.write(text.slice(1));
    await isReceiving;
    const { status } = await fetch(server.url, { method: "PUT", body: new Uint8Array(image) });
    slow.end("x");
    const [answer] = await answered;
    answer.resume();
    assert.deepEqual([status, answer.statusCode], [200, 200]);
    await server.close();
  });
});
