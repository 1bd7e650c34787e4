import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { sessionView } from "../../../shared/contracts/teams/sessions.ts";

/** A minimal browser that signs in at a provider: it keeps cookies by origin, and fills in the provider's form. */
export class OidcBrowser {
  readonly #baseUrl: string;
  readonly cookies = new Map<string, Map<string, string>>();

  /** @param baseUrl of the service */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin, href } = new URL(url, this.#baseUrl);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Cookie, ...init.headers };
    const answer = await fetch(href, { redirect: "manual", ...init, headers });
    // Tests sign in more often than people at one address may.
    if (answer.status === 429) {
      await delay(Number(answer.headers.get("retry-after") ?? 1) * 1_000);
      return this.request(url, init);
    }
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "" || /Max-Age=0/.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** Sends a request like a page of the service. */
  send(method: string, path: string, body?: object): Promise<Response> {
    return this.request(path, {
      method,
      headers: { "Sec-Fetch-Site": "same-origin", ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Starts a sign-in, and returns the URL of the service that the provider leads back to. */
  async begin(login: string, { provider = "default", next = "/" } = {}): Promise<string> {
    const started = await this.request(`/auth/oidc/${provider}?next=${encodeURIComponent(next)}`);
    assert.equal(started.status, 302, await started.clone().text());
    let url = started.headers.get("location") ?? "";
    for (let step = 0; step < 10; step += 1) {
      if (url.startsWith(this.#baseUrl)) return url;
      const answer = await this.request(url);
      const location = answer.headers.get("location");
      const next = location ?? (await this.#submit(url, await answer.text(), login));
      url = new URL(next, url).href;
    }
    return assert.fail("the provider never leads back");
  }

  /** Fills in the provider's sign-in form. @returns where it leads */
  async #submit(at: string, html: string, login: string): Promise<string> {
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1] ?? assert.fail(html);
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? assert.fail(html);
    const body = new URLSearchParams({ prompt, login, password: "any" });
    const answer = await this.request(new URL(action, at).href, { method: "POST", body });
    return answer.headers.get("location") ?? assert.fail(await answer.text());
  }

  async signIn(login: string, options: { provider?: string; next?: string } = {}): Promise<Response> {
    return this.request(await this.begin(login, options));
  }

  async session() {
    return sessionView.parse(await (await this.request("/v1/session")).json());
  }
}
