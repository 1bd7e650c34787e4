import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { codeAt } from "../../../../shared/capture/sessions/one-time-code.ts";
import { accountPage, codePage, homePage, loginPage, routerPage } from "./pages.ts";

/** The application's only user. */
export const USER = { email: "editor@example.com", password: "correct horse", totp: "JBSWY3DPEHPK3PXP" };

/** A visitor's state on the server, by the cookie of the session. */
interface Visitor {
  token: string;
  /** How far the login has come. */
  step: "anonymous" | "password" | "code";
}

/** An application with a login, a router, and everything that steps act on. */
export class Application {
  /** Requests as `GET /path`, in order. */
  readonly requests: string[] = [];
  /** Number of completed logins. */
  logins = 0;
  readonly #visitors = new Map<string, Visitor>();
  readonly #usedCodes = new Set<string>();
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<Application> {
    const application = new Application();
    application.#server.listen(0);
    await once(application.#server, "listening");
    return application;
  }

  /** Its URL by host name, which a private site is allowed by. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The application has no port.");
    return `http://localhost:${address.port}`;
  }

  /** Returns how often a path was requested. */
  count(request: string): number {
    return this.requests.filter(seen => seen === request).length;
  }

  /** Ends all sessions, as a restart does. */
  logOutAll(): void {
    this.#visitors.clear();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const route = `${request.method} ${pathname}`;
    this.requests.push(route);
    const fields = new URLSearchParams(request.method === "POST" ? await text(request) : "");
    const visitor = this.#visitorOf(request, response);
    const show = (page: string, status = 200) =>
      response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(page);
    const redirect = (to: string) => response.writeHead(303, { Location: to }).end();
    const language = request.headers["accept-language"] ?? "en";

    if (route === "GET /") show(homePage(language));
    else if (pathname.startsWith("/router")) show(routerPage());
    else if (route === "GET /login") show(loginPage(visitor.token));
    else if (route === "GET /login/code" && visitor.step === "password") show(codePage(visitor.token));
    else if (route === "GET /account" && visitor.step === "code") show(accountPage(USER.email));
    else if (route === "GET /account" || route === "GET /login/code") redirect("/login");
    else if (route === "GET /basic") this.#showBasic(request, response);
    else if (request.method === "POST" && fields.get("token") !== visitor.token)
      show("<h1>Form expired</h1>", 403);
    else if (route === "POST /login") {
      const isUser = fields.get("email") === USER.email && fields.get("password") === USER.password;
      if (!isUser)
        return void show(loginPage(visitor.token, `${fields.get("password")} is not the password.`));
      visitor.step = "password";
      redirect("/login/code");
    } else if (route === "POST /login/code" && visitor.step === "password") {
      const code = fields.get("code") ?? "";
      if (!this.#takeCode(code)) return void show(codePage(visitor.token, "The code is wrong or used."));
      visitor.step = "code";
      this.logins++;
      redirect("/account");
    } else show("<h1>Not found</h1>", 404);
  }

  #visitorOf(request: IncomingMessage, response: ServerResponse): Visitor {
    const id = /(?:^|; )sid=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const known = this.#visitors.get(id);
    if (known) return known;
    const visitor: Visitor = { token: randomUUID(), step: "anonymous" };
    const newId = randomUUID();
    this.#visitors.set(newId, visitor);
    response.setHeader("Set-Cookie", `sid=${newId}; Path=/; HttpOnly; SameSite=Lax`);
    return visitor;
  }

  /** Accepts the codes of this and the last period, each once. */
  #takeCode(code: string): boolean {
    const now = Date.now();
    const isValid = [now, now - 30_000].some(time => codeAt(USER.totp, time) === code);
    if (!isValid || this.#usedCodes.has(code)) return false;
    this.#usedCodes.add(code);
    return true;
  }

  #showBasic(request: IncomingMessage, response: ServerResponse): void {
    const expected = `Basic ${Buffer.from(`${USER.email}:${USER.password}`).toString("base64")}`;
    const isUser = request.headers.authorization === expected;
    response
      .writeHead(isUser ? 200 : 401, { "Content-Type": "text/html", "WWW-Authenticate": "Basic" })
      .end(isUser ? '<body style="background:#2a9d8f">' : "<h1>Log in</h1>");
  }
}
