import type { EntityManager } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { type Bus, call } from "../../../shared/contracts/bus.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { INVITATION_MAIL, LOG_MESSAGES } from "../texts.ts";
import { findUnmailed, markMailed, type UnmailedInvitation } from "./invitation.store.ts";

/** Short, because an invited person waits for the email. */
const SWEEP_INTERVAL_MS = 60_000;

/** With open sign-up, anyone can create teams and invite any address. */
export const OPEN_DAILY_LIMIT = 100;

/** The dependencies of invitation emails. */
export interface InvitationMailer {
  em(): EntityManager;
  bus: Bus;
  /** The service's public URL. */
  baseUrl: string;
  /** Whether the installation has an identity provider. */
  hasProvider: boolean;
  /** How many emails the teams of one user can send in a day. Null for no limit. */
  dailyLimit: number | null;
  warn(error: unknown, what: string): void;
}

const FAILED = LOG_MESSAGES.invitationsNotMailed;

/** Returns the sending of unsent invitations as a periodic task. Any number of nodes can run it. */
export function invitationTask(mailer: InvitationMailer): PeriodicTask {
  return { intervalMs: SWEEP_INTERVAL_MS, work: () => mailInvitations(mailer), failed: FAILED };
}

/** Sends unsent invitations, and leaves failed ones to the task. */
export async function mailInvitationsNow(mailer: InvitationMailer): Promise<void> {
  await mailInvitations(mailer).catch(error => mailer.warn(error, FAILED));
}

/**
 * Sends invitations by address that were not sent yet. An invitation counts as sent after the alerts service has it,
 * which sends it once. If that fails, the invitation waits. An address gets one email a day, also if the team withdraws
 * and repeats the invitation. Invitations over the daily limit wait.
 */
export async function mailInvitations(mailer: InvitationMailer): Promise<void> {
  const { em, bus, dailyLimit, warn } = mailer;
  await forEachIsolated(
    await findUnmailed(em(), dailyLimit),
    async invitation => {
      await call(bus, "alerts.mail", noticeOf(invitation, mailer));
      await markMailed(em(), invitation);
    },
    (error, { id }) => warn(error, LOG_MESSAGES.notMailed(id)),
  );
}

function noticeOf(invitation: UnmailedInvitation, mailer: InvitationMailer) {
  const { teamId, team, email, role, invitedBy, createdAt, expiresAt } = invitation;
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
    button: { label: INVITATION_MAIL.button, url: signInUrl(invitation, mailer) },
  };
}

/** The sign-in page doesn't know the providers of teams. */
function signInUrl({ teamId, hasProvider }: UnmailedInvitation, mailer: InvitationMailer): string {
  const { baseUrl } = mailer;
  if (hasProvider) return `${baseUrl}/auth/oidc/${teamId}`;
  return mailer.hasProvider ? `${baseUrl}/sign-in` : `${baseUrl}/auth/login`;
}
