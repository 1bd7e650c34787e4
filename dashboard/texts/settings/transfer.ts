import type { ExportView } from "../../../shared/contracts/transfers/transfers.ts";
import type { IconName } from "../../../shared/report/render/icons.ts";
import { number, plural } from "../format.ts";

type Status = ExportView["status"];

/** Texts of exports and imports of a team. `{name}` stands for an element that the page inserts. */
export const transferTexts = {
  title: "Export and import",
  about: "Move this team's data to another installation of the service, or get it from one.",
  forAdmins: (team: string) => `Only admins of ${team} can export and import its data.`,
  icons: {
    receiving: "pending",
    running: "pending",
    completed: "approved",
    failed: "failed",
  } satisfies Record<Status, IconName>,
  secrets: (count: number) => `${plural(count, "secret")} not in the file`,
} as const;

export const leftOutNames: Record<ExportView["leftOut"][number]["kind"], string> = {
  secret: "Secret of a project",
  api_key: "API key",
  provider: "Identity provider",
  channels: "Alert channels of a monitor",
  credentials: "Credentials of a monitor",
  webhook: "Webhook",
  chat: "Chat channel or app",
  page_password: "Password of a status page",
};

export const exportTexts = {
  title: "Export",
  about:
    "The file has projects, baselines, runs with reviews and threads, monitors, members and the activity. It has no secrets.",
  thing: "the export",
  none: "No export yet.",
  start: "Start export",
  again: "Start another export",
  started: "Started {time}",
  progress: "Progress of the export",
  tables: (done: number, total: number) => `${number(done)} of ${plural(total, "table")}`,
  download: "Download export",
  files: (files: number) => `${plural(files, "image and file", "images and files")}.`,
  expires: "The file expires {time}.",
  leftOut: "After an import, set these again.",
  statuses: {
    receiving: "Running",
    running: "Running",
    completed: "Completed",
    failed: "Failed",
  } satisfies Record<Status, string>,
} as const;

export const importTexts = {
  title: "Import",
  about: "An import adds data, and changes nothing that this team has. You can import the same file again.",
  thing: "the import",
  file: "File of an export",
  fileHint:
    "If the upload is interrupted, it continues by itself while this page is open. Later, choose the same file and options to continue it.",
  brokenOff: (received: string) =>
    `An upload broke off. The service keeps the first ${received} for a day. Choose the same file and options to continue it.`,
  existing: "If this team already has a project of the same name",
  choices: {
    refuse: "Import nothing",
    rename: "Import it under another name",
    skip: "Leave the project out",
  },
  settings: "Use the exported team's settings for reviews and links",
  members: "Invite the members of the exported team",
  membersAbout: "Invite members only from a file that you trust. It decides who becomes an admin.",
  start: "Start import",
  cancel: "Cancel upload",
  progress: "Progress of the upload",
  writing: "Progress of the import",
  sent: (sent: string, total: string) => `${sent} of ${total} sent`,
  result: "Latest import",
  started: "Started {time}",
  statuses: {
    receiving: "Receiving",
    running: "Running",
    completed: "Completed",
    failed: "Failed",
  } satisfies Record<Status, string>,
  added: (added: number, rows: number) =>
    `${plural(added, "new record")} of ${number(rows)}. The others existed already, or were left out.`,
  projects: "Imported projects",
  skipped: "Left out",
  notes: (count: number) => plural(count, "note"),
  leftOut: "Set these again before you use what needs them.",
} as const;
