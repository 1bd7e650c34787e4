import type { EntityManager } from "../../../mixins/database.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import {
  type ConsentList,
  type ConsentView,
  consentKey,
} from "../../../shared/contracts/platform/platform.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { DELIVERY_REASONS } from "../texts.ts";
import type { Consent } from "./consent.entity.ts";
import { deleteConsent, findConsents, putConsent } from "./consent.store.ts";

/** The content of a cursor. The key itself is checked when it is saved. */
const KEY = /^(project|team):./;

/** Lists all consents by key. @throws ServiceError invalid_request for a cursor that no list returned */
export async function listConsents(em: EntityManager, { limit, cursor }: ListQuery): Promise<ConsentList> {
  const found = await findConsents(em, {
    after: decodeCursor("consents", cursor, KEY) ?? "",
    limit: limit + 1,
  });
  return pageOf(
    "consents",
    found.map(consent => ({ id: consent.key, consent })),
    limit,
    ({ consent }) => viewOf(consent),
  );
}

/** Saves a consent, which allows custom domains. An existing one stays. @throws ServiceError invalid_request */
export async function allow(em: EntityManager, key: string): Promise<ConsentView> {
  const { success, error } = consentKey.safeParse(key);
  if (!success) throw invalidField("key", error.issues[0]?.message ?? "is invalid");
  return viewOf(await putConsent(em, key));
}

/** Deletes a consent and those registered under it, from the next delivery on. @throws ServiceError not_found */
export async function revoke(em: EntityManager, key: string): Promise<void> {
  if (!(await deleteConsent(em, key))) throw new ServiceError("not_found", DELIVERY_REASONS.noConsent);
}

function viewOf({ key, configurationId, registeredBy, registeredAt }: Consent): ConsentView {
  return { key, configurationId, registeredBy, registeredAt: registeredAt.toISOString() };
}
