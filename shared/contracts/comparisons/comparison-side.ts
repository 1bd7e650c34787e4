/** A side of a comparison: where its screenshots come from. */
export type ComparisonSide =
  | { kind: "run"; id: string }
  | { kind: "branch"; project: string; branch: string }
  | { kind: "monitor"; id: string; at: string | null; checkId: string | null }
  | { kind: "look"; id: string };

/** The forms of a side, in errors and documents. */
export const SIDE_FORMS =
  "run:RUN_ID, branch:PROJECT:BRANCH, monitor:MONITOR_ID, monitor:MONITOR_ID@TIME, monitor:MONITOR_ID@CHECK_ID or look:LOOK_ID";

const MAX_NAME_CHARS = 255;
const ID_END = "[0-9a-z]{26}";
const RUN = new RegExp(`^run_${ID_END}$`);
const LOOK = new RegExp(`^look_${ID_END}$`);
const CHECK = new RegExp(`^chk_${ID_END}$`);
const MONITOR = new RegExp(`^(mon_${ID_END})(?:@(.+))?$`);
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
/** The years 1 to 9999. Time zones can lead to others, which the database refuses. */
const STORABLE_YEAR = /^(?!0000)\d{4}-/;
const KIND_OF_PREFIX: Record<string, string> = { run: "run", look: "look", mon: "monitor" };

/**
 * Parses a side, such as `run:run_…` or `branch:acme/shop:main`. The kind may be missing before an id.
 * @returns the side, or what is wrong with the text, as an error's end
 */
export function parseSide(text: string): ComparisonSide | string {
  const { kind, value } = splitKind(text.trim());
  switch (kind) {
    case "run":
      return RUN.test(value)
        ? { kind, id: value }
        : "must be run: and the id of a run, such as run:run_01k8z4m2q7e1v9s5w3x7y1z5a9";
    case "look":
      return LOOK.test(value)
        ? { kind, id: value }
        : "must be look: and the id of a look, as in GET /v1/monitors/:id/looks";
    case "branch":
      return parseBranch(value);
    case "monitor":
      return parseMoment(value);
    default:
      return `must have one of these forms: ${SIDE_FORMS}`;
  }
}

/** Returns a side as text that `parseSide` accepts. */
export function sideText(side: ComparisonSide): string {
  if (side.kind === "branch") return `branch:${side.project}:${side.branch}`;
  if (side.kind !== "monitor") return `${side.kind}:${side.id}`;
  const moment = side.checkId ?? side.at;
  return `monitor:${side.id}${moment === null ? "" : `@${moment}`}`;
}

function splitKind(text: string): { kind: string | undefined; value: string } {
  const prefix = /^(run|look|mon)_/.exec(text)?.[1];
  if (prefix !== undefined) return { kind: KIND_OF_PREFIX[prefix], value: text };
  const colon = text.indexOf(":");
  return { kind: text.slice(0, Math.max(0, colon)), value: text.slice(colon + 1) };
}

/** No branch has a colon in its name, but projects can: `localhost:4173`. */
function parseBranch(value: string): ComparisonSide | string {
  const colon = value.lastIndexOf(":");
  const project = value.slice(0, Math.max(0, colon));
  const branch = value.slice(colon + 1);
  if (project === "" || branch === "")
    return "must be branch:, the project, a colon, and the branch, such as branch:acme/shop:main";
  if ([project, branch].some(name => name.length > MAX_NAME_CHARS || /\p{Cc}/u.test(name)))
    return `must name a project and a branch of at most ${MAX_NAME_CHARS} characters`;
  return { kind: "branch", project, branch };
}

function parseMoment(value: string): ComparisonSide | string {
  const [, id, moment] = MONITOR.exec(value) ?? [];
  if (id === undefined)
    return "must be monitor: and the id of a monitor, then optionally @ and a time or a check";
  if (moment === undefined || moment === "latest") return { kind: "monitor", id, at: null, checkId: null };
  if (CHECK.test(moment)) return { kind: "monitor", id, at: null, checkId: moment };
  const at = TIME.test(moment) ? new Date(hasZone(moment) ? moment : `${moment}Z`) : null;
  if (at === null || Number.isNaN(at.getTime()) || !STORABLE_YEAR.test(at.toISOString()))
    return "must have a time such as 2026-01-31T09:00:00Z, the id of a check, or latest after the @";
  return { kind: "monitor", id, at: at.toISOString(), checkId: null };
}

/** A date alone is read as UTC by itself. */
function hasZone(time: string): boolean {
  return !time.includes("T") || /(?:Z|[+-]\d{2}:\d{2})$/.test(time);
}
