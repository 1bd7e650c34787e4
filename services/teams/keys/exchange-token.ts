import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { hashKey, makeKey } from "../../../shared/api-keys.ts";
import type { ExchangedKey, ExchangeToken } from "../../../shared/contracts/teams/keys.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { TOKEN_ERRORS } from "../texts.ts";
import { findKeyForRepository, insertExchangedKey } from "./exchanged-key.store.ts";
import type { TokenIssuer } from "./token-issuer.ts";

const VALID_MS = 600_000;

/**
 * Returns a short-lived key for the CI job of a repository, once for each token. It stands for the key that a team's
 * admin created for the repository, and ends with it. The job names the team, so that another team's key for the same
 * repository gets nothing of it.
 * @throws ServiceError unauthorized, forbidden, unavailable
 */
export async function exchangeToken(
  em: EntityManager,
  issuer: TokenIssuer,
  { token, project: requested, team: teamId = DEFAULT_TEAM_ID }: ExchangeToken,
): Promise<ExchangedKey> {
  const { repository, id, validUntil } = await issuer.verify(token);
  const project = requested ?? repository;
  const found = await findKeyForRepository(em, { teamId, project, repository });
  if (!found) throw new ServiceError("forbidden", TOKEN_ERRORS.noKey(repository, project));
  const key = makeKey();
  const expiresAt = new Date(Date.now() + VALID_MS);
  const isFirst = await insertExchangedKey(em, {
    hash: hashKey(key),
    keyId: found.id,
    tokenId: createHash("sha256").update(id).digest("hex"),
    expiresAt,
    forgetAt: validUntil,
  });
  if (!isFirst) throw new ServiceError("unauthorized", TOKEN_ERRORS.used);
  return { key, project, expiresAt: expiresAt.toISOString() };
}
