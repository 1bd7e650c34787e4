import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { finishRequests } from "../../../../services/gateway/http/finish-requests.ts";

describe("A gateway that stops", () => {
  let server: Server;
  let port: number;
  let agent: Agent;
  let begun: PromiseWithResolvers<void>;
  let answered: PromiseWithResolvers<string>;

  /** Sends a request on a connection that stays open. */
  const ask = async (path: string) => {
    const [answer]: IncomingMessage[] = await once(get({ host: "127.0.0.1", port, path, agent }), "response");
    return answer ? text(answer) : "";
  };

  beforeEach(async () => {
    [begun, answered] = [Promise.withResolvers(), Promise.withResolvers()];
    agent = new Agent({ keepAlive: true });
    server = createServer(async (req, res) => {
      if (req.url === "/fast") return void res.end("fast");
      begun.resolve();
      res.end(await answered.promise);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    port = typeof address === "object" ? (address?.port ?? 0) : 0;
  });
  afterEach(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });

  it("finishes running requests, accepts no more, and closes idle connections", async () => {
    assert.equal(await ask("/fast"), "fast");
    const slow = ask("/slow");
    await begun.promise;
    const finished = finishRequests(server);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/fast`), { message: "fetch failed" });
    assert.equal(await Promise.race([finished, delay(200, "waits")]), "waits");
    answered.resolve("slow");
    assert.equal(await slow, "slow");
    await finished;
    assert.equal(await new Promise(settle => server.getConnections((_error, open) => settle(open))), 0);
  });

  it("closes connections whose requests take too long", async () => {
    const endless = assert.rejects(ask("/slow"), { code: "ECONNRESET" });
    await begun.promise;
    await finishRequests(server);
    await endless;
  });

  it("stops at once if it never listened", async () => {
    await finishRequests(createServer());
  });
});
