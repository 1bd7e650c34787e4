import { buildNameOf } from "../../../shared/contracts/builds/builds.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { CHECK_TEXTS } from "../texts/comments.ts";
import type { CheckRun } from "./check-run.entity.ts";

/** Returns the id of a check run as runs have it: a number if the code host has numbers. */
export function checkRunIdOf(hostId: string): number | string {
  return /^\d+$/.test(hostId) ? Number(hostId) : hostId;
}

/** Returns whether a report's URL is of another run. A URL without a run is of any. */
export function namesOtherRun(reportUrl: string | null, runId: string): boolean {
  const [, named = runId] = /\/(run_\w+)(?:\/|$)/.exec(URL.parse(reportUrl ?? "")?.pathname ?? "") ?? [];
  return named !== runId;
}

/** Returns the name of a run's check: of its build, or empty for a captured run. */
export function nameOfRun({ source, project }: Pick<RunView, "source" | "project">): string {
  return source === "upload" ? (buildNameOf(project) ?? CHECK_TEXTS.unnamedBuild) : "";
}

/** Returns the name of a check at the code host. */
export function checkNameOf({ name }: Pick<CheckRun, "name">): string {
  return name === "" ? CHECK_TEXTS.name : CHECK_TEXTS.buildName(name);
}

/** Returns the text that finds the comment of a check again. It is invisible to readers. */
export function commentMarkerOf({ name }: Pick<CheckRun, "name">): string {
  // The name of a build could end the HTML comment.
  const shown = name === "" ? CHECK_TEXTS.name : CHECK_TEXTS.buildName(encodeURIComponent(name));
  return `<!-- vrs: the result of ${shown.replaceAll("-", "%2D")} -->`;
}
