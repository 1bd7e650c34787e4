import { availableParallelism } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { PLAN_NAMES } from "../contracts/billing/usage.ts";
import { REGION } from "../contracts/capture/region.ts";
import { MAKE_KEY } from "../secrets/secret-box.ts";
import { codeHostAppFailures, codeHostAppVariables, codeHostSignInFailures } from "./code-host-variables.ts";
import { mailFailures, mailVariables } from "./mail-variables.ts";
import { oidcFailures, oidcVariables } from "./oidc-variables.ts";
import { paymentFailures, paymentVariables } from "./payment-variables.ts";
import { platformVariables } from "./platform-variables.ts";
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
} from "./variable-kinds.ts";

/** The services with data in the database. In a fleet they run on core nodes. */
export const CORE_SERVICES = ["runs", "teams", "billing", "monitors", "alerts", "platform", "scm"] as const;
export const SERVICE_NAMES = ["gateway", "renderer", "differ", ...CORE_SERVICES] as const;
const WITH_DATABASE = new Set<string>(CORE_SERVICES);

/**
 * The services that store secrets of teams: request headers, alert channels, clients of identity providers, tokens of
 * code hosts, and the key that signs links.
 */
const WITH_SECRETS = new Set<string>(["runs", "teams", "monitors", "alerts", "platform", "scm"]);
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
    .default(join(import.meta.dirname, "../../node_modules/.cache/vrs")),
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
export const consistentVariables = variables.superRefine((env, context) => {
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
