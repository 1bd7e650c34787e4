import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { LocalServer, send } from "../servers/local-server.ts";

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

export const FAKE_CLIENT = { id: "client", secret: "secret-of-the-client" };

/** An identity provider that sends what a test wants. For valid answers, the tests use a real one. */
export class IdentityProvider {
  readonly #server: LocalServer;
  #keys: object[] = [];
  #kid = "";
  #key: PrivateKey | null = null;
  /** Returns the ID token of the next exchange. */
  idToken: () => Promise<string> = () => this.sign({});
  /** Changes the configuration. */
  metadata: Record<string, unknown> = {};
  userinfo: Record<string, unknown> = {};
  /** The bodies of the exchanges. */
  readonly exchanges: URLSearchParams[] = [];

  private constructor() {
    this.#server = new LocalServer((req, res) => void this.#answer(req, res));
  }

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await provider.#server.listen();
    await provider.rotate("first");
    return provider;
  }

  get issuer(): string {
    return this.#server.url;
  }

  /** Replaces the keys. */
  async rotate(kid: string): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    this.#keys = [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }];
    this.#kid = kid;
    this.#key = privateKey;
  }

  /** Signs claims in addition to valid ones. */
  async sign(changes: JWTPayload & Record<string, unknown>, key = this.#key): Promise<string> {
    if (!key) throw new Error("The provider has no key.");
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      aud: FAKE_CLIENT.id,
      sub: "ada",
      iat: now,
      exp: now + 300,
      ...changes,
    };
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: this.#kid }).sign(key);
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? "/", this.issuer);
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return send(res, 200, {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          userinfo_endpoint: `${this.issuer}/userinfo`,
          id_token_signing_alg_values_supported: ["RS256", "none"],
          ...this.metadata,
        });
      case "/keys":
        return send(res, 200, { keys: this.#keys });
      case "/userinfo":
        return send(res, 200, { sub: "ada", ...this.userinfo });
      case "/token":
        this.exchanges.push(new URLSearchParams(await text(req)));
        return send(res, 200, {
          ...{ access_token: "at", token_type: "bearer", expires_in: 60 },
          id_token: await this.idToken(),
        });
      default:
        return send(res, 404, {});
    }
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
