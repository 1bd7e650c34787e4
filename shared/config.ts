import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { addressPolicy } from "./capture/address-guard.ts";

export const SERVICE_NAMES = ["gateway", "runs", "renderer", "differ", "teams"] as const;

const commaList = z.string().transform(value =>
  value
    .split(",")
    .map(entry => entry.trim())
    .filter(entry => entry !== ""),
);

const number = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Hosts that addressPolicy takes, told here because a bad one is the operator's slip and not the service's. */
const hosts = commaList.superRefine((entries, context) => {
  try {
    addressPolicy(entries);
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
  }
});

/** The environment's variables, each with its rule; docs/configuration.md names the same ones. */
const variables = z.object({
  PORT: number(0, 65_535).default(4400),
  SERVICE_BASE_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  SERVICE_DATA_DIR: z.string().min(1).default(".service/data"),
  SERVICE_CACHE_DIR: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, "../node_modules/.cache/vrs")),
  SERVICES: commaList.pipe(z.array(z.enum(SERVICE_NAMES)).min(1)).default([...SERVICE_NAMES]),
  RENDER_CONCURRENCY: number(1, 64).default(availableParallelism()),
  CHROMIUM_PATH: z.string().min(1).optional(),
  SERVICE_ALLOW_HOSTS: hosts.default([]),
  SERVICE_BOOTSTRAP_KEY: z
    .string()
    .min(24, "must have at least 24 characters")
    .max(200)
    .regex(/^\S+$/, "must not hold spaces")
    .optional(),
  SERVICE_RATE_LIMIT: number(1, 1_000_000).default(600),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal"]).default("warn"),
});

export const VARIABLE_NAMES = Object.keys(variables.shape);

const environment = variables.transform(env => ({
  port: env.PORT,
  baseUrl: (env.SERVICE_BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
  dataDir: resolve(env.SERVICE_DATA_DIR),
  /** What can be made again, such as the unpacked browser. */
  cacheDir: resolve(env.SERVICE_CACHE_DIR),
  services: env.SERVICES,
  renderConcurrency: env.RENDER_CONCURRENCY,
  chromiumPath: env.CHROMIUM_PATH ?? null,
  allowHosts: env.SERVICE_ALLOW_HOSTS,
  bootstrapKey: env.SERVICE_BOOTSTRAP_KEY ?? null,
  /** Requests per key and minute. */
  rateLimitPerMinute: env.SERVICE_RATE_LIMIT,
  logLevel: env.LOG_LEVEL,
}));

/** What a node runs with; the only place that reads the environment. */
export type Config = z.infer<typeof environment>;

/** @throws Error that names every variable at fault and what it must be. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable means an unset one: that is how compose files and CI pass them on.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(set);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    issue => `${issue.path[0]?.toString() ?? "environment"}: ${issue.message}`,
  );
  throw new Error(`The configuration is not valid. ${faults.join("; ")}`);
}

/** Names the folders of services for Moleculer's runner, which takes them from the same variable that names the services. */
export function tellRunner(folders: string[]): void {
  process.env.SERVICES = folders.join(",");
}

const configs = new WeakMap<object, Config>();

/** Gives a broker its configuration; services read it with configOf. */
export function bindConfig(broker: object, config: Config): void {
  configs.set(broker, config);
}

export function configOf(broker: object): Config {
  const config = configs.get(broker);
  if (!config) throw new Error("This broker was made without brokerOptions() of moleculer.config.ts.");
  return config;
}
