import { databaseTime } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { CERTIFICATE_TEXTS, LOG_MESSAGES } from "../texts.ts";
import { findMovedCertificates, saveAlertedDays } from "./certificate.store.ts";

const BATCH_SIZE = 50;

/**
 * Ends alerts about certificates of sites that their monitors no longer check, because their URL changed. Any number of
 * nodes may do it at the same time.
 */
export async function endMovedCertificates(context: MonitorsContext): Promise<void> {
  const moved = await findMovedCertificates(context.em(), { limit: BATCH_SIZE });
  await forEachIsolated(
    moved.map(({ monitorId }) => monitorId),
    id => endMovedCertificate(context, id),
    (error, id) => context.warn(error, LOG_MESSAGES.certificateNotChecked(id)),
  );
}

/** Does the same for one monitor. */
export async function endMovedCertificate(context: MonitorsContext, id: string): Promise<void> {
  const [moved] = await findMovedCertificates(context.em(), { id, limit: 1 });
  const monitor = moved && (await findAnyMonitor(context.em(), id));
  if (!monitor) return;
  await call(context.bus, "alerts.reportCondition", {
    source: `certificate ${id} ${moved.expiresAt.toISOString()} moved from ${moved.origin}`,
    ...{ kind: "renewed", isFinal: true, at: (await databaseTime(context.em())).toISOString() },
    title: CERTIFICATE_TEXTS.moved.title(monitor.name),
    text: CERTIFICATE_TEXTS.moved.text(moved.origin),
    monitors: [alertedMonitor(monitor)],
  });
  await saveAlertedDays(context.em(), id, null);
}
