import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { pageMiBWithin } from "./capture/capture-limits.ts";
import { PLAN_NAMES } from "./contracts/billing/usage.ts";
import { REGION } from "./contracts/monitors/http-checks.ts";
import {
  codeHostAppFailures,
  codeHostAppSettings,
  codeHostAppVariables,
  codeHostSignInFailures,
  signInSettings,
} from "./environment/code-host-variables.ts";
import { mailFailures, mailSettings, mailVariables } from "./environment/mail-variables.ts";
import { oidcFailures, oidcSettings, oidcVariables } from "./environment/oidc-variables.ts";
import { paymentFailures, paymentSettings, paymentVariables } from "./environment/payment-variables.ts";
import { platformSettings, platformVariables } from "./environment/platform-variables.ts";
import { describeUnknownVariables } from "./environment/unknown-variables.ts";
import {
  commaList,
  databaseUrl,
  hosts,
  httpUrl,
  imageStore,
  natsServers,
  networks,
  number,
  secretKeys,
} from "./environment/variable-kinds.ts";
import { MAKE_KEY } from "./secrets/secret-box.ts";
import { describeInvalid } from "./text/describe-invalid.ts";

/** The services with data in the database. In a fleet they run on core nodes. */
export const CORE_SERVICES = ["runs", "teams", "billing", "monitors", "alerts", "platform", "scm"] as const;
export const SERVICE_NAMES = ["gateway", "renderer", "differ", ...CORE_SERVICES] as const;
const WITH_DATABASE = new Set<string>(CORE_SERVICES);
/**
 * The services that store secrets of teams: request headers, alert channels, clients of identity providers, and the
 * key that signs links.
 */
const WITH_SECRETS = new Set<string>(["runs", "teams", "monitors", "alerts", "platform"]);
const WITHOUT_IMAGES = new Set<string>(["teams", "billing", "monitors", "platform", "scm"]);
/** Services that can run with only a gateway, in front of another installation that they call over HTTP. */
const INTEGRATIONS = new Set<string>(["platform"]);

/** The environment's variables with their rules. docs/build/variables.ts explains each of them. */
const variables = z.object({
  PORT: number(0, 65_535).default(4400),
  SERVICE_BASE_URL: httpUrl.optional(),
  SERVICE_LISTEN: z.enum(["loopback", "all"]).optional(),
  SERVICE_DATA_DIR: z.string().min(1).default(".service/data"),
  SERVICE_CACHE_DIR: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, "../node_modules/.cache/vrs")),
  SERVICES: commaList.pipe(z.array(z.enum(SERVICE_NAMES)).min(1)).default([...SERVICE_NAMES]),
  NATS_URL: natsServers.optional(),
  NATS_REPLICAS: number(1, 5).default(1),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_CONNECTIONS: number(2, 200).default(10),
  IMAGE_STORE_URL: imageStore.optional(),
  METRICS_PORT: number(1, 65_535).optional(),
  METRICS_HOST: z
    .union([z.ipv4(), z.ipv6()], "must be an IP address, such as 127.0.0.1 or 0.0.0.0")
    .default("127.0.0.1"),
  OTEL_EXPORTER_ZIPKIN_ENDPOINT: httpUrl.optional(),
  RENDER_CONCURRENCY: number(1, 64).default(availableParallelism()),
  SERVICE_REGION: z
    .string()
    .regex(REGION, "must be a region, such as eu-west: at most 40 lowercase letters, digits and hyphens")
    .optional(),
  RENDER_PAGE_MEMORY_MIB: number(256, 65_536).optional(),
  SERVICE_ALLOW_UNSANDBOXED: z.enum(["0", "1"]).default("0"),
  CHROMIUM_PATH: z.string().min(1).optional(),
  FIREFOX_PATH: z.string().min(1).optional(),
  SERVICE_ALLOW_HOSTS: hosts.default([]),
  SERVICE_DENY_NETWORKS: networks.default([]),
  SERVICE_BOOTSTRAP_KEY: z
    .string()
    .min(24, "must have at least 24 characters")
    .max(200)
    .regex(/^\S+$/, "must not contain spaces")
    .optional(),
  SERVICE_SECRET_KEY: secretKeys.default([]),
  SERVICE_DROP_SECRETS: z.enum(["1"]).optional(),
  SERVICE_PLAN: z.enum(PLAN_NAMES).default("business"),
  SERVICE_RATE_LIMIT: number(1, 1_000_000).default(600),
  BUILD_DIRECT_UPLOADS: z.enum(["0", "1"]).default("0"),
  ARCHIVE_MAX_MIB: number(1, 4_096).default(512),
  ARCHIVE_TEAM_GIB: number(1, 100_000).default(50),
  ARCHIVE_CACHE_MIB: number(64, 1_048_576).default(2_048),
  BUILD_TIMEOUT_MINUTES: number(1, 1_440).default(30),
  UPLOAD_TOKEN_ISSUER: httpUrl.default("https://token.actions.githubusercontent.com"),
  SERVICE_SIGN_UP: z.enum(["invited", "open"]).default("invited"),
  CODEHOST_CLIENT_ID: z.string().min(1).optional(),
  CODEHOST_CLIENT_SECRET: z.string().min(1).optional(),
  CODEHOST_API_URL: httpUrl.optional(),
  ...oidcVariables,
  ...codeHostAppVariables,
  ...platformVariables,
  ...paymentVariables,
  ...mailVariables,
  PAGERDUTY_API_URL: httpUrl.default("https://events.pagerduty.com"),
  DISCORD_API_URL: httpUrl.default("https://discord.com/api/v10"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal"]).default("warn"),
});

