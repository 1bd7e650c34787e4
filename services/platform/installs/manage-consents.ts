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

/** What a cursor may hold; the key itself is checked where it is written. */
const KEY = /^(project|team):./;

/** All records, by their keys. @throws ServiceError invalid_request for a cursor that no list handed out */
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

/** Writes a record, from which on custom domains are rendered; one that is there stays. @throws ServiceError invalid_request */
export async function allow(em: EntityManager, key: string): Promise<ConsentView> {
  const { success, error } = consentKey.safeParse(key);
  if (!success) throw invalidField("key", error.issues[0]?.message ?? "is invalid");
  return viewOf(await putConsent(em, key));
}

/** Removes a record, and the projects that were registered under it; it holds for the next delivery. @throws ServiceError not_found */
export async function revoke(em: EntityManager, key: string): Promise<void> {
  if (!(await deleteConsent(em, key))) throw new ServiceError("not_found", DELIVERY_REASONS.noConsent);
}

function viewOf({ key, configurationId, registeredBy, registeredAt }: Consent): ConsentView {
  return { key, configurationId, registeredBy, registeredAt: registeredAt.toISOString() };
}
