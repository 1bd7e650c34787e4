import { emit } from "../../shared/contracts/bus.ts";
import type { Noted } from "../../shared/contracts/events.ts";
import type { Actor } from "../../shared/contracts/teams/caller.ts";
import { newId } from "../../shared/ids.ts";
import type { AlertsContext } from "./alerts-context.ts";

/** Whoever opened the link of a message: who that is, nobody knows. */
export const ALERT_LINK: Actor = { kind: "service", id: "alert-link", name: "alert link" };

/** Has what was done about a monitor's alerts written into its team's activity. */
export async function noteActivity(context: AlertsContext, noted: Omit<Noted, "id">): Promise<void> {
  await emit(context.bus, "activity.noted", { id: newId("act"), ...noted });
}
