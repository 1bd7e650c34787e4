import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import { z } from "zod";
import { requestChecked, UnreadableError } from "../../../shared/api/checked-request.ts";
import type { AddressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { asError, ServiceError } from "../../../shared/errors.ts";
import { TOKEN_ERRORS } from "../texts.ts";

/** A set of keys has about 10 KiB. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
const CACHE_MS = 600_000;
/** Between two requests to the issuer for keys that it may not have. */
const COOLDOWN_MS = 30_000;
/** The issuer's tokens are valid for some minutes. An older one is refused, so that it is remembered no longer. */
const MAX_AGE_SECONDS = 3_600;
const CLOCK_TOLERANCE_SECONDS = 30;

const claims = z.object({
  repository: z.string().min(1).max(200),
  jti: z.string().min(1).max(500),
  exp: z.number(),
  iat: z.number(),
});

/** A verified token of a CI job. */
export interface VerifiedToken {
  /** Owner/repo. */
  repository: string;
  /** Unique among all tokens of the issuer. */
  id: string;
  /** When it is accepted for the last time. */
  validUntil: Date;
}

/** Verifies tokens that the issuer made for this service. */
export class TokenIssuer {
  readonly #issuer: string;
  readonly #audience: string;
  readonly #keys: JWTVerifyGetKey;

  /**
   * Creates it without a request to the issuer.
   * @param issuer URL without a slash at the end. Its keys are at `/.well-known/jwks`
   * @param audience the public URL of this service
   */
  constructor({ issuer, audience, policy }: { issuer: string; audience: string; policy: AddressPolicy }) {
    this.#issuer = issuer;
    this.#audience = audience;
    this.#keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`), {
      timeoutDuration: TIMEOUT_MS,
      cacheMaxAge: CACHE_MS,
      cooldownDuration: COOLDOWN_MS,
      [customFetch]: (url, { signal }) =>
        requestChecked(new URL(url), { policy, maxBytes: MAX_BYTES, signal }),
    });
  }

  /** @throws ServiceError unauthorized for a token that isn't valid; unavailable without the issuer's keys */
  async verify(token: string): Promise<VerifiedToken> {
    const read = claims.safeParse(await this.#payloadOf(token));
    if (!read.success) throw new ServiceError("unauthorized", TOKEN_ERRORS.noRepository);
    const { repository, jti, exp, iat } = read.data;
    const last = Math.min(exp, iat + MAX_AGE_SECONDS) + CLOCK_TOLERANCE_SECONDS;
    return { repository, id: jti, validUntil: new Date(last * 1_000) };
  }

  async #payloadOf(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer: this.#issuer,
        audience: this.#audience,
        algorithms: ["RS256", "ES256"],
        requiredClaims: ["exp", "iat", "jti"],
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): ServiceError {
    if (error instanceof UnreadableError || error instanceof errors.JWKSTimeout || isUnreadable(error))
      return new ServiceError("unavailable", TOKEN_ERRORS.issuerFails(this.#issuer, asError(error).message), {
        retryAfterSeconds: COOLDOWN_MS / 1_000,
      });
    if (error instanceof errors.JWTExpired) return new ServiceError("unauthorized", TOKEN_ERRORS.expired);
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud")
      return new ServiceError("unauthorized", TOKEN_ERRORS.audience(this.#audience));
    if (error instanceof errors.JWTClaimValidationFailed)
      return new ServiceError("unauthorized", TOKEN_ERRORS.claim(error.claim, this.#issuer));
    return new ServiceError("unauthorized", TOKEN_ERRORS.invalid(this.#issuer));
  }
}

/** Whether the issuer sent something other than keys. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof errors.JWKSInvalid) return true;
  return error instanceof errors.JOSEError && error.code === "ERR_JOSE_GENERIC";
}
