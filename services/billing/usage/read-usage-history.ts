import { databaseTime } from "../../../mixins/database.ts";
import type { UsageHistory } from "../../../shared/contracts/billing/usage.ts";
import type { BillingContext } from "../billing-context.ts";
import { forecastUsage } from "./forecast.rule.ts";
import { periodAt, periodBefore } from "./period.rule.ts";
import { findUsageSince } from "./usage.store.ts";

const MONTHS = 12;

/** Returns a team's usage of the last twelve months, newest first, and a forecast for the current one. */
export async function readUsageHistory(context: BillingContext, teamId: string): Promise<UsageHistory> {
  const em = context.em();
  const [plan, now] = await Promise.all([context.planOf(teamId), databaseTime(em)]);
  const current = periodAt(now);
  const periods = [current];
  while (periods.length < MONTHS) periods.push(periodBefore(periods.at(-1) ?? current));
  const found = await findUsageSince(em, teamId, periods.at(-1)?.start ?? current.start);
  const used = new Map(found.map(row => [row.periodStart.getTime(), row]));
  const data = periods.map(({ start, end }) => ({
    period: { start: start.toISOString(), end: end.toISOString() },
    runs: used.get(start.getTime())?.runs ?? 0,
    screenshots: used.get(start.getTime())?.screenshots ?? 0,
  }));
  const forecast = (name: "runs" | "screenshots") =>
    forecastUsage({ used: data[0]?.[name] ?? 0, limit: plan[name] }, current, now);
  return { data, forecast: { runs: forecast("runs"), screenshots: forecast("screenshots") } };
}
