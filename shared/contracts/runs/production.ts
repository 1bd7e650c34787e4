import { z } from "zod";
import { link, time } from "../fields.ts";

/** Since when production has a change of a run. */
export const productionView = z.object({
  since: time.describe("Start of the monitor's check that saw the change first"),
  seenAt: time.describe("Start of the latest check before the run. It saw the change too"),
  monitorId: z.string(),
  lookId: z.string().describe("The look with the change, in `GET /v1/monitors/:id/looks`"),
  link: link.describe("Link to the monitor's moment in the dashboard"),
});

export type ProductionView = z.infer<typeof productionView>;
