import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { LocalServer, send } from "../servers/local-server.ts";

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

/** A local issuer of OIDC tokens, like that of GitHub Actions. */
export class TokenIssuerServer {
  readonly #server: LocalServer;
  #keys: object[] = [];
  #kid = "";
  #key: PrivateKey | null = null;
  /** Requests for its keys. */
  reads = 0;
  /** Sent with the keys. */
  padding = "";
  /** Answers without keys. */
  isDown = false;
  /** The credential that a job requests its token with. */
  readonly jobCredential = "of the job";
  #tokens = 0;

  private constructor() {
    this.#server = new LocalServer((req, res) => {
      if (req.url?.startsWith("/token?")) return void this.#answerJob(req, res);
      this.reads += 1;
      if (this.isDown || req.url !== "/.well-known/jwks") return send(res, 500, {});
      send(res, 200, { keys: this.#keys, padding: this.padding });
    });
  }

  static async start(): Promise<TokenIssuerServer> {
    const issuer = new TokenIssuerServer();
    await issuer.#server.listen();
    await issuer.rotate("first");
    return issuer;
  }

  get url(): string {
    return this.#server.url;
  }

  /** Signs with another key from now on, besides the published ones. */
  async rotate(kid: string): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    this.#keys.push({ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" });
    this.#kid = kid;
    this.#key = privateKey;
  }

  /** Returns a token with these claims instead of valid ones. */
  async sign(changes: JWTPayload & Record<string, unknown>, key = this.#key): Promise<string> {
    if (!key) throw new Error("The issuer has no key.");
    const now = Math.floor(Date.now() / 1_000);
    this.#tokens += 1;
    const claims = {
      ...{ iss: this.url, sub: "repo:acme/shop:ref:refs/heads/main", repository: "acme/shop" },
      ...{ jti: `token-${this.#tokens}`, iat: now, nbf: now - 5, exp: now + 300, ...changes },
    };
    return await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: this.#kid }).sign(key);
  }

  async #answerJob({ url = "", headers }: IncomingMessage, res: ServerResponse): Promise<void> {
    if (headers.authorization !== `Bearer ${this.jobCredential}`) return send(res, 401, {});
    const aud = new URL(url, this.url).searchParams.get("audience") ?? "";
    send(res, 200, { value: await this.sign({ aud }) });
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
