import { call } from "../../../../shared/contracts/bus.ts";
import type { ExchangeToken } from "../../../../shared/contracts/teams/keys.ts";
import { addressOf } from "../../auth/authenticate.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Answer, Input } from "../../routes/route.ts";

/** Exchanges the token of a CI job for a key. @throws ServiceError rate_limited, unauthorized, forbidden, unavailable */
export async function exchangeToken(
  gateway: Gateway,
  { body, context, req, res }: Input<ExchangeToken>,
): Promise<Answer> {
  await gateway.exchangeLimit.take(addressOf(req), res);
  return { status: 201, body: await call(context, "teams.exchangeToken", body) };
}
