import { z } from "zod";
import { deliveryRoute } from "./delivery-route.ts";
import type { Route } from "./route.ts";

const told = z.looseObject({
  triggered: z.boolean().optional().describe("Whether a run was started"),
  reason: z.string().optional().describe("Why not"),
});
const refused = z.object({ message: z.string() });

/** The routes of the code-host app: a part of the table of all. */
export const SCM_ROUTES: Record<string, Route> = {
  "POST /codehost/webhook": deliveryRoute("scm.receive", {
    summary: "Receives the code host's events; signed by the header x-hub-signature-256",
    headers: ["x-hub-signature-256", "x-github-event", "x-github-delivery"],
    answers: { 200: told, 400: told, 401: refused, 500: refused, 502: told, 503: told },
  }),
  "POST /runs/:checkRunId/complete": deliveryRoute("scm.complete", {
    summary: "Closes a check run; for the Cloud API, with SERVICE_CALLBACK_SECRET as the bearer token",
    headers: ["authorization"],
    answers: {
      200: z.looseObject({ closed: z.boolean() }),
      400: refused,
      401: refused,
      404: refused,
      500: refused,
    },
  }),
};
