import assert from "node:assert/strict";
import { sessionView } from "../../../../shared/contracts/teams/sessions.ts";
import type { HostAccount, HostAccounts } from "../../fakes/code-host/host-accounts.ts";

let accounts = 0;
/** Returns a new account at the code host. */
export const account = (more: Partial<HostAccount> = {}): HostAccount => {
  accounts += 1;
  return { id: 1000 + accounts, login: `octo-${accounts}`, name: "Somebody", emails: [], ...more };
};

/** A minimal browser for signing in: it keeps cookies and doesn't follow redirects. */
export class BrowserClient {
  readonly #baseUrl: string;
  readonly cookies = new Map<string, string>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(`${this.#baseUrl}${path}`, {
      redirect: "manual",
      headers: { Cookie: cookie, ...headers },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Posts like a page of the service. */
  post(path: string, body: object): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return fetch(`${this.#baseUrl}${path}`, {
      method: "POST",
      headers: { Cookie: cookie, "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: JSON.stringify(body),
    });
  }

  /** Starts signing in, and approves at the code host. @returns the path of the redirect back */
  async begin(host: HostAccounts, as: HostAccount, next = "/"): Promise<string> {
    const answer = await this.get(`/auth/login?next=${encodeURIComponent(next)}`);
    assert.equal(answer.status, 302, await answer.text());
    const back = host.allow(answer.headers.get("location") ?? "", as);
    return `${back.pathname}${back.search}`;
  }

  async signIn(host: HostAccounts, as: HostAccount, next?: string): Promise<Response> {
    return this.get(await this.begin(host, as, next));
  }

  async session() {
    return sessionView.parse(await (await this.get("/v1/session")).json());
  }
}

/** Asserts that a response is an HTML page with this status and text. */
export async function pageOf(answer: Response, status: number, words: RegExp): Promise<void> {
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(text, words);
}
