import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectConfigSchema } from "../../shared/project-config/project-config.ts";
import {
  ACTION_TAG,
  chooseRunner,
  type WorkflowRunner,
} from "../../shared/project-config/starter/choose-runner.ts";
import {
  type Guess,
  guessProject,
  type Manifest,
  parseManifest,
  starterOf,
} from "../../shared/project-config/starter/guess-project.ts";
import { type Starter, starterConfig } from "../../shared/project-config/starter/starter-config.ts";
import { starterWorkflow, WORKFLOW_PATH } from "../../shared/project-config/starter/starter-workflow.ts";
import { describeInvalid, fieldError, fieldPath } from "../../shared/text/describe-invalid.ts";
import { A_WIDTH } from "../commands/option-values.ts";
import { CONFIG_NAMES } from "../config/find-config.ts";
import { gitLine } from "../git.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { INIT_ERRORS, INIT_TEXTS } from "../texts/init.ts";
import { askForStarter } from "./ask-for-starter.ts";
import { findAction } from "./find-action.ts";

const CONFIG = "service.config.ts";
/** Output of checks in the folder of the baselines, which are kept in git. */
const IGNORED = [".service/check/", ".service/monitor-history/"];

/** The options of `vrs init` as given on the command line. */
export interface InitOptions {
  baseUrl?: string;
  action?: string;
  workflow: boolean;
  force: boolean;
  yes: boolean;
}

/** The written paths, and the skipped ones with the reason. */
export interface InitOutcome {
  guess: Guess;
  /** The action that the workflow runs, as `owner/repo`; null without a workflow or an action. */
  action: string | null;
  written: string[];
  skipped: { path: string; why: string }[];
}

/**
 * Writes the first files of a project for visual checks.
 * @throws CommandError `already_there` if it has a configuration that must not be replaced; `invalid_answer`
 * for an invalid address
 */
export async function initProject(terminal: Terminal, options: InitOptions): Promise<InitOutcome> {
  const { cwd } = terminal;
  const existing = await firstExisting(cwd, CONFIG_NAMES);
  if (existing !== null && !(options.force && existing === CONFIG)) throw alreadyThere(existing);
  const guess = guessProject(await readManifest(cwd), new Set(await readdir(cwd)));
  const found = starterOf({ ...guess, baseUrl: options.baseUrl ?? guess.baseUrl });
  const isInteractive = terminal.canPrompt && !options.yes;
  const starter = checked(isInteractive ? await askForStarter(terminal, found, guess) : found);
  const workflow = options.workflow ? await planWorkflow(terminal, options, guess) : null;
  const runner = workflow?.runner ?? null;
  const action = runner === null || runner === "dependency" ? null : runner.action;
  const outcome: InitOutcome = { guess, action, written: [], skipped: [] };
  await put(outcome, cwd, CONFIG, starterConfig(starter), options.force);
  if (runner !== null) {
    const text = starterWorkflow({ ...guess, runner, waitsForBaselines: runner === "dependency" });
    await put(outcome, cwd, WORKFLOW_PATH, text, options.force);
  }
  if (workflow?.runner === null) outcome.skipped.push({ path: WORKFLOW_PATH, why: workflow.why });
  await ignore(outcome, cwd);
  return outcome;
}

/** Two configurations in one folder would both have baselines, but only one counts. */
function alreadyThere(existing: string): CommandError {
  const message = existing === CONFIG ? INIT_ERRORS.exists(existing) : INIT_ERRORS.otherExists(existing);
  return new CommandError("already_there", message);
}

function checked(starter: Starter): Starter {
  const { baseUrl, routes, viewports } = starter;
  const parsed = projectConfigSchema.safeParse({ baseUrl, routes, viewports }, { error: describeInvalid });
  if (parsed.success) return starter;
  const [issue] = parsed.error.issues;
  const [field, index] = issue?.path ?? [];
  const message =
    field === "viewports" && typeof index === "number"
      ? INIT_ERRORS.width(viewports[index] ?? "", A_WIDTH)
      : fieldError(fieldPath(issue?.path ?? []), issue?.message ?? "", INIT_ERRORS.configuration);
  throw new CommandError("invalid_answer", message);
}

/** Returns the named action, or null. @throws CommandError `invalid_answer` */
function namedAction({ env }: Terminal, { action = env.SERVICE_ACTION }: InitOptions): string | null {
  if (!action) return null;
  if (/^[\w.-]+\/[\w./-]+$/.test(action)) return action;
  throw new CommandError("invalid_answer", INIT_ERRORS.action(action));
}

/** Plans how the workflow runs vrs, or explains why there is no workflow. */
async function planWorkflow(
  terminal: Terminal,
  options: InitOptions,
  guess: Guess,
): Promise<{ runner: WorkflowRunner } | { runner: null; why: string }> {
  const { cwd } = terminal;
  const runner = await chooseRunner(namedAction(terminal, options), guess, () => findAction(cwd));
  if (runner === null) return { runner, why: INIT_TEXTS.unknownAction };
  const below = (await gitLine(cwd, ["rev-parse", "--show-prefix"]))?.replace(/\/$/, "");
  if (!below) return { runner };
  const what = runner === "dependency" ? "npx vrs check" : `${runner.action}@${ACTION_TAG}`;
  return { runner: null, why: INIT_TEXTS.notTopFolder(what, below) };
}

async function put(
  outcome: InitOutcome,
  folder: string,
  path: string,
  text: string,
  overwrites: boolean,
): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, text, { flag: overwrites ? "w" : "wx" });
    outcome.written.push(path);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    outcome.skipped.push({ path, why: INIT_TEXTS.exists });
  }
}

/** Adds the missing lines to .gitignore. */
async function ignore(outcome: InitOutcome, folder: string): Promise<void> {
  const path = ".gitignore";
  const text = await readFile(join(folder, path), "utf8").catch(() => "");
  const lines = new Set(text.split(/\r?\n/).map(line => line.trim().replace(/^\//, "")));
  const missing =
    lines.has(".service/") || lines.has(".service") ? [] : IGNORED.filter(line => !lines.has(line));
  if (missing.length === 0) return;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  await writeFile(join(folder, path), `${text}${gap}${missing.join("\n")}\n`);
  outcome.written.push(path);
}

async function readManifest(folder: string): Promise<Manifest | null> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  return text === null ? null : parseManifest(text);
}

async function firstExisting(folder: string, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const isThere = await access(join(folder, path)).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;
