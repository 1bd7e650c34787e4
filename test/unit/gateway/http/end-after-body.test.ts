import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { endAfterBody } from "../../../../services/gateway/http/end-after-body.ts";
import { readRawBody } from "../../../../services/gateway/http/read-input.ts";

const BODY_BYTES = 40 * 1024 * 1024;

describe("the response to a request whose body is not read", () => {
  let server: Server;
  let port = 0;
  let answer: (req: IncomingMessage, res: ServerResponse) => unknown;

  before(async () => {
    server = createServer((req, res) => {
      res.setHeader("Connection", "close");
      res.writeHead(413, { "Content-Length": 7 });
      return answer(req, res);
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

  for (const framing of [`Content-Length: ${BODY_BYTES}`, "Transfer-Encoding: chunked"])
    it(`reaches a client that sends all of the body first (${framing.split(":")[0]})`, async () => {
      answer = async (req, res) => {
        await assert.rejects(readRawBody(req), { type: "payload_too_large" });
        await endAfterBody(req, res, "refused");
      };
      const chunked = framing.startsWith("Transfer");
      const size = chunked ? `${BODY_BYTES.toString(16)}\r\n` : "";
      const parts = [
        `POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n${size}`,
        Buffer.alloc(BODY_BYTES, " "),
        chunked ? "\r\n0\r\n\r\n" : "",
      ];
      assert.match(await sendThenRead(parts), /^HTTP\/1\.1 413 [\s\S]*refused$/);
    });

  it("ends when its time is over, or when the client is gone", async () => {
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";
    answer = (req, res) => endAfterBody(req, res, "refused", 300);
    const silent = connect(port, "127.0.0.1");
    silent.resume().write(head);
    await once(silent, "close");

    const ended = new Promise<void>((resolve, reject) => {
      answer = (req, res) => endAfterBody(req, res, "refused", 600_000).then(resolve, reject);
    });
    const gone = connect(port, "127.0.0.1");
    gone.write(head);
    await once(gone, "data");
    gone.destroy();
    await ended;
  });

  /** Reads nothing before all parts are sent. */
  async function sendThenRead(parts: (string | Buffer)[]): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    for (const part of parts)
      await new Promise<void>((sent, failed) =>
        socket.once("error", failed).write(part, error => (error ? failed(error) : sent())),
      );
    let received = "";
    for await (const text of socket.setEncoding("utf8")) received += text;
    return received;
  }
});
