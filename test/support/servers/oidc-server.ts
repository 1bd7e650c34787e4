import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";
import { freePort } from "../drivers/free-port.ts";

export const OIDC_CLIENT = { id: "vrs-of-the-tests", secret: "a-client-secret-of-the-tests" };

const WITHOUT_GUARD: object = { dispatcher: undefined };

/** The claims of an account at the provider. */
export type OidcClaims = Record<string, unknown>;

/** A real OpenID Connect provider on this machine. Its own pages sign anyone in by name. */
export class OidcServer {
  readonly #port: number;
  readonly #server: Server;
  #provider: Provider | null = null;
  #client: ClientMetadata | null = null;
  #keys: JWK[] = [];
  /** By subject. */
  readonly accounts = new Map<string, OidcClaims>();
  /** Answers every request with an error of the server. */
  isDown = false;

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer((req, res) => {
      if (this.isDown || !this.#provider) res.writeHead(503).end();
      else void this.#provider.callback()(req, res);
    });
  }

  static async start(): Promise<OidcServer> {
    const server = new OidcServer(await freePort());
    await new Promise<void>(done => server.#server.listen(server.#port, () => done()));
    await server.rotate();
    return server;
  }

  get issuer(): string {
    return `http://localhost:${this.#port}`;
  }

  /** The environment of a service that uses it. */
  get env(): Record<string, string> {
    return {
      SERVICE_OIDC_ISSUER: this.issuer,
      SERVICE_OIDC_CLIENT_ID: OIDC_CLIENT.id,
      SERVICE_OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      SERVICE_OIDC_NAME: "Acme ID",
      SERVICE_OIDC_SCOPES: "openid profile email groups",
    };
  }

  /** Registers the client of a service. @param paths of its providers: `default`, or ids of teams */
  register(baseUrl: string, ...paths: string[]): void {
    this.#client = {
      ...{ client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret },
      redirect_uris: paths.map(path => `${baseUrl}/auth/oidc/${path}/callback`),
      post_logout_redirect_uris: [`${baseUrl}/sign-in`],
      backchannel_logout_uri: `${baseUrl}/auth/oidc/${paths[0]}/logout`,
      backchannel_logout_session_required: true,
      ...{ response_types: ["code"], grant_types: ["authorization_code"] },
    };
    this.#make();
  }

  /** Replaces the keys. */
  async rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    this.#keys = [{ ...(await exportJWK(privateKey)), use: "sig", alg: "RS256", kid: `key-${Date.now()}` }];
    this.#make();
  }

  /** Signs a token with the provider's key. */
  async sign(claims: JWTPayload): Promise<string> {
    const jwk = this.#keys[0] ?? assert.fail("no key");
    const header = { alg: "RS256", kid: jwk.kid ?? "" };
    return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(jwk, "RS256"));
  }

  #make(): void {
    const configuration: Configuration = {
      clients: this.#client ? [this.#client] : [],
      jwks: { keys: this.#keys },
      cookies: { keys: ["of the tests"] },
      claims: {
        openid: ["sub", "sid"],
        profile: ["name", "preferred_username"],
        email: ["email", "email_verified"],
        groups: ["groups"],
      },
      features: {
        devInteractions: { enabled: true },
        rpInitiatedLogout: { enabled: true },
        backchannelLogout: { enabled: true },
      },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...this.accounts.get(id) }),
      }),
      // Its own one refuses the addresses of this machine.
      fetch: (url, request) => fetch(url, { ...request, ...WITHOUT_GUARD }),
      // Everyone agrees to everything.
      async loadExistingGrant({ oidc }) {
        assert.ok(oidc.client && oidc.session);
        const grant = new oidc.provider.Grant({
          clientId: oidc.client.clientId,
          accountId: String(oidc.session.accountId),
        });
        grant.addOIDCScope("openid profile email groups");
        await grant.save();
        return grant;
      },
    };
    this.#provider = new Provider(this.issuer, configuration);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>(done => this.#server.close(() => done()));
  }
}
