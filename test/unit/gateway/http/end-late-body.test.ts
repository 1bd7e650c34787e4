import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { endLateBody } from "../../../../services/gateway/http/end-late-body.ts";
import { ROUTES } from "../../../../services/gateway/routes/routes.ts";

const TIMEOUT_MS = 150;
const LONG = ["POST /v1/archives", "PUT /v1/builds/:id/images/:hash", "PUT /v1/builds/:id/attachments/:hash"];

describe("the time that a body has", () => {
  let server: Server;
  let port = 0;

  before(async () => {
    server = createServer(async (req, res) => {
      const route = ROUTES[decodeURI(req.url ?? "").slice(1)];
      assert.ok(route);
      const stop = endLateBody(req, route, TIMEOUT_MS);
      let bytes = 0;
      try {
        for await (const chunk of req) bytes += chunk.length;
        res.end(String(bytes));
      } catch {
        // The connection is closed.
      } finally {
        stop();
      }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends two bytes with a pause between them. @returns the response, or the error of the connection */
  async function send(name: string, pauseMs: number): Promise<string> {
    const sent = request({
      port,
      path: `/${encodeURI(name)}`,
      method: "POST",
      headers: { "Content-Length": 2 },
    });
    const answered = once(sent, "response").then(
      async ([response]) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        return text;
      },
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    sent.write("a");
    await delay(pauseMs);
    sent.end("b");
    return await answered;
  }

  it("ends for requests that should be short", async () => {
    assert.equal(await send("POST /v1/run", 0), "2");
    assert.equal(await send("POST /v1/run", 4 * TIMEOUT_MS), "ECONNRESET");
  });

  it("doesn't end for archives and files of builds, which take minutes on a slow line", async () => {
    for (const name of LONG) assert.equal(await send(name, 4 * TIMEOUT_MS), "2", name);
  });
});
