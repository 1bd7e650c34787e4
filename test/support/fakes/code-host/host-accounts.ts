import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { send } from "../../servers/local-server.ts";

/** A user's account at the code host. */
export interface HostAccount {
  id: number;
  login: string;
  name: string | null;
  emails: { email: string; verified: boolean; primary?: boolean }[];
}

/** The app for sign-ins. */
export const CLIENT = { id: "Iv1.client-of-the-tests", secret: "secret-of-the-tests" };

const request = z.strictObject({
  client_id: z.literal(CLIENT.id),
  redirect_uri: z.url(),
  state: z.string().min(40),
  scope: z.literal("user:email"),
  allow_signup: z.string().optional(),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal("S256"),
});
const exchanged = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().min(43),
});

/** The accounts of a code host and its sign-in flow. It accepts only valid requests of its API. */
export class HostAccounts {
  readonly #url: () => string;
  readonly #codes = new Map<string, { account: HostAccount; redirectUri: string; challenge: string }>();
  readonly #tokens = new Map<string, HostAccount>();
  /** Descriptions of invalid requests. */
  readonly invalidRequests: string[] = [];
  /** The issued tokens and received secrets, which must never be logged. */
  readonly secrets: string[] = [];
  /** Whether apps cannot read email addresses. */
  hidesEmails = false;

  /** @param url the host's URL */
  constructor(url: () => string) {
    this.#url = url;
  }

  /** The environment of a service that uses it. */
  get env(): Record<string, string> {
    return {
      CODEHOST_CLIENT_ID: CLIENT.id,
      CODEHOST_CLIENT_SECRET: CLIENT.secret,
      CODEHOST_API_URL: `${this.#url()}/api/v3`,
    };
  }

  /** Returns the redirect for a user who agrees. @throws if the URL is invalid */
  allow(address: string, account: HostAccount): URL {
    const url = new URL(address);
    assert.equal(`${url.origin}${url.pathname}`, `${this.#url()}/login/oauth/authorize`);
    const { redirect_uri, state, code_challenge } = request.parse(Object.fromEntries(url.searchParams));
    const code = randomUUID();
    this.#codes.set(code, { account, redirectUri: redirect_uri, challenge: code_challenge });
    this.secrets.push(code);
    const back = new URL(redirect_uri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", state);
    return back;
  }

  /** Returns whether a request is about accounts. */
  answers({ url = "" }: IncomingMessage): boolean {
    return /^\/(login\/|api\/v3\/user(\/|$))/.test(url);
  }

  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? "/", this.#url());
    switch (`${req.method} ${pathname}`) {
      case "POST /login/oauth/access_token":
        return send(res, 200, this.#exchange(exchanged.parse(await json(req))));
      case "GET /api/v3/user": {
        const { id, login, name } = this.#accountOf(req);
        return send(res, 200, { id, login, name });
      }
      case "GET /api/v3/user/emails": {
        const { emails } = this.#accountOf(req);
        if (this.hidesEmails) return send(res, 403, { message: "Resource not accessible by integration" });
        return send(
          res,
          200,
          emails.map(email => ({ primary: false, ...email, visibility: null })),
        );
      }
      default:
        this.invalidRequests.push(`${req.method} ${pathname}`);
        return send(res, 404, { message: "Not Found" });
    }
  }

  /** A wrong client or code gets status 200 too, as from the host. */
  #exchange(body: z.infer<typeof exchanged>): object {
    const found = this.#codes.get(body.code);
    this.#codes.delete(body.code);
    this.secrets.push(body.code_verifier);
    if (body.client_id !== CLIENT.id || body.client_secret !== CLIENT.secret)
      return { error: "incorrect_client_credentials", error_description: "The client is wrong." };
    const challenge = createHash("sha256").update(body.code_verifier).digest("base64url");
    if (!found || found.challenge !== challenge || found.redirectUri !== body.redirect_uri)
      return { error: "bad_verification_code", error_description: "The code is incorrect or expired." };
    const token = `ghu_${randomUUID()}`;
    this.#tokens.set(token, found.account);
    this.secrets.push(token);
    return { access_token: token, token_type: "bearer", scope: "" };
  }

  #accountOf(req: IncomingMessage): HostAccount {
    const token = /^token (\S+)$/.exec(req.headers.authorization ?? "")?.[1];
    const account = this.#tokens.get(token ?? "");
    assert.ok(account, "a token that was given out");
    return account;
  }
}
