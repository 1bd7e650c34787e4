/** `vrs run`, `vrs login`, `vrs logout`, and `vrs export` with the import of its file. */
import { count, figure } from "../../shared/text/format.ts";

export const RUN_TEXTS = {
  submitted: (id: string, url: string, isKnown: boolean) =>
    `Run ${id} of ${url}${isKnown ? " (already submitted for this commit)" : ""}`,
  progress: (captured: number, total: number, compared: number) =>
    `${figure(captured)} of ${count(total, "screenshot")} captured${compared > 0 ? `, ${figure(compared)} compared` : ""}`,
  packing: (files: number) => `Packing ${count(files, "file")}`,
  sending: (bytes: number, all: number) =>
    `${figure(Math.round(bytes / 1024))} of ${figure(Math.round(all / 1024))} KiB sent`,
  archiveSent: (files: number) => `${count(files, "file")} sent.`,
  archiveKnown: (files: number) => `The service already has these ${count(files, "file")}. Nothing was sent.`,
  siteOf: (archive: string) => `the files in ${archive}`,
  carried: "approved earlier",
  failed: "The run failed.",
  canceled: "The run was canceled.",
  report: "Report",
  retrying: (why: string, minutes: number) => `${why} Retrying for ${count(minutes, "minute")}.`,
  remoteTimeout: (minutes: number) =>
    `The run was not complete after ${count(minutes, "minute")}, and was canceled. To wait longer, increase --timeout.`,
  tunnelLost: "The tunnel to the service was interrupted. Opening it again.",
  tunnelBack: "The tunnel is open again.",
  timeout: (minutes: number, report: string) =>
    `The run is not complete after ${count(minutes, "minute")}. It continues in the service. To wait longer, increase --timeout. ${report}`,
};

export const RUN_ERRORS = {
  basePathAndUrl:
    "--base-path is for files that the service serves. Leave it out for a URL, and add the path to --url.",
  basePath: (path: string) =>
    `--base-path ${path} is not the path of a folder. Write one such as /repo-name/.`,
  tagsAlone: "--tags selects stories. Add --storybook.",
  onlyChangedAlone: "--only-changed skips stories. Add --storybook.",
  onlyChangedUrl:
    "--only-changed needs the files of a build. Send a build with --archive, or omit --only-changed.",
  storybookAndRoutes: "--routes can't be combined with --storybook, because the stories are the pages.",
  archiveAndUrl:
    "--archive can't be combined with --url, --render or --start, because the service serves the files itself.",
  noArchive: (path: string) =>
    `${path} doesn't exist. Build your site first, and give its folder or archive: vrs run --archive dist`,
  archive: (path: string, why: string) => `${path} can't be checked. ${why}`,
  noArchiveProject:
    "The run needs a name for its baselines. Give one: vrs run --archive dist --project my-app",
  noUrl: "There is no URL to check. Give one: vrs run --url https://preview.example.com",
  run: "The run",
  invalid: (failures: readonly string[]) => `The run is invalid. ${failures.join(" ")}`,
  certificate: (session: string, file: string) =>
    `The session ${session} has the client certificate ${file}. The service can't read files of your machine. Give the session cert and key with references to secrets, or use \`vrs check\`.`,
  storageState: (session: string, file: string) =>
    `The session ${session} has the storage state ${file}. The service can't read files of your machine. Give the session steps that log in, or use \`vrs check\`.`,
  render: (text: string) => `--render must be remote. You gave "${text}".`,
  renderAndNoWait:
    "--render remote can't be combined with --no-wait, because the tunnel to your application closes when vrs exits.",
  startAlone: "--start requires --render remote. Without it, the service can't reach your application.",
  noProject: "The run needs a name for its baselines. Give one: vrs run --render remote --project my-app",
  unreachable: (url: string, why: string) =>
    `No response from ${url}: ${why}. Start your application first, or let vrs start it: vrs run --render remote --start "npm run dev".`,
  threshold: (text: string) =>
    `--threshold must be a fraction from 0 to 1, such as 0.01 for 1%. You gave "${text}".`,
};

