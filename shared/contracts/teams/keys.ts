import { z } from "zod";
import { list, text, time } from "../fields.ts";
import { ROLES } from "../runs/runs.ts";

/** Requests and responses of `/v1/keys`. */

/** Body of `POST /v1/keys`. */
export const createKeyBody = z.strictObject({ name: text(100), role: z.enum(ROLES).default("reviewer") });

const keyView = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  tail: z.string().describe("Last four characters of the API key"),
  createdAt: time,
  lastUsedAt: time.nullable().describe("Last use, to the minute"),
});

export const createdKey = keyView.extend({
  key: z.string().describe("The API key. It is shown only once"),
});

export const keyList = list(keyView);

export type CreateKey = z.infer<typeof createKeyBody>;
export type KeyView = z.infer<typeof keyView>;
export type CreatedKey = z.infer<typeof createdKey>;
export type KeyList = z.infer<typeof keyList>;
