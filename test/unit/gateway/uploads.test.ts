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
    const uploads = new Uploads({ maxBytes: image.length + 10 });
    const server = new LocalServer((req, res) => {
      const answer = (code: number, body: object) => send(res, code, body);
      uploads.read(req, { hash: hashOf(image), teamId: "team_1" }).then(
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
    const uploads = new Uploads({ maxBytes: image.length + 10 });
    const { promise: isReceiving, resolve: receives } = Promise.withResolvers<void>();
    const server = new LocalServer((req, res) => {
      if (req.headers["content-type"] === "text/plain") {
        req.once("readable", receives);
        uploads
          .readAttachment(
            req,
            { hash: hashOf(Buffer.from(text)), teamId: "team_1" },
            async (_bytes, kind) => kind,
          )
          .then(
            kind => send(res, 200, { kind }),
            () => send(res, 500, {}),
          );
      } else
        uploads.read(req, { hash: hashOf(image), teamId: "team_1" }).then(
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

  it("is left for other teams while the attachments of one team stall", async () => {
    const bytes = 1_000;
    const uploads = new Uploads({ maxBytes: 2 * bytes, maxTeamBytes: bytes });
    const { server, send: sendAs } = await attachmentServer(uploads);
    const stalled = await sendAs("team_1", bytes - 1);
    const refused = await sendAs("team_1", bytes - 1);
    assert.equal(await refused.status, 503);
    const other = await sendAs("team_2", bytes - 1);
    other.end();
    assert.equal(await other.status, 200);
    stalled.end();
    assert.equal(await stalled.status, 200);
    const repeated = await sendAs("team_1", bytes - 1);
    repeated.end();
    assert.equal(await repeated.status, 200);
    await server.close();
  });

  it("is freed when a sender stalls", async () => {
    const bytes = 1_000;
    const uploads = new Uploads({ maxBytes: bytes, maxTeamBytes: bytes, stalledMs: 50 });
    const { server, send: sendAs } = await attachmentServer(uploads);
    const stalled = await sendAs("team_1", bytes - 1);
    assert.equal(await stalled.status, null);
    const other = await sendAs("team_1", bytes - 1);
    other.end();
    assert.equal(await other.status, 200);
    await server.close();
  });
});

/** An attachment whose last byte has not been sent. */
interface Sending {
  /** Null if the connection was closed without an answer. */
  status: Promise<number | null>;
  end(): void;
}

/** Starts a server that reads attachments, each of the letter `x`, for the team in its path. */
async function attachmentServer(uploads: Uploads) {
  const received = new Map<string, () => void>();
  const server = new LocalServer((req, res) => {
    const [, teamId = "", id = "", length = ""] = (req.url ?? "").split("/");
    const hash = hashOf(Buffer.from("x".repeat(Number(length))));
    req.on("data", () => received.get(id)?.());
    uploads
      .readAttachment(req, { hash, teamId }, async (_bytes, kind) => kind)
      .then(
        kind => send(res, 200, { kind }),
        error => send(res, error instanceof ServiceError ? error.code : 500, {}),
      );
  });
  await server.listen();
  let sent = 0;
  return {
    server,
    /** Sends all bytes but the last one, and waits until they have arrived. */
    send: async (teamId: string, bytes: number): Promise<Sending> => {
      const id = String(sent++);
      const arrived = Promise.withResolvers<void>();
      received.set(id, arrived.resolve);
      const sending = request(`${server.url}/${teamId}/${id}/${bytes + 1}`, { method: "PUT" });
      const status = new Promise<number | null>(resolve => {
        sending.once("error", () => resolve(null));
        sending.once("response", response => {
          response.resume();
          resolve(response.statusCode ?? null);
        });
      });
      sending.write("x".repeat(bytes));
      await arrived.promise;
      return { status, end: () => sending.end("x") };
    },
  };
}
