import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { codeAt } from "../../../../shared/capture/sessions/one-time-code.ts";
import {
  accountPage,
  codePage,
  dashboardPage,
  homePage,
  loginPage,
  profilePage,
  routerPage,
} from "./pages.ts";

/** The application's only user. */
export const USER = { email: "editor@example.com", password: "correct horse", totp: "JBSWY3DPEHPK3PXP" };

/** A visitor's state on the server, by the cookie of the session. */
interface Visitor {
  token: string;
  /** How far the login has come. */
  step: "anonymous" | "password" | "code";
  /** User pages that were shown since the login. */
  pages: number;
}

/** An application with a login, a router, and everything that steps act on. */
export class Application {
  /** Requests as `GET /path`, in order. */
  readonly requests: string[] = [];
  /** Number of completed logins. */
  logins = 0;
  /** Whether the login asks for a one-time code. */
  needsCode = true;
  /** Number of user pages after which a login ends. */
  pagesPerLogin = Number.POSITIVE_INFINITY;
  /** How long browsers keep the cookie of a login, s; null until they close. */
  cookieSeconds: number | null = null;
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

  /** Uses the current code, as a login elsewhere does. */
  useCode(): void {
    this.#takeCode(codeAt(USER.totp, Date.now()));
  }

  /** Ends all sessions, as a restart does. */
  logOutAll(): void {
    this.#visitors.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
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
    else if (route === "GET /dashboard") show(dashboardPage());
    else if (route === "GET /me") show("", this.#isUser(visitor) ? 200 : 401);
    else if (route === "GET /admin") show("<h1>Not allowed</h1>", 403);
    else if (route === "GET /private") show(accountPage(USER.email), this.#isUser(visitor) ? 200 : 401);
    else if (route === "GET /account" && this.#isUser(visitor)) show(accountPage(USER.email));
    else if (route === "GET /account" || route === "GET /login/code") redirect("/login");
    else if (route === "GET /profile") show(profilePage());
    else if (route === "POST /profile") show(profilePage("A name is missing."), 422);
    else if (route === "GET /basic") this.#showBasic(request, response);
    else if (request.method === "POST" && fields.get("token") !== visitor.token)
      show("<h1>Form expired</h1>", 403);
    else if (route === "POST /login") {
      const isUser = fields.get("email") === USER.email && fields.get("password") === USER.password;
      if (!isUser)
        return void show(loginPage(visitor.token, `${fields.get("password")} is not the password.`));
      visitor.step = "password";
      if (this.needsCode) return void redirect("/login/code");
      this.#logIn(visitor, response);
      redirect("/account");
    } else if (route === "POST /login/code" && visitor.step === "password") {
      const code = fields.get("code") ?? "";
      if (!this.#takeCode(code)) return void show(codePage(visitor.token, "The code is wrong or used."));
      this.#logIn(visitor, response);
      redirect("/account");
    } else show("<h1>Not found</h1>", 404);
  }

  #visitorOf(request: IncomingMessage, response: ServerResponse): Visitor {
    const id = /(?:^|; )sid=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const known = this.#visitors.get(id);
    if (known) return known;
    const visitor: Visitor = { token: randomUUID(), step: "anonymous", pages: 0 };
    this.#setCookie(visitor, response);
    return visitor;
  }

  #setCookie(visitor: Visitor, response: ServerResponse, maxAge = ""): void {
    const id = randomUUID();
    this.#visitors.set(id, visitor);
    response.setHeader("Set-Cookie", `sid=${id}; Path=/; HttpOnly; SameSite=Lax${maxAge}`);
  }

  #logIn(visitor: Visitor, response: ServerResponse): void {
    Object.assign(visitor, { step: "code", pages: 0 });
    this.logins++;
    if (this.cookieSeconds !== null) this.#setCookie(visitor, response, `; Max-Age=${this.cookieSeconds}`);
  }

  /** Returns whether a visitor is logged in. Each page counts. */
  #isUser(visitor: Visitor): boolean {
    return visitor.step === "code" && visitor.pages++ < this.pagesPerLogin;
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
