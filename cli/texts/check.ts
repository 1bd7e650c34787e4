/** `vrs check`, `vrs approve`, and `vrs report`: progress, results, notes, and errors. */
import { count, figure, formatThreshold, listed } from "../../shared/text/format.ts";

/** @param page its name with state and environment */
const at = (page: string, viewport: number) => `${page} at ${viewport} px`;
/** Routes start with a slash, and names of screenshot files don't. */
const isPage = (route: string) => route.startsWith("/");

export const PROGRESS_TEXTS = {
  plan: (shots: number, routes: readonly string[]) =>
    routes.every(isPage)
      ? `${count(shots, "screenshot")} of ${count(routes.length, "route")}`
      : count(shots, "screenshot"),
  done: (done: number, all: number) => `${figure(done)} of ${figure(all)}`,
  timeLeft: (time: string) => `about ${time} left`,
  moreRoutes: (more: number) => `and ${count(more, "more route")}`,
  rendering: (route: string) => `rendering ${route}`,
  unstable: (moving: readonly string[]) =>
    moving.length > 0 ? `unstable: ${moving.join(", ")}` : "unstable",
};

export const RESULT_TEXTS = {
  columns: (routes: readonly string[]) => [
    routes.every(isPage) ? "route" : "name",
    "width",
    "status",
    "diff",
    "regions",
  ],
  more: (more: number) => `and ${figure(more)} more`,
  minorChanges: (minor: number) => count(minor, "minor change"),
  withinThreshold: "within the threshold",
  noScreenshots: "no screenshots",
  differentChanges: (changes: number) => count(changes, "different change"),
  took: (time: string) => `in ${time}`,
  report: "Report",
  unstableLabel: "Unstable",
  unstable: (page: string, viewport: number, moving: string) =>
    moving === "" ? at(page, viewport) : `${at(page, viewport)}: ${moving} kept changing`,
  renamed: (from: string) => `Identical to ${from}. \`vrs approve\` renames that baseline.`,
  otherEnvironment: (shots: number) =>
    `${count(shots, "screenshot")} ${shots === 1 ? "differs from a baseline" : "differ from baselines"} of another browser or system. The report shows ${shots === 1 ? "it" : "them"}.`,
  firstCheck: "There are no baselines yet. Review the report, then run `vrs approve`.",
  approveMinor: "To approve minor changes, run `vrs approve --minor`.",
  approve: "If the changes are intended, run `vrs approve`. For a single route, run `vrs approve /path`.",
  approveFiles:
    "If the changes are intended, run `vrs approve`. For a single screenshot, run `vrs approve <name>`.",
  /** For a single screenshot. */
  differs: (share: string, threshold: number, regions: number) =>
    `${share} of the pixels differ, in ${count(regions, "region")}. The threshold is ${formatThreshold(threshold)}.`,
  new: (route: string) => `This ${isPage(route) ? "page" : "screenshot"} has no baseline yet.`,
  removed: (route: string) =>
    isPage(route)
      ? "This page has a baseline, but is no longer among the routes."
      : "This screenshot has a baseline, but its file is missing.",
  notCaptured: "The page couldn't be captured.",
};

export const WATCH_TEXTS = {
  waiting: "Waiting for changes. Press Ctrl+C to stop.",
  changed: (files: readonly string[], more: number) =>
    `Changed: ${files.join(", ")}${more > 0 ? `, and ${count(more, "more file")}` : ""}`,
};

export const WATCH_ERRORS = {
  tooManyFolders:
    "The project has more folders than this system lets vrs watch. Ignore folders of generated files in git, or raise fs.inotify.max_user_watches.",
  tooManyWatchers:
    "Too many programs on this system watch files. Close some of them, or raise fs.inotify.max_user_instances.",
};

export const PROOF_NOTES = {
  proving: (page: string, viewport: number) => `Proving the cause of ${page} at ${viewport} px.`,
  more: (changes: number) =>
    `${count(changes, "more change")} with other causes ${changes === 1 ? "is" : "are"} not proved. Name a route to prove it.`,
  result: (page: string, viewport: number, proof: string) => `${page} at ${viewport} px: ${proof}`,
};

