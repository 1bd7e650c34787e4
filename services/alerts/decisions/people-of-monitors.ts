import { isDownFingerprint } from "../../../shared/alerts/fingerprint.rule.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { LOG_MESSAGES } from "../texts.ts";

/** A member who chose to hear of monitors. */
export interface MonitorPerson {
  id: string;
  name: string;
  address: string;
}

/** Returns the members who chose to hear of monitors. None while the teams service is unavailable: alerts don't wait. */
export async function findPeople(
  { bus, mailer, warn }: AlertsContext,
  teamId: string,
): Promise<MonitorPerson[]> {
  if (!mailer) return [];
  try {
    const people = await call(bus, "teams.noticePeople", { teamId });
    return people.flatMap(({ id, login, email, monitors }) =>
      monitors && email !== null ? [{ id, name: login ?? id, address: email }] : [],
    );
  } catch (error) {
    warn(error, LOG_MESSAGES.peopleNotRead);
    return [];
  }
}

/**
 * Returns whether people hear of a notification. They chose to hear that a monitor is down, and how that ends. Other
 * changed pages wait in reviews.
 * @param replaces the fingerprint of the alert before it; null without one
 */
export function isForPeople({ about, replaces }: { about: string; replaces: string | null }): boolean {
  return isDownFingerprint(about) || isDownFingerprint(replaces ?? "");
}
