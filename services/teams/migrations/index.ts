import { MailAddresses } from "./2026-11-21-mail.ts";
import { People } from "./2026-11-21-people.ts";
import { Seats } from "./2026-11-21-seats.ts";
import { ServiceActors } from "./2026-11-21-service-actors.ts";
import { SessionBrowsers } from "./2026-11-21-session-browsers.ts";
import { TeamSettings } from "./2026-11-21-team-settings.ts";
import { TeamsAndKeys } from "./2026-11-21-teams-and-keys.ts";
import { LinkSettings } from "./2026-11-24-link-settings.ts";
import { UploadKeys } from "./2026-12-01-upload-keys.ts";
import { ExchangedKeys } from "./2026-12-02-exchanged-keys.ts";
import { NoticePreferenceTable } from "./2026-12-11-notice-preferences.ts";
import { Scim } from "./2026-12-12-scim.ts";
import { SingleSignOn } from "./2026-12-12-single-sign-on.ts";
import { KeyExpiry } from "./2026-12-13-key-expiry.ts";
import { InvitationMails } from "./2026-12-14-invitation-mails.ts";

/** The migrations in order. Never change a name, or a released migration. */
export const migrations = [
  { name: "2026-11-21-teams-and-keys", class: TeamsAndKeys },
  { name: "2026-11-21-people", class: People },
  { name: "2026-11-21-team-settings", class: TeamSettings },
  { name: "2026-11-21-service-actors", class: ServiceActors },
  { name: "2026-11-21-seats", class: Seats },
  { name: "2026-11-21-mail", class: MailAddresses },
  { name: "2026-11-21-session-browsers", class: SessionBrowsers },
  { name: "2026-11-24-link-settings", class: LinkSettings },
  { name: "2026-12-01-upload-keys", class: UploadKeys },
  { name: "2026-12-02-exchanged-keys", class: ExchangedKeys },
  { name: "2026-12-11-notice-preferences", class: NoticePreferenceTable },
  { name: "2026-12-12-single-sign-on", class: SingleSignOn },
  { name: "2026-12-12-single-sign-on-scim", class: Scim },
  { name: "2026-12-13-key-expiry", class: KeyExpiry },
  { name: "2026-12-14-invitation-mails", class: InvitationMails },
];