export const NOTE_TEXTS = {
  renamedTo: (route: string) => `It was renamed to ${route}.`,
  renamedFrom: (route: string) => `It was renamed: it is identical to ${route}, which is no longer a route.`,
  approvedHere: (ref: string | null) => `It is approved here, but not yet in ${ref}.`,
  otherEnvironment: (theirs: string) =>
    `The baseline was captured with ${theirs}. Text may be rendered differently.`,
  otherEnvironments: (foreign: number, compared: number, theirs: readonly string[], ours: string) =>
    `${figure(foreign)} of ${count(compared, "baseline")} ${foreign === 1 ? "was" : "were"} captured with ${listed(theirs)} instead of ${ours}, and ${foreign === 1 ? "differs" : "differ"}. ` +
    "Text rendering alone can cause this. Run checks where the baselines are captured, or review the report and approve the screenshots.",
  renderRemotely: "To get the same pixels on every system, render in a service: `vrs run --render remote`.",
  environment: (browser: string | null, platform: string | null) => `${browser} on ${platform}`,
  fromRepository: "from the repository",
};

export const CHECK_ERRORS = {
  addressTaken: (url: string) =>
    `Another process already responds at ${url}, so --start can't start the application there. Stop that process, or leave out --start to check it.`,
  notStarted: (command: string, message: string) =>
    `The application \`${command}\` failed to start: ${message}.`,
  exited: (command: string, code: number | null) =>
    `The application \`${command}\` exited with code ${code} before the check was done.`,
  killed: (command: string, signal: string) =>
    `The application \`${command}\` was stopped by ${signal} before the check was done.`,
  noResponse: (command: string, url: string, seconds: number, why: string) =>
    `The application \`${command}\` didn't respond at ${url} within ${figure(seconds)} s: ${why}. Check the port, or increase --start-timeout.`,
  printedNothing: "It printed nothing.",
  printed: (output: string) => `It printed:\n${output}`,
  unreachable: (url: string, why: string) =>
    `No response from ${url}: ${why}. Start your application, or let vrs start it: vrs check --start "npm run dev". To check another URL, use --url.`,
  reasons: {
    timeout: "the request timed out",
    refused: "the connection was refused",
    unresolved: "the host name doesn't resolve",
    reset: "the connection was closed",
    noRoute: "the host is unreachable",
  },
  noBrowser: (message: string) => `${message} Run \`vrs doctor\` for details.`,
  noRoute: (route: string, near: string | null) =>
    `No ${isPage(near ?? route) ? "route" : "screenshot"} matches ${route}.${near ? ` Did you mean ${near}?` : ""}`,
  noWidth: (width: number, widths: readonly number[]) =>
    `No route is captured at ${width} px. Widths: ${widths.join(", ") || "none"}.`,
  noEnvironment: (name: string, names: readonly string[], near: string | null) =>
    `No page is captured in the environment ${name}. ${near === null ? `Environments: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`}`,
  noRouteInEnvironment:
    "These routes aren't captured in these environments at these widths. Check --env and --width, or the configuration.",
  noSecrets: (names: readonly string[], variables: readonly string[]) =>
    `The configuration refers to the ${names.length === 1 ? "secret" : "secrets"} ${listed(names)}, but ${listed(variables)} ${names.length === 1 ? "is not set. Set this environment variable." : "are not set. Set these environment variables."}`,
  certificate: (session: string, file: string, why: string) =>
    `Failed to read the client certificate of the session ${session} from ${file}: ${why}. The path is relative to the configuration.`,
  notPem: "the file has no PEM text, which begins with -----BEGIN",
  storageState: (session: string, file: string, why: string) =>
    `Failed to read the storage state of the session ${session} from ${file}: ${why}`,
  storageStateReasons: {
    missing: "the file doesn't exist. Create it, or check the path, which is relative to the configuration.",
    tooLarge: (mib: number) => `the file is larger than ${mib} MiB. Keep only the cookies of the login.`,
    notJson: "the file is not JSON. Write it with `context.storageState({ path })` of Playwright.",
    invalid: (field: string) =>
      `${field} is not what Playwright writes. Write the file with \`context.storageState({ path })\`.`,
  },
  noRouteAtWidth:
    "These routes aren't captured at these widths. Check --width, or the viewports of the configuration.",
  damagedResult: (file: string) =>
    `${file} is damaged, or from another version of vrs. Run \`vrs check\` again.`,
  neverChecked: "There is no check here yet. Run `vrs check` first.",
  noReport: "The last check wrote no report. Run `vrs check` again.",
};

