import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import { invalidField } from "../../../shared/errors.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { WEBHOOK_TEXTS } from "../texts.ts";

/**
 * Refuses receivers at private addresses or without TLS, except on hosts that the operator allows.
 * @param field the field of the request that has the URL
 * @throws ServiceError invalid_request
 */
export function refuseReceiver({ policy }: AlertsContext, field: string, value: string): void {
  const url = new URL(value);
  const refusal = refuseUrl(url, policy);
  if (refusal !== null) throw invalidField(field, WEBHOOK_TEXTS.notAllowed(refusal));
  const isAllowed = policy.allowed.has(url.hostname) || policy.allowed.has(url.host);
  if (url.protocol !== "https:" && !isAllowed) throw invalidField(field, WEBHOOK_TEXTS.notHttps);
}
