import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Browser, ElementHandle, Page } from "playwright";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The commands of the WebDriver protocol that tests use, answered by a real Chromium. */
export class WebdriverServer {
  readonly #server: Server;
  readonly #browser: Browser;
  readonly #elements: ElementHandle[] = [];
  #page: Page | null = null;

  private constructor(browser: Browser) {
    this.#browser = browser;
    this.#server = createServer((request, response) => {
      this.#answer(request)
        .catch((error: unknown) => ({ error: "unknown error", message: String(error), stacktrace: "" }))
        .then(value => {
          const failed = typeof value === "object" && value !== null && "error" in value;
          response.writeHead(failed ? 500 : 200, { "content-type": "application/json; charset=utf-8" });
          response.end(JSON.stringify({ value: value ?? null }));
        });
    });
  }

  static async start(browser: Browser): Promise<WebdriverServer> {
    const server = new WebdriverServer(browser);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const chunks = await request.toArray();
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString("utf8")) : {};
    const { method, url = "" } = request;
    if (method === "POST" && url === "/session") {
      this.#page = await this.#browser.newPage({ viewport: { width: 500, height: 400 } });
      // Whatever a test asks for, it gets a Chromium of that name.
      const { browserName } = body.capabilities.alwaysMatch;
      return { sessionId: "one", capabilities: { browserName, browserVersion: this.#browser.version() } };
    }
    const page = this.#page;
    if (page === null) return {};
    const [, , , command, id, part] = url.split("/");
    if (method === "DELETE") return await page.close();
    if (command === "url" && method === "POST") return void (await page.goto(body.url));
    if (command === "execute") return await this.#runScript(page, body);
    if (command === "screenshot") return (await page.screenshot()).toString("base64");
    if (command === "element" && part === "screenshot")
      return (await this.#elements[Number(id)]?.screenshot())?.toString("base64");
    if (command === "element" && part === "displayed") return true;
    if (command === "element" || command === "elements") {
      const found = await page.$(body.value);
      if (found === null) return { error: "no such element", message: body.value, stacktrace: "" };
      const element = { [ELEMENT]: String(this.#elements.push(found) - 1) };
      return command === "element" ? element : [element];
    }
    return null;
  }

  /** Scripts are function bodies. */
  async #runScript(page: Page, { script, args }: { script: string; args: unknown[] }): Promise<unknown> {
    const given = args.map(arg => {
      const isElement = typeof arg === "object" && arg !== null && ELEMENT in arg;
      return isElement ? this.#elements[Number(arg[ELEMENT])] : arg;
    });
    return await page.evaluate(([body, values]) => Reflect.apply(new Function(body), null, values), [
      script,
      given,
    ] as const);
  }
}
