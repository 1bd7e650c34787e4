const DAY_MS = 86_400_000;
/** Days left at which an alert is due. 0 stands for an expired certificate. */
const THRESHOLDS = [30, 14, 7, 1, 0];
/** Clients renew certificates when a third of the lifetime is left. Only a missed renewal is worth an alert. */
const MAX_SHARE_OF_LIFETIME = 0.3;

/** Stands for the alerted threshold while the answer to a report isn't known. Any threshold is lower, so it is reported. */
export const UNANSWERED = 1_000;

/** What is known about a certificate. */
export interface CertificateFacts {
  expiresAt: Date;
  lifetimeDays: number;
  /** The threshold that was alerted last, or UNANSWERED. Null if none was, or the certificate was renewed. */
  alertedDays: number | null;
}

/** What is due, and the threshold to remember. */
export interface CertificateDecision {
  due: "certificate" | "renewed" | null;
  alertedDays: number | null;
}

/** Returns the whole days until a certificate expires. Negative once it has. */
export function daysLeft(expiresAt: Date, now: Date): number {
  return Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
}

/**
 * Decides whether an alert is due: once for each threshold that the days left fall below. If a new certificate is
 * above all thresholds, its renewal is reported once.
 */
export function decideCertificate(
  { expiresAt, lifetimeDays, alertedDays }: CertificateFacts,
  now: Date,
): CertificateDecision {
  const leftMs = expiresAt.getTime() - now.getTime();
  const reached = THRESHOLDS.filter(
    days => leftMs <= days * DAY_MS && days <= lifetimeDays * MAX_SHARE_OF_LIFETIME,
  );
  const threshold = reached.length === 0 ? null : Math.min(...reached);
  if (threshold === null) return { due: alertedDays === null ? null : "renewed", alertedDays: null };
  const isLower = alertedDays === null || threshold < alertedDays;
  return { due: isLower ? "certificate" : null, alertedDays: threshold };
}
