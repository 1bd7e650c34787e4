import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { projectConfigSchema } from "../../shared/project-config/project-config.ts";
import { DEFAULT_STARTER, type Starter, starterConfig } from "../../shared/project-config/starter-config.ts";
import { starterWorkflow, WORKFLOW_PATH } from "../../shared/project-config/starter-workflow.ts";
import { CONFIG_NAMES } from "../config/find-config.ts";
import { gitLine } from "../git.ts";
import { A_WIDTH } from "../read-widths.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { askForStarter } from "./ask-for-starter.ts";
import { type Guess, guessProject, type Manifest, ownerOf } from "./guess-project.ts";

const CONFIG = "service.config.ts";
/** What a check leaves beside the baselines, which are kept. */
const IGNORED = [".service/check/", ".service/monitor-history/"];

/** What the command line says of it. */
export interface InitOptions {
  baseUrl?: string;
  action?: string;
  workflow: boolean;
  force: boolean;
  yes: boolean;
}

/** What was done, by path; and what was not, with the reason. */
export interface InitOutcome {
  guess: Guess;
  /** The action that the workflow runs, as `owner/repo`; null when there is no workflow. */
  action: string | null;
  written: string[];
  skipped: { path: string; why: string }[];
}

/**
 * Writes the files of a project that begins with visual checks.
 * @throws CommandError `already_there` when it has a configuration and may not lose it; `invalid_answer` for an address
 * that is none
 */
export async function initProject(terminal: Terminal, options: InitOptions): Promise<InitOutcome> {
  const { cwd } = terminal;
  const existing = await firstExisting(cwd, CONFIG_NAMES);
  if (existing !== null && !(options.force && existing === CONFIG)) throw alreadyThere(existing);
  const guess = guessProject(await readManifest(cwd), new Set(await readdir(cwd)));
  const found: Starter = {
    ...DEFAULT_STARTER,
    baseUrl: options.baseUrl ?? guess.baseUrl,
    hasTypes: guess.hasVrs,
  };
  const asks = terminal.canAsk && !options.yes;
  const starter = checked(asks ? await askForStarter(terminal, found, guess) : found);
  const workflow = options.workflow ? await planWorkflow(options, cwd) : null;
  const action = workflow?.action ?? null;
  const outcome: InitOutcome = { guess, action, written: [], skipped: [] };
  await put(outcome, cwd, CONFIG, starterConfig(starter), options.force);
  if (action !== null)
    await put(outcome, cwd, WORKFLOW_PATH, starterWorkflow(action, guess.starting), options.force);
  if (workflow?.action === null) outcome.skipped.push({ path: WORKFLOW_PATH, why: workflow.why });
  await ignore(outcome, cwd);
  return outcome;
}

/** Two configurations in one folder would each have baselines, and only one of them counts. */
function alreadyThere(existing: string): CommandError {
  const how =
    existing === CONFIG ? "Change that one, or write over it with `vrs init --force`." : "Change that one.";
  return new CommandError("already_there", `There is ${existing} already. ${how}`);
}

function checked(starter: Starter): Starter {
  const { baseUrl, routes, viewports } = starter;
  const parsed = projectConfigSchema.safeParse({ baseUrl, routes, viewports });
  if (parsed.success) return starter;
  const [issue] = parsed.error.issues;
  const [field, index] = issue?.path ?? [];
  const said =
    field === "viewports" && typeof index === "number"
      ? `viewports: ${viewports[index]} is no ${A_WIDTH}`
      : `${issue?.path.join(".") || "The configuration"}: ${issue?.message}`;
  throw new CommandError("invalid_answer", said.replace(/[^.]$/, "$&."));
}

/** The action that was named, else the owner's own copy of it, as the bootstrap pull request has it; null when unknown. */
async function actionFor({ action }: InitOptions, folder: string): Promise<string | null> {
  if (action === undefined) return await guessAction(folder);
  if (/^[\w.-]+\/[\w.-]+$/.test(action)) return action;
  throw new CommandError("invalid_answer", `--action: ${action} is no owner/repo.`);
}

/** The action that the workflow is to run, or why there can be no workflow. */
async function planWorkflow(
  options: InitOptions,
  folder: string,
): Promise<{ action: string } | { action: null; why: string }> {
  const action = await actionFor(options, folder);
  if (action === null)
    return { action, why: "the action's repository is not known; name it with --action owner/repo" };
  const below = (await gitLine(folder, ["rev-parse", "--show-prefix"]))?.replace(/\/$/, "");
  if (!below) return { action };
  const why = `a workflow runs from the top folder of the repository only; write one there that uses ${action}@v0 with working-directory: ${below}`;
  return { action: null, why };
}

async function guessAction(folder: string): Promise<string | null> {
  const remote = await gitLine(folder, ["remote", "get-url", "origin"], { withinMs: 10_000 });
  const owner = remote === null ? null : ownerOf(remote.replace(/\.git$/, ""));
  return owner === null ? null : `${owner}/vrs`;
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
    outcome.skipped.push({ path, why: "it is there already" });
  }
}

/** Adds what is missing to .gitignore, and leaves the rest of it alone. */
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

const names = z.record(z.string(), z.string()).default({}).catch({});
const manifestSchema = z.object({ scripts: names, dependencies: names, devDependencies: names });

async function readManifest(folder: string): Promise<Manifest | null> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  if (text === null) return null;
  try {
    const { scripts, dependencies, devDependencies } = manifestSchema.parse(JSON.parse(text));
    return { scripts, dependencies: new Set(Object.keys({ ...dependencies, ...devDependencies })) };
  } catch {
    return null;
  }
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