export const APPROVE_TEXTS = {
  skipped: (page: string, viewport: number) => `skipped  ${at(page, viewport)}: it failed`,
  done: (did: string, shot: { page: string; viewport: number; from: string | null; file: string }) =>
    `${did}  ${at(shot.page, shot.viewport)}${shot.from === null ? "" : ` from ${shot.from}`}  ${shot.file}`,
  nothing: "Nothing to approve.",
  wouldChange: (baselines: number) => `${count(baselines, "baseline")} would change. Nothing was written.`,
  changed: (baselines: number) => `${count(baselines, "baseline")} changed. Commit them with git.`,
};

export const APPROVE_ERRORS = {
  noCheck: "There is no finished check to approve. Run `vrs check` first.",
  configChanged: "The configuration changed after the last check.",
  commitChanged: (then: string, now: string) => `The last check was of ${then}, but ${now} is checked out.`,
  noCommit: "no commit",
  baselineChanged: (page: string, viewport: number, more: number) =>
    `The baseline of ${at(page, viewport)}${more > 0 ? ` and ${figure(more)} more` : ""} changed after the last check.`,
  stale: (why: string) => `${why} Run \`vrs check\` again, or add --force to approve anyway.`,
  onlyMinor: "Only minor changes match. They don't need approval. To approve them anyway, add --minor.",
  nothingWaits: "Nothing matches. The last check found nothing to approve.",
  othersWait: (routes: readonly string[]) => `Nothing matches. You can approve: ${routes.join(", ")}.`,
  captureMissing: (page: string, viewport: number) =>
    `The last check's screenshot of ${at(page, viewport)} is missing or was modified. Run \`vrs check\` again.`,
};

export const BASELINE_ERRORS = {
  gitFailed: (why: string) => `Failed to read the baselines with git: ${why}.`,
  gitExited: (code: number | null) => `git exited with code ${code}`,
  gitIncomplete: "git didn't return all of them",
  noRepository: (branch: string, folder: string) =>
    `Failed to read the baselines of ${branch}: ${folder} is not in a git repository, or git is not installed. To compare with the files in the folder, remove baselines.branch and --branch.`,
  notABranch: (branch: string) => `${branch} is not a branch name. Check baselines.branch or --branch.`,
  noBranch: (branch: string) =>
    `This repository has no branch, tag, or commit ${branch}. Check baselines.branch or --branch.`,
  notFetched: (branch: string, isShallow: boolean, remote: string) =>
    `The baselines of ${branch} are not available: this ${isShallow ? "shallow clone doesn't include it" : "clone hasn't fetched it"}. Run: git fetch --depth=1 ${remote} ${branch}:refs/remotes/origin/${branch}`,
  lfs: (file: string) =>
    `${file} is stored with Git LFS, and its content is not available. Install Git LFS (https://git-lfs.com), then run: git lfs pull`,
  mergeConflict: (at: string) =>
    `${at}: This line is part of a merge conflict. Keep the lines of both sides, and delete the markers.`,
  newerVersion: (at: string) => `${at}: A newer version of vrs wrote this file. Install that version.`,
  damagedLine: (at: string) => `${at}: This line is damaged. Restore the file with git, or delete the line.`,
  notJson: (at: string) => `${at}: This line is not JSON. Restore the file with git, or delete the line.`,
  fileMissing: "the file is missing",
  unreadable: (file: string, why: string) =>
    `Failed to read the baseline ${file}: ${why}. Restore it with git, or approve the new screenshot.`,
};
