import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

export interface ReceivedPost {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver's response. `waitMs` delays it, `hangUp` replaces it. */
export interface ReceiverAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  waitMs?: number;
  hangUp?: boolean;
}

/** A local receiver that records messages, and rejects invalid ones. */
export class HttpReceiver {
  readonly received: ReceivedPost[] = [];
  /** Problems of received messages. */
  readonly faults: string[] = [];
  /** Responses in order. The last one repeats. */
  answers: ReceiverAnswer[] = [{}];
  /** The maximum of concurrent requests. */
  maxConcurrency = 0;
  #concurrency = 0;
  readonly #server: Server;

  /** @param check throws for a message that the real receiver would reject */
  private constructor(check: (post: ReceivedPost) => void) {
    this.#server = createServer(async (req, res) => {
      this.#concurrency += 1;
      this.maxConcurrency = Math.max(this.maxConcurrency, this.#concurrency);
      const post = { path: req.url ?? "/", headers: req.headers, body: await text(req) };
      this.received.push(post);
      const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? {};
      if (answer.waitMs !== undefined) await delay(answer.waitMs, undefined, { ref: false });
      this.#concurrency -= 1;
      if (answer.hangUp) return void req.socket.destroy();
      try {
        assert.equal(req.method, "POST");
        assert.match(req.headers["content-type"] ?? "", /^application\/json/);
        check(post);
        res.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? "ok");
      } catch (error) {
        this.faults.push(error instanceof Error ? error.message : String(error));
        res.writeHead(400).end("invalid_payload");
      }
    });
  }

  static async start(check: (post: ReceivedPost) => void = () => {}): Promise<HttpReceiver> {
    const receiver = new HttpReceiver(check);
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get port(): number {
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === "object");
    return address.port;
  }

  /** Its URL, with the host name that tests allow. */
  url(path = "/"): string {
    return `http://localhost:${this.port}${path}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
