import { call } from "../../shared/contracts/bus.ts";
import type { Events } from "../../shared/contracts/events.ts";
import type { AlertsNode } from "./alerts-node.ts";
import { mailNotice } from "./mail-notice.ts";
import { timeInWords } from "./words.ts";

/** Mails a team's admins that an allowance is nearly or wholly used, once a period for each share of it. */
export async function mailUsage(
  node: AlertsNode,
  noticed: Events["usage.noticed"],
  baseUrl: string,
): Promise<void> {
  if (!node.mailer) return;
  const { teamId, allowance, percent, limit, used, resetsAt } = noticed;
  const { name, addresses } = await call(node.bus, "teams.adminAddresses", { teamId });
  if (addresses.length === 0) return;
  const isUsed = percent >= 100;
  await mailNotice(node, {
    id: `usage ${teamId} ${allowance} ${percent} ${resetsAt}`,
    teamId,
    to: addresses,
    subject: isUsed
      ? `${name} has used all of this month's ${allowance}`
      : `${name} has used ${percent} % of this month's ${allowance}`,
    paragraphs: [
      `${used.toLocaleString("en")} of the ${limit.toLocaleString("en")} ${allowance} that the team's plan holds for a month are used.`,
      isUsed
        ? `Further runs are refused until ${timeInWords(resetsAt)}, when the next month begins, or until the team takes a larger plan.`
        : `When all are used, further runs are refused until ${timeInWords(resetsAt)}, when the next month begins.`,
      "You get this mail because you are an admin of the team.",
    ],
    button: { label: "Open vrs", url: baseUrl },
  });
}
