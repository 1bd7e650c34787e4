import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const MISSING = "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>Lost.</Message></Error>";
const BUSY = "<?xml version='1.0'?><Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>";

/** A proxy in front of a store of S3 that responds as a bad day of it would. */
export class FaultyStore {
  /** Delay of every response, in ms. */
  delayMs = 0;
  /** Whether it rejects requests as too many. */
  rejects = false;
  /** How many of the next reads find no image, although it is there. */
  lostReads = 0;
  /** How many of the next reads end in the middle of the image. */
  cutReads = 0;
  /** How many responses were wrong. */
  faults = 0;
  readonly #server: Server;
  readonly #target: URL;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((req, res) => void this.#answer(req, res));
  }

  /** @param target endpoint of the store behind it */
  static async start(target: string): Promise<FaultyStore> {
    const store = new FaultyStore(target);
    await once(store.#server.listen(0, "127.0.0.1"), "listening");
    return store;
  }

  get endpoint(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("It is not listening.");
    return `http://127.0.0.1:${address.port}`;
  }

  /** Responds correctly from now on. */
  recover(): void {
    this.delayMs = 0;
    this.rejects = false;
    this.lostReads = 0;
    this.cutReads = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.delayMs > 0) await delay(this.delayMs);
    const isRead = req.method === "GET" && req.url?.includes(".png") === true;
    if (this.rejects) return this.#fail(req, res, 503, BUSY);
    if (isRead && this.lostReads > 0) {
      this.lostReads -= 1;
      return this.#fail(req, res, 404, MISSING);
    }
    const isCut = isRead && this.cutReads > 0;
    if (isCut) this.cutReads -= 1;
    const { hostname, port } = this.#target;
    const forwarded = request(
      { hostname, port, method: req.method, path: req.url, headers: req.headers },
      answer => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        if (!isCut) return void answer.pipe(res);
        this.faults += 1;
        answer.once("data", (bytes: Buffer) => {
          res.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => res.destroy());
        });
      },
    );
    forwarded.on("error", () => res.destroy());
    req.pipe(forwarded);
  }

  #fail(req: IncomingMessage, res: ServerResponse, status: number, body: string): void {
    this.faults += 1;
    req.resume();
    res.writeHead(status, { "Content-Type": "application/xml" }).end(body);
  }
}
