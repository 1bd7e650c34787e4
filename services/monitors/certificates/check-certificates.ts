import { databaseTime } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { hostOf } from "../../../shared/capture/network/address-guard.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { findTeam } from "../settings/team.store.ts";
import { CERTIFICATE_TEXTS, LOG_MESSAGES } from "../texts.ts";
import {
  findCertificates,
  leaseCertificates,
  saveAlertedDays,
  saveCertificate,
  saveCertificateError,
} from "./certificate.store.ts";
import { daysLeft, decideCertificate, UNANSWERED } from "./certificate-alert.rule.ts";
import { endMovedCertificates } from "./end-moved-certificates.ts";
import { readCertificate, type SiteCertificate } from "./read-certificate.ts";

/** Certificates change rarely, and an alert is due days before one expires. */
const CERTIFICATE_INTERVAL_MS = 6 * 3_600_000;
const BATCH_SIZE = 20;

/** Reads due certificates, and alerts about those that expire soon. Any number of nodes may do it at the same time. */
export async function checkCertificates(context: MonitorsContext): Promise<void> {
  await endMovedCertificates(context);
  const ids = await leaseCertificates(context.em(), CERTIFICATE_INTERVAL_MS, BATCH_SIZE);
  await forEachIsolated(
    ids,
    id => checkCertificate(context, id),
    (error, id) => context.warn(error, LOG_MESSAGES.certificateNotChecked(id)),
  );
}

async function checkCertificate(context: MonitorsContext, id: string): Promise<void> {
  const monitor = await findAnyMonitor(context.em(), id);
  if (!monitor || monitor.deletedAt !== null) return;
  const certificate = await readCertificate(new URL(monitor.url), context.policy).catch(
    // The check of the pages says why a site doesn't respond. Details of a connection could tell of private networks.
    () => null,
  );
  if (!certificate) return saveCertificateError(context.em(), id, CERTIFICATE_TEXTS.notRead);
  await saveCertificate(context.em(), id, certificate);
  await alertIfDue(context, monitor, certificate);
  await publishMonitorsChanged(context.bus, [{ teamId: monitor.teamId, monitorId: id }]);
}

async function alertIfDue(
  context: MonitorsContext,
  monitor: Monitor,
  { expiresAt, lifetimeDays, issuer }: SiteCertificate,
): Promise<void> {
  const { id, teamId, url } = monitor;
  if ((await findTeam(context.em(), teamId))?.scheduled !== true) return;
  const [[stored], now] = await Promise.all([
    findCertificates(context.em(), [id]),
    databaseTime(context.em()),
  ]);
  const before = stored?.alertedDays ?? null;
  const { due, alertedDays } = decideCertificate({ expiresAt, lifetimeDays, alertedDays: before }, now);
  if (due !== null) {
    const facts = { host: hostOf(new URL(url)), issuer, expiresAt: expiresAt.toISOString() };
    await saveAlertedDays(context.em(), id, UNANSWERED);
    const isQueued = await call(context.bus, "alerts.reportCondition", {
      // The same certificate and threshold are reported once.
      source: `certificate ${id} ${facts.expiresAt} ${alertedDays ?? "renewed"}`,
      kind: due,
      at: now.toISOString(),
      title: CERTIFICATE_TEXTS.title(monitor.name, due === "renewed" ? null : daysLeft(expiresAt, now)),
      text: due === "renewed" ? CERTIFICATE_TEXTS.renewed(facts) : CERTIFICATE_TEXTS.expires(facts),
      monitors: [alertedMonitor(monitor)],
    });
    // A snoozed monitor is reported later.
    return saveAlertedDays(context.em(), id, isQueued ? alertedDays : before);
  }
  if (alertedDays !== before) await saveAlertedDays(context.em(), id, alertedDays);
}
