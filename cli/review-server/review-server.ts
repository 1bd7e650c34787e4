import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import { UPLOAD_BOUNDS } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { parseJson } from "../../shared/json.ts";
import { LIVE_CSP, renderLivePage } from "../../shared/report/render/render-live.ts";
import type { ReportModel } from "../../shared/report/report-model.ts";
import type { CheckedScreenshot } from "../check/check-result.ts";
import { CommandError } from "../terminal.ts";
import { REVIEW_ERRORS as ERRORS } from "../texts/review-server.ts";
import { admittedPath } from "./request-guard.rule.ts";

/** An image in base64, with its metadata. */
const MAX_BODY_BYTES = Math.ceil(UPLOAD_BOUNDS.imageBytes * 1.4);
/** Browsers close a silent connection. */
const SIGN_OF_LIFE_MS = 20_000;
const TOKEN_BYTES = 18;

const approvalSchema = z.object({
  screenshots: z
    .array(z.object({ id: z.string(), image: z.string().nullable() }))
    .min(1)
    .max(2_000),
  group: z.boolean().default(false),
});

/** What the server shows and does. */
export interface ReviewHandlers {
  /** Returns the page's content and the number of its result. */
  page(): { model: ReportModel; revision: number };
  receive(body: unknown): Promise<void>;
  approve(approval: z.infer<typeof approvalSchema>): Promise<number>;
  /** Reports an error that is not the client's. */
  onError(error: unknown): void;
}

/** The server of `vrs dev`. It is reachable from this machine only, with a token in its URL. */
export class ReviewServer {
  readonly #server: Server;
  readonly #token = randomBytes(TOKEN_BYTES).toString("base64url");
  readonly #handlers: ReviewHandlers;
  readonly #streams = new Set<ServerResponse>();
  /** Files of the images by their ids. Nothing else is served. */
  readonly #images = new Map<string, string>();
  readonly #signs: NodeJS.Timeout;

  constructor(handlers: ReviewHandlers) {
    this.#handlers = handlers;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => this.#refuse(response, error));
    });
    this.#signs = setInterval(() => this.#write(": alive\n\n"), SIGN_OF_LIFE_MS);
    this.#signs.unref();
  }

  /** @param port 0 uses any free one. @returns the URL. @throws CommandError `port_taken` */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", error => {
        const isTaken = "code" in error && error.code === "EADDRINUSE";
        reject(isTaken ? new CommandError("port_taken", ERRORS.portTaken(port), error) : error);
      });
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${this.#port}/${this.#token}/`;
  }

  /** Returns the URL of an image file, relative to the page. It changes with the image. */
  linkTo(path: string, hash: string | null): string {
    const id = createHash("sha256").update(`${path}\0${hash}`).digest("hex").slice(0, 24);
    this.#images.set(id, path);
    return `images/${id}`;
  }

  /** Tells the open pages. */
  notify(event: "checking" | "result"): void {
    this.#write(`event: ${event}\ndata:\n\n`);
  }

  async close(): Promise<void> {
    clearInterval(this.#signs);
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  get #port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const path = admittedPath(
      {
        method,
        path: url.split("?", 1)[0] ?? "",
        ...{ host: headers.host, origin: headers.origin, site: header(headers["sec-fetch-site"]) },
      },
      { port: this.#port, token: this.#token },
    );
    if (method === "GET" && path === "") this.#page(response);
    else if (method === "GET" && path === "events") this.#stream(response);
    else if (method === "GET" && path?.startsWith("images/")) this.#image(path.slice(7), response);
    else if (method === "POST" && path === "screenshots") {
      await this.#handlers.receive(await readJson(request));
      send(response, 202, {});
    } else if (method === "POST" && path === "approve") {
      const read = approvalSchema.safeParse(await readJson(request));
      if (!read.success) throw new CommandError("invalid_body", ERRORS.notApproval, read.error);
      send(response, 200, { approved: await this.#handlers.approve(read.data) });
    } else answer(response, 404, NOT_FOUND);
  }

  #page(response: ServerResponse): void {
    const { model, revision } = this.#handlers.page();
    response.writeHead(200, {
      ...SAFE,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": LIVE_CSP,
    });
    response.end(renderLivePage(model, revision));
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { ...SAFE, "content-type": "text/event-stream" });
    // A page that missed a result while it was disconnected gets the newest one.
    response.write("event: result\ndata:\n\n");
    this.#streams.add(response);
    response.once("close", () => this.#streams.delete(response));
  }

  #image(id: string, response: ServerResponse): void {
    const path = this.#images.get(id);
    const absent = () => answer(response, 404, NOT_FOUND);
    if (path === undefined) {
      absent();
      return;
    }
    const file = createReadStream(path);
    file.once("open", () => {
      response.writeHead(200, { ...SAFE, "content-type": "image/png" });
      file.pipe(response);
    });
    file.once("error", () => (response.headersSent ? response.destroy() : absent()));
  }

  #refuse(response: ServerResponse, error: unknown): void {
    if (response.headersSent) response.destroy();
    else if (error instanceof CommandError)
      answer(response, error.code.startsWith("stale") ? 409 : 400, error);
    else {
      this.#handlers.onError(error);
      answer(response, 500, { code: "internal", message: ERRORS.internal });
    }
  }

  #write(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }
}

const NOT_FOUND = { code: "not_found", message: ERRORS.notFound };
const SAFE = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Reads a JSON body. Other types, which forms of other sites can send, are refused. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!request.headers["content-type"]?.startsWith("application/json"))
    throw new CommandError("invalid_body", ERRORS.notJson);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new CommandError("invalid_body", ERRORS.tooLargeBody);
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString("utf8"));
}

/** Sends an error. */
function answer(
  response: ServerResponse,
  status: number,
  { code, message }: Pick<CommandError, "code" | "message">,
) {
  send(response, status, { error: { code, message } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { ...SAFE, "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

const header = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Returns the URL that the page shows for the new image of a screenshot; null without an image. */
export function currentImageOf(server: ReviewServer, { files, hash }: CheckedScreenshot): string | null {
  return files.current === null ? null : server.linkTo(files.current, hash);
}