export const VARIABLE_NAMES = Object.keys(variables.shape);

/** Every variable with its default. Undefined if it has none. */
export const VARIABLE_DEFAULTS: Record<string, unknown> = Object.fromEntries(
  Object.entries(variables.shape).map(([name, rule]) => [name, rule.safeParse(undefined).data]),
);

/** A single node has every service and its own data. Nodes of a fleet share all data. */
const consistent = variables.superRefine((env, context) => {
  const failure = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  codeHostSignInFailures(env, failure);
  codeHostAppFailures(env, failure);
  oidcFailures(env, failure);
  paymentFailures(env, failure);
  mailFailures(env, failure);
  if (
    (env.NATS_URL !== undefined || env.DATABASE_URL !== undefined) &&
    env.SERVICE_SECRET_KEY.length === 0 &&
    env.SERVICES.some(name => WITH_SECRETS.has(name))
  )
    failure(
      "SERVICE_SECRET_KEY",
      `must be set with NATS_URL or DATABASE_URL on nodes that run ${[...WITH_SECRETS].join(", ")}, to encrypt stored secrets. Create a key with: ${MAKE_KEY}. Set the same key on every node and keep it with your backups`,
    );
  if (env.NATS_URL === undefined) {
    if (env.SERVICES.length < SERVICE_NAMES.length && !isIntegrationOnly(env.SERVICES))
      failure(
        "NATS_URL",
        "must be set when SERVICES contains only some services, because nodes find each other over NATS",
      );
    return;
  }
  if (env.IMAGE_STORE_URL === undefined && env.SERVICES.some(name => !WITHOUT_IMAGES.has(name)))
    failure("IMAGE_STORE_URL", "must be set together with NATS_URL, because the nodes share images");
  if (env.DATABASE_URL === undefined && env.SERVICES.some(name => WITH_DATABASE.has(name)))
    failure(
      "DATABASE_URL",
      `must be set together with NATS_URL on nodes that run ${CORE_SERVICES.join(", ")}`,
    );
});

/**
 * Returns whether a node with these services works without other nodes, though it has only some:
 * `gateway,platform`.
 */
export function isIntegrationOnly(services: readonly string[]): boolean {
  return (
    services.includes("gateway") &&
    services.some(name => INTEGRATIONS.has(name)) &&
    services.every(name => name === "gateway" || INTEGRATIONS.has(name))
  );
}