export const LOGIN_TEXTS = {
  askUrl: (usual: string) => `URL of the service (${usual}):`,
  askKey: (url: string) => `API key for ${url} (hidden):`,
  signedIn: (url: string, teams: string, file: string) => `Signed in to ${url}: ${teams}. Saved in ${file}.`,
  team: (name: string, role: string) => `${name} (${role})`,
  notHttps: (url: string) => `${url} doesn't use HTTPS. Others on the network can read the API key.`,
  signedOut: "Signed out.",
  notSignedIn: "You weren't signed in.",
};

export const LOGIN_ERRORS = {
  noUrl: "There is no URL of a service. Give one: vrs login --url https://vrs.example.com",
  cannotPrompt:
    "There is no terminal to ask for the API key. Pass it on standard input: vrs login --with-key-from-stdin < key-file. In CI, set SERVICE_API_KEY instead.",
  tooLong: "Standard input is too long to be an API key.",
  notAUrl: (name: string, text: string) =>
    `${name} must be the URL of a service, such as https://vrs.example.com. You gave "${text}".`,
  emptyKey: (name: string) => `${name} is empty. Give an API key.`,
  notAKey: (name: string) => `${name} is not an API key: it has spaces or invalid characters.`,
  /** Names of inputs, which start the sentences above. */
  inputs: { stdin: "Standard input", key: "Your input", url: "The URL" },
};

export const SERVICE_ERRORS = {
  noService: "No service is configured. Run `vrs login`, or set SERVICE_API_URL and SERVICE_API_KEY.",
  noUrl:
    "No service is configured: SERVICE_API_KEY is set, but SERVICE_API_URL is not. Set it to the URL of your service.",
  noKey: (url: string) =>
    `There is no API key for ${url}. Run \`vrs login --url ${url}\`, or set SERVICE_API_KEY.`,
  notAService: (url: string) => `${url} doesn't respond like a vrs service. Check the URL.`,
  unreachable: (url: string, why: string) => `Failed to reach ${url}: ${why}.`,
  rejectedKey: (url: string, message: string) =>
    `${url} rejected the API key: ${message} Create a key in the dashboard, then run \`vrs login\`.`,
  unknown: (url: string, message: string) => `${url} responded with ${message}. Check the URL.`,
  withRequest: (message: string, id: string) => `${message} (request ${id})`,
};

export const TRANSFER_TEXTS = {
  exporting: (done: number, total: number) => `${figure(done)} of ${count(total, "table")} exported`,
  receiving: (bytes: number) => `${figure(Math.round(bytes / 1024))} KiB received`,
  sending: (bytes: number, total: number) =>
    `${figure(Math.round(bytes / 1024))} of ${figure(Math.round(total / 1024))} KiB sent`,
  importing: (done: number, total: number | null) =>
    total === null ? "Importing" : `${figure(done)} of ${count(total, "part")} imported`,
  exported: (file: string, rows: number, files: number) =>
    `Exported ${count(rows, "row")} and ${count(files, "file")} to ${file}.`,
  imported: (rows: number) => `Imported ${count(rows, "new row")}.`,
  renamed: (name: string, importedAs: string) => `${name} was imported as ${importedAs}.`,
  skipped: (name: string) => `${name} was skipped, because the team has it already.`,
  leftOut: (found: number) => `The file has no secrets. Set ${count(found, "value")} again after an import:`,
  oneLeftOut: (kind: string, name: string) => `  ${kind.replaceAll("_", " ")}: ${name}`,
};

export const TRANSFER_ERRORS = {
  noTeam: "The API key has no team. Use a key of the team.",
  exists: (file: string) => `${file} already exists. Choose another name, or add --force.`,
  noFile: (file: string) => `The file ${file} can't be read. Check its path.`,
  failed: (why: string) => `The import failed. ${why}`,
  existing: (choice: string) => `--existing can't be "${choice}". Use refuse, rename, or skip.`,
  interrupted: "The download was interrupted. Run the command again.",
};
