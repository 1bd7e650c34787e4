import { platformVariables } from "../../../shared/environment/platform-variables.ts";
import type { ProjectSettings } from "../installs/project-settings.store.ts";
import type { ProjectVariable } from "./platform-api.ts";

/** The variables of a platform's project that configure its captures. */
const { SERVICE_ROUTES, SERVICE_ROUTES_FROM_CONFIG, SERVICE_API_KEY } = platformVariables;

export const NO_SETTINGS: ProjectSettings = { routes: null, routesFromConfig: null, apiKey: null };

/** The settings of a branch. */
export interface ReadVariables {
  settings: ProjectSettings;
  /** The names of invalid variables. */
  invalid: string[];
  /** Whether any branch has a key. */
  hasKey: boolean;
}

/** Reads the settings of a branch's previews from a project's variables. @param branch null if it is unknown */
export function readVariables(variables: readonly ProjectVariable[], branch: string | null): ReadVariables {
  const invalid: string[] = [];
  const read = <T>(name: string, schema: Schema<T>): T | null => {
    const value = valueFor(variables, name, branch);
    if (value === null || value.trim() === "") return null;
    const parsed = schema.safeParse(value.trim());
    if (!parsed.success) invalid.push(name);
    return parsed.success ? parsed.data : null;
  };
  const routes = read("SERVICE_ROUTES", SERVICE_ROUTES);
  const fromConfig = read("SERVICE_ROUTES_FROM_CONFIG", SERVICE_ROUTES_FROM_CONFIG);
  const apiKey = read("SERVICE_API_KEY", SERVICE_API_KEY) ?? null;
  return {
    settings: {
      routes: routes === null || routes.length === 0 ? null : [...new Set(routes)],
      routesFromConfig: fromConfig === null ? null : fromConfig === "1",
      apiKey,
    },
    invalid,
    hasKey: variables.some(({ key, value }) => key === "SERVICE_API_KEY" && value.trim() !== ""),
  };
}

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/** Returns a variable's value by the platform's rule: a branch's own variable comes first. */
function valueFor(variables: readonly ProjectVariable[], name: string, branch: string | null): string | null {
  const named = variables.filter(({ key }) => key === name);
  const ofBranch = branch === null ? undefined : named.find(({ gitBranch }) => gitBranch === branch);
  return (ofBranch ?? named.find(({ gitBranch }) => gitBranch === null))?.value ?? null;
}
