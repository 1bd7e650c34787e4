import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import type { AlertStatus } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Availability } from "../../../shared/contracts/monitors/availability.ts";
import type { CheckSummary, CheckView, RecentCheck } from "../../../shared/contracts/monitors/checks.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import type { Links } from "../../../shared/links/links.ts";
import { isMinor } from "../../../shared/report/display-status.ts";
import type { StoredCertificate } from "../certificates/certificate.store.ts";
import { daysLeft } from "../certificates/certificate-alert.rule.ts";
import { ruleOf, summarizeRegions } from "../checks/agree-on-page.rule.ts";
import type { Check } from "../checks/check.entity.ts";
import { runToOpen, seenOf } from "../checks/evaluate-check.rule.ts";
import type { HttpCheckState } from "../http/http-check.store.ts";
import { viewOfOptions } from "../settings/capture-options.ts";
import { maskChannels } from "../settings/channels.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { CHECK_WARNINGS, HOLD_REASONS } from "../texts.ts";
import type { EndedCheck } from "./series.store.ts";

/** Data that is shown with a monitor. */
export interface MonitorDetails {
  plan: Pick<Plan, "name" | "monitors">;
  links: Links;
  /** The service's public address. */
  baseUrl: string;
  /** The monitor's current and last check, by id. */
  checks: Map<string, Check>;
  /** The latest completed checks, newest first. */
  recent: EndedCheck[];
  availability: Availability;
  maintenance: MonitorView["maintenance"];
  /** Missing before it was read. */
  certificate: StoredCertificate | undefined;
  /** Missing before the first HTTP check. */
  http: HttpCheckState | undefined;
  /** Missing if there was no alert. */
  alertStatus?: AlertStatus | undefined;
}

/** Returns a monitor as `GET /v1/monitors/:id` shows it. */
export function viewOfMonitor(monitor: Monitor, details: MonitorDetails): MonitorView {
  const { checks, links, alertStatus, plan, recent, availability, maintenance, baseUrl, certificate } =
    details;
  const summary = (id: string | null) => {
    const check = id === null ? undefined : checks.get(id);
    return check ? summaryOf(check, links) : null;
  };
  const because = notScheduledBecause(monitor, plan);
  const counted = monitor.checksUp + monitor.checksDown;
  return {
    id: monitor.id,
    name: monitor.name,
    url: monitor.url,
    routes: monitor.routes,
    viewports: monitor.viewports,
    intervalMinutes: monitor.intervalMinutes,
    alertThreshold: monitor.alertThreshold,
    regions: monitor.regions,
    agree: monitor.agree,
    options: viewOfOptions(monitor.options),
    alerts: maskChannels(monitor.channels),
    paused: monitor.paused,
    tags: monitor.tags,
    badgeUrl: monitor.badgeToken === null ? null : `${baseUrl}/badges/${monitor.badgeToken}.svg`,
    hold: monitor.hold,
    scheduled: because === null,
    notScheduledBecause: because,
    status: monitor.status === "never" && monitor.checkId !== null ? "establishing" : monitor.status,
    nextRunAt: monitor.nextAt?.toISOString() ?? null,
    currentCheck: summary(monitor.checkId),
    lastCheck: summary(monitor.lastCheckId),
    recentChecks: recent.map(recentView).reverse(),
    lastChangeAt: monitor.lastChangeAt?.toISOString() ?? null,
    uptime: counted === 0 ? null : monitor.checksUp / counted,
    availability,
    maintenance,
    certificate: certificate && monitor.url.startsWith("https:") ? certificateView(certificate) : null,
    http: monitor.http,
    httpCheck:
      details.http && monitor.http
        ? { ...details.http.result, since: details.http.since.toISOString() }
        : null,
    snoozedUntil: alertStatus?.snoozedUntil ?? null,
    alertingSince: alertStatus?.alertingSince ?? null,
    createdAt: monitor.createdAt.toISOString(),
  };
}

function certificateView(certificate: StoredCertificate): MonitorView["certificate"] {
  const { expiresAt, issuer, error, checkedAt } = certificate;
  return {
    expiresAt: expiresAt?.toISOString() ?? null,
    daysLeft: expiresAt && daysLeft(expiresAt, new Date()),
    ...{ issuer, error, checkedAt: checkedAt.toISOString() },
  };
}

/** Returns why a monitor is not scheduled, and what to do. Null if it is scheduled. */
export function notScheduledBecause(
  { hold, paused }: Pick<Monitor, "hold" | "paused">,
  { name, monitors }: Pick<Plan, "name" | "monitors">,
): string | null {
  if (hold === "over") return HOLD_REASONS.over(name, monitors);
  if (hold === "plan") return HOLD_REASONS.plan(name);
  return paused ? HOLD_REASONS.paused : null;
}

function summaryOf(check: Check, links: Links): CheckSummary {
  const rule = ruleOf(check.target);
  return {
    id: check.id,
    runId: runToOpen(check),
    kind: check.kind,
    outcome: check.outcome,
    error: check.error,
    maintenance: check.inMaintenance,
    attempts: check.attempt,
    startedAt: check.startedAt.toISOString(),
    endedAt: check.endedAt?.toISOString() ?? null,
    report: links.report(runToOpen(check)),
    regions: summarizeRegions(check.drift.map(seenOf), rule),
    agree: rule.agree,
    faintPixels: Math.max(0, ...check.drift.map(({ faintPixels = 0 }) => faintPixels)),
  };
}

function recentView(check: EndedCheck): RecentCheck {
  const { id, outcome, startedAt, worst } = check;
  return {
    id,
    runId: runToOpen(check),
    outcome,
    startedAt: new Date(startedAt).toISOString(),
    ratio: worst,
  };
}

/** Returns a check as the history lists it. */
export function viewOfCheck(check: Check, links: Links): CheckView {
  const drift = check.drift.map(page => {
    const { route, viewport, stateName = null, environment = null, region = null, ratio, state } = page;
    const { faintPixels = 0 } = page;
    const minor = isMinor(state === "ok", (ratio ?? 0) + faintPixels);
    return { route, stateName, environment, region, viewport, ratio, faintPixels, state, minor };
  });
  return { ...summaryOf(check, links), drift, warnings: warningsOf(check) };
}

function warningsOf({ drift }: Check): CheckView["warnings"] {
  const others = drift.filter(({ isOtherRenderer }) => isOtherRenderer).length;
  return others === 0 ? [] : [{ message: CHECK_WARNINGS.otherRenderers(others), place: null }];
}
