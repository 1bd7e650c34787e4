import { z } from "zod";
import { WEBHOOK_ERRORS } from "../texts.ts";

/** An event that the provider did not send, or too long ago. */
export class BadEvent extends Error {}

/** An event of the provider. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** The customer of the event, or null. */
  customerId: string | null;
}

const customerOf = z.union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)]);
const event = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.looseObject({
    object: z.looseObject({
      object: z.string(),
      id: z.string().optional(),
      customer: customerOf.nullish(),
    }),
  }),
});

/** Parses a signed body. @throws BadEvent */
export function readEvent(signed: unknown): PaymentEvent {
  const parsed = event.safeParse(signed);
  if (!parsed.success) throw new BadEvent(WEBHOOK_ERRORS.notAnEvent);
  const { id, type, data } = parsed.data;
  const { object, id: objectId = null, customer = null } = data.object;
  return { id, type, customerId: object === "customer" ? objectId : customer };
}
