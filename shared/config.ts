import { join, resolve } from "node:path";
import type { z } from "zod";
import { pageMiBWithin } from "./capture/capture-limits.ts";
import { codeHostAppSettings, signInSettings } from "./environment/code-host-variables.ts";
import { mailSettings } from "./environment/mail-variables.ts";
import { oidcSettings } from "./environment/oidc-variables.ts";
import { paymentSettings } from "./environment/payment-variables.ts";
import { platformSettings } from "./environment/platform-variables.ts";
import { describeUnknownVariables } from "./environment/unknown-variables.ts";
import { consistentVariables, VARIABLE_NAMES } from "./environment/variables.ts";
import { describeInvalid } from "./text/describe-invalid.ts";

const environment = consistentVariables.transform(env => ({
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
