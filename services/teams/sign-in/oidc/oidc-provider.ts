import type { JWTVerifyGetKey } from "jose";
import * as oidc from "openid-client";
import { requestChecked } from "../../../../shared/api/checked-request.ts";
import type { AddressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import type { OidcClient } from "../../../../shared/environment/oidc-variables.ts";
import { type LogoutToken, remoteKeys, verifyLogoutToken } from "./logout-token.ts";
import { ProviderError, providerErrorOf } from "./provider-error.ts";
import { completeClaims, lacksClaims, type ProviderAccount, readAccount } from "./read-claims.rule.ts";

/** A person waits for a sign-in. */
const TIMEOUT_SECONDS = 10;
/** A configuration, a set of keys or a user's claims. */
const MAX_BYTES = 1024 * 1024;
/** How long the provider's configuration is used. Its keys are read at each sign-in, because they may have changed. */
const CACHE_MS = 600_000;
const CLOCK_TOLERANCE_SECONDS = 60;

/** A pending sign-in's secrets. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
}

/** What a provider says after a sign-in. */
export interface ProviderAnswer {
  account: ProviderAccount;
  /** The session at the provider. Null if it names none. */
  sid: string | null;
  idToken: string;
}

interface Options {
  client: OidcClient;
  /** Null for the operator's provider. A team's must have an allowed address. */
  policy: AddressPolicy | null;
  redirectUrl: string;
}

/** An OpenID Connect provider. Only this file imports its client library. */
export class OidcProvider {
  readonly #options: Options;
  #metadata: { server: oidc.ServerMetadata; untilMs: number } | null = null;
  #keys: { url: string; get: JWTVerifyGetKey } | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns the URL where a user signs in. @throws ProviderError */
  authorizeUrl({ state, nonce, verifier }: FlowSecrets): Promise<string> {
    return this.#call(async configuration => {
      const { href } = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#options.redirectUrl,
        scope: this.#options.client.scopes,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...{ state, nonce },
      });
      return webUrl(href);
    });
  }

  /**
   * Exchanges the code of an authorization response. Checks the state, the issuer, and the ID token's signature, issuer,
   * audience, times and nonce.
   * @param query of the authorization response @throws ProviderError
   */
  accountOf(query: URLSearchParams, { state, nonce, verifier }: FlowSecrets): Promise<ProviderAnswer> {
    const { client, redirectUrl } = this.#options;
    return this.#call(async configuration => {
      const url = new URL(redirectUrl);
      url.search = query.toString();
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true,
      });
      const token = tokens.claims();
      if (!token || tokens.id_token === undefined) throw new ProviderError("token", "no ID token");
      const more =
        lacksClaims(token, client.groupsClaim) &&
        configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await oidc.fetchUserInfo(configuration, tokens.access_token, token.sub)
          : {};
      return {
        account: readAccount(completeClaims(token, more), token.sub, client.groupsClaim),
        sid: typeof token.sid === "string" ? token.sid.slice(0, 500) : null,
        idToken: tokens.id_token,
      };
    });
  }

  /** Returns the URL that ends the user's session at the provider, or null if it has none. @throws ProviderError */
  signOutUrl(idToken: string, returnUrl: string): Promise<string | null> {
    return this.#call(async configuration => {
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnUrl };
      return webUrl(oidc.buildEndSessionUrl(configuration, parameters).href);
    });
  }

  /** Checks that the provider's configuration can be read. @throws ProviderError */
  async check(): Promise<void> {
    this.#metadata = null;
    await this.#call(async () => {});
  }

  /** @throws LogoutTokenError, ProviderError, UnreadableError */
  async verifyLogout(token: string): Promise<LogoutToken> {
    const { issuer, jwks_uri: url } = await this.#call(async configuration => configuration.serverMetadata());
    if (url === undefined) throw new ProviderError("token", "no jwks_uri");
    if (this.#keys?.url !== url)
      this.#keys = { url, get: remoteKeys(new URL(url), (own, signal) => this.#read(own, { signal })) };
    return verifyLogoutToken(token, this.#keys.get, { issuer, clientId: this.#options.client.clientId });
  }

  async #call<T>(use: (configuration: oidc.Configuration) => Promise<T>): Promise<T> {
    try {
      return await use(await this.#configuration());
    } catch (error) {
      throw providerErrorOf(error);
    }
  }

  /** Returns a new configuration each time, because it caches the keys. */
  async #configuration(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options.client;
    const known = this.#metadata;
    const server = known && known.untilMs > Date.now() ? known.server : await this.#discover();
    const configuration = new oidc.Configuration(
      server,
      clientId,
      { client_secret: clientSecret, [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticationOf(server, clientSecret),
    );
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[oidc.customFetch] = this.#fetch;
    // A token that came over TLS could be believed as it is. The signature is checked all the same.
    oidc.enableNonRepudiationChecks(configuration);
    if (new URL(issuer).protocol === "http:") oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  async #discover(): Promise<oidc.ServerMetadata> {
    const { issuer, clientId } = this.#options.client;
    const isInsecure = new URL(issuer).protocol === "http:";
    const found = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, {
      timeout: TIMEOUT_SECONDS,
      [oidc.customFetch]: this.#fetch,
      execute: isInsecure ? [oidc.allowInsecureRequests] : [],
    });
    const server = { ...found.serverMetadata() };
    this.#metadata = { server, untilMs: Date.now() + CACHE_MS };
    return server;
  }

  readonly #fetch: oidc.CustomFetch = (url, { method, headers, body, signal }) =>
    this.#read(new URL(url), {
      ...{ method, headers: Object.fromEntries(new Headers(headers)) },
      body: body === undefined || body === null ? undefined : String(body),
      signal: signal ?? AbortSignal.timeout(TIMEOUT_SECONDS * 1_000),
    });

  #read(
    url: URL,
    request: {
      method?: string;
      headers?: Record<string, string>;
      body?: string | undefined;
      signal: AbortSignal;
    },
  ): Promise<Response> {
    return requestChecked(url, { policy: this.#options.policy, maxBytes: MAX_BYTES, ...request });
  }
}

/** A client without a registered method uses the header (OpenID Connect Discovery 1.0, section 3). */
function authenticationOf(server: oidc.ServerMetadata, secret: string): oidc.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret);
}

/** Returns a URL that a browser may be sent to. @throws ProviderError for a `javascript:` URL, among others */
function webUrl(href: string): string {
  if (!/^https?:/.test(href)) throw new ProviderError("token", "an endpoint is no web address");
  return href;
}
