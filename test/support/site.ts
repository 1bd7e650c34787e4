import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A page's HTML, or whoever answers for it. */
export type Page = string | ((req: IncomingMessage, res: ServerResponse) => void);

/** A web site of this machine whose pages can be changed while it runs. */
export class Site {
  readonly pages: Map<string, Page>;
  readonly #server: Server;
  /** Paths that were asked for, in order. */
  readonly requested: string[] = [];

  private constructor(server: Server, pages: Map<string, Page>) {
    this.#server = server;
    this.pages = pages;
  }

  static async start(pages: Record<string, Page> = {}): Promise<Site> {
    const server = createServer();
    const site = new Site(server, new Map(Object.entries(pages)));
    server.on("request", (req, res) => site.#answer(req, res));
    server.listen(0);
    await once(server, "listening");
    return site;
  }

  /** Its address by name, as a private site is allowed by. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The site has no port.");
    return `http://localhost:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const { pathname } = new URL(req.url ?? "/", "http://localhost");
    this.requested.push(pathname);
    const page = this.pages.get(pathname);
    if (page === undefined) {
      res.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not found</h1>");
    } else if (typeof page === "function") {
      page(req, res);
    } else {
      res.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
    }
  }
}
