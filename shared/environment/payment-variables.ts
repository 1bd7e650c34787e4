import { z } from "zod";
import { commaList, httpUrl } from "./variable-kinds.ts";

/** Environment variables of payments, which config.ts reads. */

/** Ids of a payment provider's prices. */
const prices = commaList.pipe(
  z.array(z.string().regex(/^\w{1,255}$/, "must be price ids that start with price_")).min(1),
);

export const paymentVariables = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_\w+$/, "must be a secret or restricted key that starts with sk_ or rk_")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, "must be the signing secret of a webhook endpoint that starts with whsec_")
    .optional(),
  STRIPE_PRICE_PRO: prices.optional(),
  STRIPE_PRICE_BUSINESS: prices.optional(),
  STRIPE_API_URL: httpUrl.refine(url => URL.parse(url)?.pathname === "/", "must not have a path").optional(),
};

type Variables = z.infer<z.ZodObject<typeof paymentVariables>>;

/** Reports missing ones: payments need all of them, or none. */
export function paymentFailures(env: Variables, failure: (path: string, message: string) => void): void {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_PRO, STRIPE_PRICE_BUSINESS } = env;
  const four = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_PRO, STRIPE_PRICE_BUSINESS };
  const set = Object.entries(four).find(([, value]) => value !== undefined)?.[0];
  if (set === undefined) return;
  for (const [name, value] of Object.entries(four))
    if (value === undefined) failure(name, `must be set together with ${set}`);
  const both = STRIPE_PRICE_PRO?.find(price => STRIPE_PRICE_BUSINESS?.includes(price));
  if (both !== undefined)
    failure("STRIPE_PRICE_BUSINESS", `must not contain ${both}, which is a price of the pro plan`);
}

/** Returns the settings of payments, or null without payments. */
export function paymentSettings(env: Variables) {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_PRO: pro,
    STRIPE_PRICE_BUSINESS: business,
  } = env;
  if (!secretKey || !webhookSecret || !pro || !business) return null;
  return { secretKey, webhookSecret, prices: { pro, business }, apiUrl: env.STRIPE_API_URL ?? null };
}
