import { once } from "node:events";
import { request } from "node:http";
import sharp from "sharp";
import { runVrs } from "../../../cli/program.ts";
import { findReviewServer } from "../../../cli/review-server/server-file.ts";
import { Interrupt } from "../../../cli/terminal.ts";
import { RecordingTerminal } from "../drivers/cli-terminal.ts";
import { ScreenshotsTestContext } from "./screenshots-context.ts";

/** `vrs dev` in a repository without a configuration. */
export class ReviewServerTestContext {
  readonly folder: ScreenshotsTestContext;
  readonly terminal: RecordingTerminal;
  url = "";
  readonly #stopping = new AbortController();
  #ended: Promise<number> = Promise.resolve(0);

  private constructor(folder: ScreenshotsTestContext) {
    this.folder = folder;
    this.terminal = new RecordingTerminal({
      ...{ cwd: folder.root, env: { PATH: process.env.PATH }, signal: this.#stopping.signal },
    });
  }

  static async start(...args: string[]): Promise<ReviewServerTestContext> {
    const context = new ReviewServerTestContext(await ScreenshotsTestContext.start());
    context.#ended = runVrs(["dev", ...args], context.terminal);
    while (!context.terminal.printed.includes("/\n"))
      await Promise.race([
        new Promise(resolve => setTimeout(resolve, 10)),
        context.#ended.then(() => Promise.reject(new Error(context.terminal.errors))),
      ]);
    context.url = findReviewServer(context.folder.root, {})?.url ?? "";
    return context;
  }

  /** Presses Ctrl+C. @returns the exit code */
  async interrupt(): Promise<number> {
    this.#stopping.abort(new Interrupt("SIGINT"));
    return await this.#ended;
  }

  async stop(): Promise<void> {
    await this.interrupt();
    await this.folder.stop();
  }

  /** Sends a screenshot of one color, with a blue area, as a test does. */
  async send(name: string, color: string, fields: object = {}): Promise<Response> {
    const image = await sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
      .png()
      .toBuffer();
    return await this.post("screenshots", { name, image: image.toString("base64"), ...fields });
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Sends a request with headers that `fetch` doesn't allow. @returns the status */
  async raw(path: string, headers: Record<string, string>, method = "GET"): Promise<number | undefined> {
    const sent = request(new URL(path, this.url), { headers, method });
    sent.end();
    const [response] = await once(sent, "response");
    response.resume();
    return response.statusCode;
  }
}