const environment = consistent.transform(env => ({
  port: env.PORT,
  baseUrl: (env.SERVICE_BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
  /** Whether clients send images of builds to S3 with signed URLs. */
  directUploads: env.BUILD_DIRECT_UPLOADS === "1",
  /** Issuer of the OIDC tokens of CI jobs, without a slash at the end. */
  uploadTokenIssuer: env.UPLOAD_TOKEN_ISSUER.replace(/\/+$/, ""),
  /** Most bytes of an uploaded archive. */
  archiveBytes: env.ARCHIVE_MAX_MIB * 1024 ** 2,
  /** Most bytes of a team's archives together, unpacked. */
  archiveTeamBytes: env.ARCHIVE_TEAM_GIB * 1024 ** 3,
  /** Most bytes of archives on a renderer's disk. */
  archiveCacheBytes: env.ARCHIVE_CACHE_MIB * 1024 ** 2,
  buildTimeoutMinutes: env.BUILD_TIMEOUT_MINUTES,
  /** Whether the gateway listens only on this machine's loopback addresses. */
  isLoopbackOnly: isLoopbackOnly(env),
  dataDir: resolve(env.SERVICE_DATA_DIR),
  /** Folder of files that can be recreated, such as the unpacked browser. */
  cacheDir: resolve(env.SERVICE_CACHE_DIR),
  services: env.SERVICES,
  /** NATS servers. Null on a single node. */
  nats: env.NATS_URL ?? null,
  /** Copies of every queue in a cluster of NATS servers. */
  natsReplicas: env.NATS_REPLICAS,
  /** A PostgreSQL server. Null for the embedded database. */
  databaseUrl: env.DATABASE_URL ?? null,
  /** Maximum connections to it, for each service with a schema. */
  databaseConnections: env.DATABASE_CONNECTIONS,
  imageStore: env.IMAGE_STORE_URL ?? {
    kind: "file" as const,
    folder: join(resolve(env.SERVICE_DATA_DIR), "images"),
  },
  /** Port for metrics and health, besides the gateway's. Null for none. */
  metricsPort: env.METRICS_PORT ?? null,
  /** The address that this port listens on. */
  metricsHost: env.METRICS_HOST,
  /** URL of an OpenTelemetry collector that receives traces in Zipkin's format. */
  zipkinEndpoint: env.OTEL_EXPORTER_ZIPKIN_ENDPOINT ?? null,
  renderConcurrency: env.RENDER_CONCURRENCY,
  /** Label of this node, for monitors that check from several regions. Null without one. */
  region: env.SERVICE_REGION ?? null,
  /** Memory that one page may use, in MiB. */
  pageMemoryMiB:
    env.RENDER_PAGE_MEMORY_MIB ?? pageMiBWithin(process.constrainedMemory(), env.RENDER_CONCURRENCY),
  /** Whether pages may be rendered without the browser's sandbox, even if others can reach this node. */
  allowUnsandboxed: env.SERVICE_ALLOW_UNSANDBOXED === "1",
  chromiumPath: env.CHROMIUM_PATH ?? null,
  firefoxPath: env.FIREFOX_PATH ?? null,
  allowHosts: env.SERVICE_ALLOW_HOSTS,
  /** Public networks that the service never connects to for users. */
  denyNetworks: env.SERVICE_DENY_NETWORKS,
  bootstrapKey: env.SERVICE_BOOTSTRAP_KEY ?? null,
  /**
   * Keys of stored secrets. The first one encrypts, all of them decrypt. Without one, a key in the data
   * folder is used.
   */
  secretKeys: env.SERVICE_SECRET_KEY,
  /** Whether the start deletes stored secrets whose key is lost. */
  dropSecrets: env.SERVICE_DROP_SECRETS === "1",
  /** The plan of every team. With payments, only of the default team, which operates the service. */
  plan: env.SERVICE_PLAN,
  /**
   * The payment provider. Null without payments. The first price of a plan is sold; the others also grant the
   * plan.
   */
  payments: paymentSettings(env),
  /** Requests per key and minute. */
  rateLimitPerMinute: env.SERVICE_RATE_LIMIT,
  /** Whether people who have no team and no invitation get a new team at sign-in. */
  signUp: env.SERVICE_SIGN_UP,
  /** The OAuth client for sign-in. Null if only API keys can sign in. */
  codeHost: signInSettings(env),
  /** The OpenID Connect provider of this installation. Null without one. */
  oidc: oidcSettings(env),
  /** Settings of the code-host app. */
  scm: codeHostAppSettings(env),
  platform: platformSettings(env),
  /** The mail server and the sender. Null if no mail is sent. */
  mail: mailSettings(env),
  noticeDelaySeconds: env.NOTICE_DELAY_SECONDS,
  /** API of the incident service, without a slash at the end. */
  pagerdutyUrl: env.PAGERDUTY_API_URL.replace(/\/+$/, ""),
  /** API that edits messages of Discord, without a slash at the end. */
  discordUrl: env.DISCORD_API_URL.replace(/\/+$/, ""),
  logLevel: env.LOG_LEVEL,
}));

/** A public URL on a loopback address is for users of this machine. */
function isLoopbackOnly(env: {
  SERVICE_LISTEN?: "loopback" | "all" | undefined;
  SERVICE_BASE_URL?: string | undefined;
}): boolean {
  if (env.SERVICE_LISTEN !== undefined) return env.SERVICE_LISTEN === "loopback";
  const { hostname } = new URL(env.SERVICE_BASE_URL ?? "http://localhost");
  return /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** The configuration of a node. Only this file reads the environment. */
export type Config = z.infer<typeof environment>;

/** Reads the configuration. @throws Error that names every invalid variable and its rule */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as unset, because compose files and CI pass unset variables on as empty ones.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(set, { error: describeInvalid });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path: [name], message }) => `${name?.toString() ?? "The environment"} ${message}.`,
  );
  throw new Error(`The configuration is not valid. ${faults.join(" ")}`);
}

/** Returns a warning for each environment variable that looks like a setting but is none. */
export function findUnknownVariables(): string[] {
  const set = Object.entries(process.env).flatMap(([name, value]) => (value === "" ? [] : [name]));
  return describeUnknownVariables(set, VARIABLE_NAMES);
}

/**
 * Sets the folders of services for Moleculer's runner. The runner reads them from the same variable that
 * names the services. It would also read broker options from variables with their names. A pod may well have
 * one, such as NAMESPACE.
 * @param options names of the broker's options
 */
export function configureRunner(folders: string[], options: string[]): void {
  const used = options.map(name => name.toUpperCase());
  for (const name of Object.keys(process.env)) {
    const isUsed = used.some(option => name === option || name.startsWith(`${option}_`));
    if (isUsed || name.startsWith("MOL_") || name === "SERVICEDIR") delete process.env[name];
  }
  process.env.SERVICES = folders.join(",");
}

const configs = new WeakMap<object, Config>();

/** Attaches the configuration to a broker. Services read it with `configOf`. */
export function bindConfig(broker: object, config: Config): void {
  configs.set(broker, config);
}

export function configOf(broker: object): Config {
  const config = configs.get(broker);
  if (!config) throw new Error("This broker was created without brokerOptions() of moleculer.config.ts.");
  return config;
}
