import { createHash } from "node:crypto";
import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";

/** A person waits for a sign-in. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** This service's credentials at the code host. */
export interface CodeHostClient {
  clientId: string;
  clientSecret: string;
  /** The API of a self-hosted server; null for the public one. */
  apiUrl: string | null;
}

/** A user's account. */
export interface Account {
  /** Stays when the login changes. */
  hostId: string;
  login: string;
  name: string | null;
  /** Verified email addresses, in lower case. */
  emails: string[];
  /** The primary verified address; null if the code host returns none. */
  email: string | null;
}

/** A failed request to the code host. `refused` means that it responded with a refusal. */
export class CodeHostError extends Error {
  readonly refused: boolean;

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error));
    this.name = "CodeHostError";
    const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
    this.refused = status < 500;
  }
}

/** The code host's OAuth flow. Only this file imports the client library. */
export class CodeHost {
  readonly #client: CodeHostClient;

  constructor(client: CodeHostClient) {
    this.#client = client;
  }

  /** Returns the URL where a user authorizes this service. */
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
    // Apps ignore scopes, because they have permissions.
    address.searchParams.set("scope", "user:email");
    address.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
    address.searchParams.set("code_challenge_method", "S256");
    return address.href;
  }

  /** Returns the account of a code. @throws CodeHostError */
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
      const { data: user } = await octokit.request("GET /user", withTimeout());
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

  /** @param verifier sent with the code, which the client does not do by itself */
  #app(verifier?: string): App {
    const { clientId, clientSecret } = this.#client;
    const app = new App({
      // Unused for sign-ins, but the constructor requires them.
      appId: clientId,
      privateKey: "none",
      oauth: { clientId, clientSecret },
      Octokit: this.#octokit(),
      log: SILENT,
    });
    app.oauth.octokit.hook.before("request", options => {
      options.request.signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
      if (verifier !== undefined) options.code_verifier = verifier;
    });
    return app;
  }
}

/** Returns the timeout of one request. */
function withTimeout(): { request: { signal: AbortSignal } } {
  return { request: { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) } };
}

async function verifiedEmails(octokit: Octokit): Promise<{ email: string; primary: boolean }[]> {
  try {
    const { data } = await octokit.request("GET /user/emails", { per_page: 100, ...withTimeout() });
    return data.filter(({ verified }) => verified);
  } catch (error) {
    // The app may lack this permission. Invitations by address then match no account.
    if (new CodeHostError(error).refused) return [];
    throw error;
  }
}

const silent = () => {};
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
