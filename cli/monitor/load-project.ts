import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createJiti } from "jiti";
import { projectConfigSchema } from "../../shared/project-config/project-config.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import type { LoadedConfig } from "./monitor-plan.ts";

/** The configuration of the nearest project; null where there is none and none was named. */
export async function loadProject(
  { cwd }: Pick<Terminal, "cwd">,
  path: string | undefined,
): Promise<LoadedConfig | null> {
  const file = path === undefined ? findUp(cwd) : resolve(cwd, path);
  if (file === null) return null;
  const read = projectConfigSchema.safeParse(
    await createJiti(import.meta.url).import(file, { default: true }),
  );
  if (!read.success) throw new CommandError("config_invalid", read.error.message);
  return { config: read.data, file, root: dirname(file) };
}

function findUp(folder: string): string | null {
  const file = join(folder, "service.config.ts");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? null : findUp(dirname(folder));
}
