import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";
import { asError } from "../../../../shared/errors.ts";
import { LOGOUT_ERRORS } from "../../texts.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** All that sign with a private key. With another, everyone who knows the client secret could end sessions. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
/** A provider sends a token as soon as it made it. */
const MAX_AGE_SECONDS = 600;
const CLOCK_TOLERANCE_SECONDS = 60;
const TIMEOUT_MS = 10_000;
const CACHE_MS = 600_000;
const COOLDOWN_MS = 30_000;

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const claims = z
  .object({
    jti: z.string().min(1).max(500),
    iat: z.number(),
    sub: z.string().min(1).max(500).optional(),
    sid: z.string().min(1).max(500).optional(),
    events: z.object({ [EVENT]: z.looseObject({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/** A verified logout token: of a session at the provider, or of all sessions of a user. */
export interface LogoutToken {
  id: string;
  subject: string | null;
  sid: string | null;
  /** When it is no longer accepted, so that its id needs not be remembered. */
  validUntil: Date;
}

/** The token is not valid. The message is for the provider. */
export class LogoutTokenError extends Error {
  override name = "LogoutTokenError";
}

type Read = (url: URL, signal: AbortSignal) => Promise<Response>;

/** Returns the keys of a provider, which are read when they are needed. */
export function remoteKeys(url: URL, read: Read): JWTVerifyGetKey {
  return createRemoteJWKSet(url, {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: CACHE_MS,
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: (own, { signal }) => read(new URL(own), signal),
  });
}

/** @throws LogoutTokenError; UnreadableError without the provider's keys */
export async function verifyLogoutToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, clientId }: { issuer: string; clientId: string },
): Promise<LogoutToken> {
  const payload = await jwtVerify(token, keys, {
    ...{ issuer, audience: clientId, algorithms: ALGORITHMS },
    requiredClaims: ["iat", "jti"],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }).then(
    verified => verified.payload,
    error => {
      throw isInvalid(error) ? new LogoutTokenError(asError(error).message) : error;
    },
  );
  const read = claims.safeParse(payload);
  if (!read.success) throw new LogoutTokenError(LOGOUT_ERRORS.claims);
  const { jti, iat, sub, sid } = read.data;
  const validUntil = new Date((iat + MAX_AGE_SECONDS + CLOCK_TOLERANCE_SECONDS) * 1_000);
  return { id: jti, subject: sub ?? null, sid: sid ?? null, validUntil };
}

function isInvalid(error: unknown): boolean {
  const isOfKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  if (!(error instanceof errors.JOSEError) || isOfKeys) return false;
  // The answer of the provider was no set of keys.
  return error.code !== "ERR_JOSE_GENERIC";
}
