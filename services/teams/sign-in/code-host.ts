import { createHash } from "node:crypto";
import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";

/** Signing in is something that a person waits for. */
const ANSWERED_WITHIN_MS = 10_000;

/** This service as the code host knows it. */
export interface CodeHostClient {
  clientId: string;
  clientSecret: string;
  /** Of a server of one's own; null for the public one. */
  apiUrl: string | null;
}

/** A person's account. */
export interface Account {
  /** Stays when the login changes. */
  hostId: string;
  login: string;
  name: string | null;
  /** Addresses that the code host has seen the person read mail at, in lower case. */
  emails: string[];
  /** The one that the person reads mail at; null where the code host tells none. */
  email: string | null;
}

/** The code host did not give what was asked of it; `refused`: it answered, and no. */
export class CodeHostError extends Error {
  readonly refused: boolean;

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error));
    this.name = "CodeHostError";
    const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
    this.refused = status < 500;
  }
}

/** The code host's OAuth flow. The only file that knows its client. */
export class CodeHost {
  readonly #client: CodeHostClient;

  constructor(client: CodeHostClient) {
    this.#client = client;
  }

  /** Where a person allows this service to know who she is. */
  authorizeUrl({
    state,
    verifier,
    redirectUrl,
  }: {
    state: string;
    verifier: string;
    redirectUrl: string;
  }): string {
    const { url } = this.#app().oauth.getWebFlowAuthorizationUrl({ state, redirectUrl });
    const address = new URL(url);
    // Apps have permissions in place of scopes, and take no notice of this one.
    address.searchParams.set("scope", "user:email");
    address.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
    address.searchParams.set("code_challenge_method", "S256");
    return address.href;
  }

  /** Whose code this is. @throws CodeHostError */
  async accountOf({
    code,
    verifier,
    redirectUrl,
  }: {
    code: string;
    verifier: string;
    redirectUrl: string;
  }): Promise<Account> {
    try {
      const { authentication } = await this.#app(verifier).oauth.createToken({ code, redirectUrl });
      const octokit = new (this.#octokit())({ auth: authentication.token });
      const { data: user } = await octokit.request("GET /user", inTime());
      const verified = await verifiedEmails(octokit);
      return {
        hostId: String(user.id),
        login: user.login,
        name: user.name,
        emails: verified.map(({ email }) => email.toLowerCase()),
        email: (verified.find(({ primary }) => primary) ?? verified[0])?.email ?? null,
      };
    } catch (error) {
      throw new CodeHostError(error);
    }
  }

  #octokit(): typeof Octokit {
    const { apiUrl } = this.#client;
    return Octokit.defaults({ ...(apiUrl !== null && { baseUrl: apiUrl }), log: SILENT });
  }

  /** @param verifier sent along when a code is exchanged, which the client does not do by itself */
  #app(verifier?: string): App {
    const { clientId, clientSecret } = this.#client;
    const app = new App({
      // Nobody signs in with these two, but there is no App without them.
      appId: clientId,
      privateKey: "none",
      oauth: { clientId, clientSecret },
      Octokit: this.#octokit(),
      log: SILENT,
    });
    app.oauth.octokit.hook.before("request", options => {
      options.request.signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
      if (verifier !== undefined) options.code_verifier = verifier;
    });
    return app;
  }
}

/** A limit of the one request that it is given to. */
function inTime(): { request: { signal: AbortSignal } } {
  return { request: { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) } };
}

async function verifiedEmails(octokit: Octokit): Promise<{ email: string; primary: boolean }[]> {
  try {
    const { data } = await octokit.request("GET /user/emails", { per_page: 100, ...inTime() });
    return data.filter(({ verified }) => verified);
  } catch (error) {
    // An app may not be allowed to know them: then invitations by address find nobody.
    if (new CodeHostError(error).refused) return [];
    throw error;
  }
}

const silent = () => {};
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
