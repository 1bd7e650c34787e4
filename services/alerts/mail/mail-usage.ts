import type { UsageNotice } from "../../../shared/contracts/billing/usage.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { USAGE_MAIL } from "../texts.ts";
import { mailNotice } from "./mail-notice.ts";

/**
 * Mails a team's admins that a usage limit is nearly or fully reached. It is sent once per period, share and
 * limit.
 */
export async function mailUsage(
  context: AlertsContext,
  noticed: UsageNotice,
  baseUrl: string,
): Promise<void> {
  if (!context.mailer) return;
  const { teamId, allowance, percent, limit, used, resetsAt } = noticed;
  const { name, addresses } = await call(context.bus, "teams.adminAddresses", { teamId });
  if (addresses.length === 0) return;
  await mailNotice(context, {
    id: `usage ${teamId} ${allowance} ${percent} of ${limit} ${resetsAt}`,
    teamId,
    to: addresses,
    subject: USAGE_MAIL.subject(name, allowance, percent),
    paragraphs: [
      USAGE_MAIL.used(used, limit, allowance),
      USAGE_MAIL[percent >= 100 ? "reached" : "near"](resetsAt),
      USAGE_MAIL.footer,
    ],
    button: { label: USAGE_MAIL.button, url: baseUrl },
  });
}
