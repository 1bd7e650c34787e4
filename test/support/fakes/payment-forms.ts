import type Stripe from "stripe";
import { z } from "zod";

/**
 * The fields of the payment provider's API that this service sends, and their formats. Other fields are refused. The
 * compiler compares the names with the provider's SDK, which is generated from its API description.
 */
type Fields<Params> = { [Name in keyof Params]?: z.ZodType };

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_\\w+$`));
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine(all => Object.keys(all).length <= 50);
const quantity = z.literal("1");

type CheckoutParams = Stripe.Checkout.SessionCreateParams;
type PortalParams = Stripe.BillingPortal.SessionCreateParams;
type Flow = Stripe.BillingPortal.SessionCreateParams.FlowData;

export const customerForm = z.strictObject({
  description: z.string().max(350),
  metadata,
} satisfies Fields<Stripe.CustomerCreateParams>);

export const checkoutForm = z.strictObject({
  mode: z.literal("subscription"),
  customer: id("cus"),
  customer_update: z.strictObject({
    name: z.literal("auto"),
    address: z.literal("auto"),
  } satisfies Fields<Stripe.Checkout.SessionCreateParams.CustomerUpdate>),
  client_reference_id: z.string().max(200),
  line_items: z
    .array(
      z.strictObject({
        price: id("price"),
        quantity,
      } satisfies Fields<Stripe.Checkout.SessionCreateParams.LineItem>),
    )
    .length(1),
  metadata,
  subscription_data: z.strictObject({
    metadata,
  } satisfies Fields<Stripe.Checkout.SessionCreateParams.SubscriptionData>),
  success_url: address,
  cancel_url: address,
} satisfies Fields<CheckoutParams>);

const confirmed = z.strictObject({
  subscription: id("sub"),
  items: z
    .array(
      z.strictObject({
        id: id("si"),
        price: id("price"),
        quantity,
      } satisfies Fields<Stripe.BillingPortal.SessionCreateParams.FlowData.SubscriptionUpdateConfirm.Item>),
    )
    .length(1),
} satisfies Fields<Flow["subscription_update_confirm"]>);

export const portalForm = z.strictObject({
  customer: id("cus"),
  return_url: address,
  flow_data: z
    .strictObject({
      type: z.literal("subscription_update_confirm"),
      subscription_update_confirm: confirmed,
      after_completion: z.strictObject({
        type: z.literal("redirect"),
        redirect: z.strictObject({ return_url: address }),
      }),
    } satisfies Fields<Flow>)
    .optional(),
} satisfies Fields<PortalParams>);

export const subscriptionsQuery = z.strictObject({
  customer: id("cus"),
  status: z.literal("all"),
  limit: z.coerce.number().int().min(1).max(100),
  starting_after: id("sub").optional(),
} satisfies Fields<Stripe.SubscriptionListParams>);

export const nothing = z.strictObject({});

/** Parses a form in the provider's encoding, `line_items[0][price]=…`. @throws Error for another encoding */
export function readForm(text: string): unknown {
  const root: Branch = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[");
    const last = path.pop() ?? "";
    const branch = path.reduce(childOf, root);
    if (last in branch) throw new Error(`${name} twice`);
    branch[last] = value;
  }
  return lists(root);
}

interface Branch {
  [name: string]: string | Branch;
}

function childOf(branch: Branch, name: string): Branch {
  branch[name] ??= {};
  const child = branch[name];
  if (typeof child === "string") throw new Error(`${name} is both text and more`);
  return child;
}

function lists(value: string | Branch): unknown {
  if (typeof value === "string") return value;
  const entries = Object.entries(value).map(([name, child]) => [name, lists(child)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}
