import type { ServiceBroker } from "moleculer";
import type { LimitName } from "../../../shared/contracts/limits.ts";
import type { Gateway } from "../gateway-context.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";
import { Authenticator } from "./authenticate.ts";
import { RateLimit } from "./rate-limit.ts";
import { type Buckets, RequestBuckets } from "./request-buckets.ts";
import { RequestWindows } from "./request-windows.ts";
import { SharedBuckets } from "./shared-buckets.ts";
import { WrongCredentials } from "./wrong-credentials.ts";

/** Per address: enough for an office, too few to keep the service busy. */
const SIGN_INS_PER_MINUTE = 60;

/** Per address. Many CI jobs can share one. */
const EXCHANGES_PER_MINUTE = 300;

/**
 * Creates a gateway's limits, which apply across all gateways on its bus.
 * @param perMinute requests of a key, and of an address that sends none, or wrong ones
 */
export function limitsOf(
  broker: ServiceBroker,
  perMinute: number,
): Pick<
  Gateway,
  | "authenticator"
  | "buckets"
  | "rateLimit"
  | "signInLimit"
  | "keySignInLimit"
  | "exchangeLimit"
  | "publicLimit"
> {
  const buckets: Record<LimitName, Buckets> = {
    requests: new RequestBuckets(perMinute),
    signIns: new RequestBuckets(SIGN_INS_PER_MINUTE),
    keySignIns: new RequestBuckets(SIGN_INS_PER_MINUTE),
    tokenExchanges: new RequestBuckets(EXCHANGES_PER_MINUTE),
    publicReads: new RequestBuckets(perMinute),
    wrongCredentials: new RequestWindows(perMinute),
    wrongSignIns: new RequestWindows(SIGN_INS_PER_MINUTE),
  };
  const shared = (limit: LimitName) => new SharedBuckets(broker, limit, buckets[limit]);
  return {
    authenticator: new Authenticator({
      credentials: new WrongCredentials(perMinute, shared("wrongCredentials")),
      signIns: new WrongCredentials(SIGN_INS_PER_MINUTE, shared("wrongSignIns")),
    }),
    buckets,
    rateLimit: new RateLimit(perMinute, LIMIT_ERRORS.thisKey, shared("requests")),
    signInLimit: new RateLimit(SIGN_INS_PER_MINUTE, LIMIT_ERRORS.thisAddress, shared("signIns")),
    exchangeLimit: new RateLimit(EXCHANGES_PER_MINUTE, LIMIT_ERRORS.thisAddress, shared("tokenExchanges")),
    publicLimit: new RateLimit(perMinute, LIMIT_ERRORS.thisAddress, shared("publicReads")),
    keySignInLimit: new RateLimit(SIGN_INS_PER_MINUTE, LIMIT_ERRORS.thisKey, shared("keySignIns")),
  };
}
