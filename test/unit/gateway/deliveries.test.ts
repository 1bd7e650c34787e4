import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { Deliveries } from "../../../services/gateway/handlers/deliveries.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { LocalServer, send } from "../../support/servers/local-server.ts";

describe("The gateway's memory for webhook deliveries", () => {
  it("is bounded, and free again after each delivery, handled or not", async () => {
    const deliveries = new Deliveries(100);
    let handle = async () => {};
    const { promise: isReceiving, resolve: receives } = Promise.withResolvers<void>();
    const server = new LocalServer((req, res) => {
      req.once("readable", receives);
      deliveries
        .receive(req, 1, async body => {
          await handle();
          return body.length;
        })
        .then(
          length => send(res, 200, { length }),
          error =>
            error instanceof ServiceError
              ? send(res, error.code, { retryAfter: error.data.retryAfterSeconds })
              : send(res, 500, {}),
        );
    });
    await server.listen();
    const post = async (bytes: number) => {
      const answer = await fetch(server.url, { method: "POST", body: new Uint8Array(bytes) });
      return [answer.status, await answer.json()];
    };
    const slow = request(server.url, { method: "POST", headers: { "content-length": 60 } });
    const answered = once(slow, "response");
    slow.write(Buffer.alloc(59));
    await isReceiving;
    assert.deepEqual(await post(60), [503, { retryAfter: 2 }]);
    assert.deepEqual(await post(40), [200, { length: 40 }]);
    slow.end("x");
    const [answer] = await answered;
    answer.resume();
    assert.equal(answer.statusCode, 200);
    handle = () => Promise.reject(new Error("not handled"));
    for (let count = 0; count < 3; count += 1) assert.deepEqual(await post(100), [500, {}]);
    await server.close();
  });
});
