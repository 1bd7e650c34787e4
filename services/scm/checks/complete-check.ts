import { z } from "zod";
import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { CONCLUSIONS, type Conclusion } from "../../../shared/contracts/runs/runs.ts";
import { parseJson } from "../../../shared/json.ts";
import { CHECK_CONCLUSIONS, type CheckConclusion } from "../code-host/code-host.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { message } from "../webhooks/answer.ts";
import { isBearer } from "../webhooks/signature.rule.ts";
import { advanceCheck } from "./advance-check.ts";
import { findCheckByHostId, leaseCheck, recordOutcome } from "./check.store.ts";
import { conclusionOfRun } from "./check-state.rule.ts";

const number = z.int().min(0).default(0);

/** Body of `POST /runs/:checkRunId/complete`. */
const completion = z.object({
  runId: z.string().regex(/^[\w-]{1,64}$/),
  /** The run's conclusion, or its status if it has none. A check run's conclusion is accepted too. */
  conclusion: z.enum([...CONCLUSIONS, "failed", "canceled", ...CHECK_CONCLUSIONS]),
  counts: z
    .object({
      unchanged: number,
      minor: number,
      changed: number,
      new: number,
      removed: number,
      failed: number,
    })
    .prefault({}),
  reportUrl: z.url({ protocol: /^https?$/ }).max(2000),
});

/**
 * Closes a check whose run ended or was reviewed. A repeated report changes nothing. Neither does a report about a run
 * that the check no longer has.
 */
export async function completeCheck(context: ScmContext, delivery: Delivery): Promise<DeliveryAnswer> {
  const secret = context.settings.callbackSecret;
  if (secret === null) return message(500, "callback secret not configured");
  if (!isBearer(secret, delivery.headers.authorization)) return message(401, "invalid callback secret");
  const body = completion.safeParse(parseJson(Buffer.from(delivery.body, "base64").toString()));
  if (!body.success) {
    const [issue] = body.error.issues;
    return message(400, `${issue?.path.join(".") || "body"}: ${issue?.message}`);
  }
  const hostId = delivery.params.checkRunId ?? "";
  const check = /^\d{1,19}$/.test(hostId) ? await findCheckByHostId(context.em(), hostId) : null;
  if (!check) return message(404, "unknown check run");
  const { runId, counts, reportUrl, conclusion } = body.data;
  const outcome = { counts, reportUrl, conclusion: checkConclusion(conclusion) };
  if (!(await recordOutcome(context.em(), check, runId, outcome))) {
    const reason = check.runId === null ? EVENT_REASONS.runUnknown : EVENT_REASONS.otherRun;
    return { status: 200, body: { closed: false, reason } };
  }
  const leased = await leaseCheck(context.em(), check.id);
  // A holder checks once more after this. The recovery sweep retries what fails now.
  if (leased)
    await advanceCheck(context, leased).catch(error => context.warn(error, LOG_MESSAGES.notCompletedYet));
  return { status: 200, body: { closed: true } };
}

function checkConclusion(reported: z.infer<typeof completion>["conclusion"]): CheckConclusion {
  if (reported === "failed" || reported === "canceled") return conclusionOfRun(reported, null) ?? "failure";
  return isRunConclusion(reported) ? (conclusionOfRun("completed", reported) ?? "failure") : reported;
}

function isRunConclusion(reported: string): reported is Conclusion {
  return CONCLUSIONS.some(conclusion => conclusion === reported);
}
