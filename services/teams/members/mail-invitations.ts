import type { EntityManager } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { type Bus, call } from "../../../shared/contracts/bus.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { INVITATION_MAIL, LOG_MESSAGES } from "../texts.ts";
import { findUnmailed, markMailed, type UnmailedInvitation } from "./invitation.store.ts";

/** What got lost is looked for this often: who was invited waits for the mail. */
const SWEEP_INTERVAL_MS = 60_000;

/** What invitations are mailed with. */
export interface InvitationMailer {
  em(): EntityManager;
  bus: Bus;
  /** The service's public address. */
  baseUrl: string;
  warn(error: unknown, what: string): void;
}

const FAILED = LOG_MESSAGES.invitationsNotMailed;

/** The mailing of what was not mailed yet as a node's chore; any number of nodes may have it. */
export function invitationTask(mailer: InvitationMailer): PeriodicTask {
  return { intervalMs: SWEEP_INTERVAL_MS, work: () => mailInvitations(mailer), failed: FAILED };
}

/** Mails what was not mailed yet, and leaves for later what cannot be mailed now. */
export async function mailInvitationsNow(mailer: InvitationMailer): Promise<void> {
  await mailInvitations(mailer).catch(error => mailer.warn(error, FAILED));
}

/**
 * Mails those who were invited by address and do not know it yet. Marked only when the alerts service has it: asked
 * twice it mails once, and while it is away the invitation waits. One mail a day for an address, however often its team
 * takes the invitation back and makes it again.
 */
export async function mailInvitations({ em, bus, baseUrl, warn }: InvitationMailer): Promise<void> {
  await forEachIsolated(
    await findUnmailed(em()),
    async invitation => {
      await call(bus, "alerts.mail", noticeOf(invitation, baseUrl));
      await markMailed(em(), invitation.id);
    },
    (error, { id }) => warn(error, LOG_MESSAGES.notMailed(id)),
  );
}

function noticeOf(
  { teamId, team, email, role, invitedBy, createdAt, expiresAt }: UnmailedInvitation,
  baseUrl: string,
) {
  return {
    id: `invitation ${teamId} ${email.toLowerCase()} ${createdAt.toISOString().slice(0, 10)}`,
    teamId,
    to: [email],
    subject: INVITATION_MAIL.subject(invitedBy, team),
    paragraphs: [
      INVITATION_MAIL.invited(invitedBy, team, role),
      INVITATION_MAIL.accept(email, expiresAt),
      INVITATION_MAIL.ignore,
    ],
    button: { label: INVITATION_MAIL.button, url: `${baseUrl}/auth/login` },
  };
}
