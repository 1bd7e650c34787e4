import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { describeIssue } from "../../shared/project-config/describe-issue.ts";
import type { ConfigFailure } from "../../shared/project-config/failure.ts";
import { type ProjectConfig, projectConfigSchema } from "../../shared/project-config/project-config.ts";
import { runOptionsOf } from "../../shared/project-config/run-of.ts";
import { readConfigStatically } from "../../shared/project-config/static-reading/read-config-statically.ts";
import { describeInvalid } from "../../shared/text/describe-invalid.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { pluginsOf } from "../plugins/plugins-of.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { CONFIG_ERRORS } from "../texts/errors.ts";
import { findConfig, rootOf } from "./find-config.ts";
import { importConfig } from "./import-config.ts";

/** A configuration with its plugin objects. */
export type LoadedConfig = Omit<ProjectConfig, "plugins"> & { plugins: readonly Plugin[] };

export interface Configuration {
  config: LoadedConfig;
  /** Absolute path of the file. */
  file: string;
  /** Folder that paths in the configuration are relative to. */
  root: string;
}

/** Maximum of errors shown. The others appear once these are fixed. */
const MAX_SHOWN = 10;

/**
 * Loads the project's configuration: the named file, otherwise the nearest above the working directory. Runs
 * the file, which is the user's own, unless it is YAML.
 * @throws CommandError `config_missing`, `config_invalid` with file, line, column and field of each error
 */
export async function loadConfig(terminal: Pick<Terminal, "cwd">, path?: string): Promise<Configuration> {
  const file = await findConfig(terminal.cwd, path);
  const root = rootOf(file);
  const shown = relative(terminal.cwd, file) || file;
  if (/\.ya?ml$/i.test(file)) return { file, root, config: await readYamlConfig(file, shown) };
  const exported = await importConfig(file).catch(async (error: unknown) => {
    throw await cannotRun(file, shown, error);
  });
  if (typeof exported !== "object" || exported === null || Array.isArray(exported)) {
    throw new CommandError("config_invalid", CONFIG_ERRORS.noExport(shown));
  }
  const checked = projectConfigSchema.safeParse(exported, { error: describeInvalid });
  if (!checked.success) {
    const issues = checked.error.issues.flatMap(issue => describeIssue(issue, MAX_SHOWN));
    throw invalid(shown, withPositions(issues, await staticFailures(file)));
  }
  const plugins = pluginsOf("plugins" in exported ? exported.plugins : [], shown);
  return { file, root, config: { ...checked.data, plugins } };
}

async function readYamlConfig(file: string, shown: string): Promise<LoadedConfig> {
  const read = await readConfigStatically(await readFile(file, "utf8"), file);
  if (read.config === null) throw invalid(shown, read.failures);
  return { ...read.config, plugins: [] };
}

type ShownFailure = Pick<ConfigFailure, "message"> & Partial<Pick<ConfigFailure, "line" | "column">>;

/** Returns the errors with their positions, found by reading the file without running it. */
async function staticFailures(file: string): Promise<ConfigFailure[]> {
  const source = await readFile(file, "utf8");
  // Without positions, the errors still name the field.
  return await readConfigStatically(source, file).then(
    read => [...read.failures],
    () => [],
  );
}

function withPositions(
  issues: { field: string | null; message: string }[],
  failures: ConfigFailure[],
): ShownFailure[] {
  return issues.map(({ field, message }) => {
    const failure = failures.find(known => known.field === field && known.message === message);
    return { message, ...(failure && { line: failure.line, column: failure.column }) };
  });
}

function invalid(shown: string, failures: readonly ShownFailure[]): CommandError {
  const lines = failures
    .slice(0, MAX_SHOWN)
    .map(({ line, column, message }) =>
      line === undefined ? `${shown}: ${message}` : `${shown}:${line}:${column}: ${message}`,
    );
  if (failures.length > MAX_SHOWN) lines.push(CONFIG_ERRORS.more(failures.length - MAX_SHOWN));
  return new CommandError("config_invalid", lines.join("\n"));
}

/** The file itself failed: its syntax, its imports, or its code. */
async function cannotRun(file: string, shown: string, error: unknown): Promise<CommandError> {
  const failures = (await staticFailures(file)).filter(({ code }) => code === "syntax");
  if (failures.length > 0) return invalid(shown, failures);
  const at = error instanceof Error ? positionInStack(error, file) : null;
  const reason = error instanceof Error ? error.message : String(error);
  const position = at === null ? shown : `${shown}:${at}`;
  return new CommandError("config_invalid", CONFIG_ERRORS.failed(position, reason), error);
}

/** Returns `line:column` of the file in an error's stack. */
function positionInStack({ stack = "" }: Error, file: string): string | null {
  // Node names modules by their URL, and jiti by their path.
  const names = [file, pathToFileURL(file).href];
  const line = stack.split("\n").find(each => names.some(name => each.includes(name)));
  return (line && /:(\d+:\d+)\)?$/.exec(line)?.[1]) ?? null;
}

/**
 * Loads the named or the nearest configuration; null if there is none and none was named.
 * @throws CommandError for an invalid one
 */
export async function loadConfigIfThere(
  terminal: Pick<Terminal, "cwd">,
  path: string | undefined,
): Promise<Configuration | null> {
  try {
    return await loadConfig(terminal, path);
  } catch (error) {
    const isMissing = error instanceof CommandError && error.code === "config_missing";
    if (isMissing && path === undefined) return null;
    throw error;
  }
}

/**
 * Returns the SHA-256 of the settings of pages and baselines. Captures with another hash show other pages.
 */
export function configHash(config: LoadedConfig): string {
  const { routes, viewports, baselines } = config;
  const { colorThreshold: _color, ignoreRegions: _ignored, ...options } = runOptionsOf(config);
  const settings = { routes, viewports, ...options, baselines };
  return createHash("sha256").update(JSON.stringify(settings)).digest("hex");
}

/**
 * Loads the named or the nearest configuration; the defaults, for the working directory, if there is none and none was
 * named.
 * @throws CommandError for an invalid one
 */
export async function loadConfigOrDefault(
  terminal: Pick<Terminal, "cwd">,
  path: string | undefined,
): Promise<Configuration> {
  const loaded = await loadConfigIfThere(terminal, path);
  if (loaded !== null) return loaded;
  const config = { ...projectConfigSchema.parse({}), plugins: [] };
  return { file: "", root: terminal.cwd, config };
}

/** Returns the SHA-256 of the settings that the check of screenshot files depends on. */
export function screenshotConfigHash({ baselines }: LoadedConfig): string {
  return createHash("sha256").update(JSON.stringify({ baselines })).digest("hex");
}
