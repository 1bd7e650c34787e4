import { type ComparisonSide, parseSide, sideText } from "../../shared/contracts/runs/comparison-side.ts";

export const SIDE_KINDS = ["run", "branch", "monitor"] as const;
export type SideKind = (typeof SIDE_KINDS)[number];

/** What a form has for one side. Fields of other kinds keep their values. */
export interface SideChoice {
  kind: SideKind;
  run: string;
  project: string;
  branch: string;
  monitor: string;
  /** As a date field has it, in the reader's time zone. Empty for the latest. */
  at: string;
  /** A look or a check, which only links have. */
  fixed: string;
  environment: string;
}

const EMPTY: SideChoice = {
  ...{ kind: "run", run: "", project: "", branch: "", monitor: "", at: "", fixed: "", environment: "" },
};

/** Returns the fields of a side in a URL. */
export function choiceOf(text = "", environment = ""): SideChoice {
  const side = parseSide(text);
  if (typeof side === "string") return { ...EMPTY, environment };
  return { ...EMPTY, environment, ...fieldsOf(side) };
}

function fieldsOf(side: ComparisonSide): Partial<SideChoice> {
  switch (side.kind) {
    case "run":
      return { kind: "run", run: side.id };
    case "branch":
      return { kind: "branch", project: side.project, branch: side.branch };
    case "monitor":
      return {
        ...{ kind: "monitor", monitor: side.id, at: side.at === null ? "" : localTime(new Date(side.at)) },
        fixed: side.checkId === null ? "" : sideText(side),
      };
    case "look":
      return { kind: "monitor", fixed: sideText(side) };
  }
}

/** Returns the side as text for the URL. Null if fields are missing or wrong. */
export function textOfChoice(choice: SideChoice): string | null {
  const { kind, run, project, branch, monitor, at, fixed } = choice;
  if (kind === "monitor" && fixed !== "") return fixed;
  const texts = {
    run: `run:${run.trim()}`,
    branch: `branch:${project.trim()}:${branch.trim()}`,
    monitor: `monitor:${monitor}${at === "" ? "" : `@${utcOf(at)}`}`,
  };
  const side = parseSide(texts[kind]);
  return typeof side === "string" ? null : sideText(side);
}

function utcOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

/** Returns a time for a date field, in the reader's time zone. */
function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
