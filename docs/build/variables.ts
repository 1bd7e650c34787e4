import { INTEGRATION_GROUPS } from "./integration-variables.ts";

/** An environment variable in the reference. */
interface Variable {
  /** In Markdown. */
  meaning: string;
  /** Replaces the schema's default if that is unclear or depends on the machine. In Markdown. */
  preset?: string;
}

/** A section of the reference. Its variables are in the order of the page. */
export interface VariableGroup {
  title: string;
  variables: Record<string, Variable>;
}

const OIDC = "../guides/sign-in-with-openid-connect.md";
const SELF = "../guides/run-the-service.md";

/**
 * Every variable of shared/environment/variables.ts. The generator fails if one is missing here, or no longer
 * exists.
 */
export const VARIABLE_GROUPS: VariableGroup[] = [
  {
    title: "HTTP and storage",
    variables: {
      PORT: { meaning: "Port of the HTTP API." },
      SERVICE_LISTEN: {
        preset: "`loopback` if `SERVICE_BASE_URL` is this machine's own, else `all`",
        meaning:
          "Who reaches the HTTP API: `loopback` for this machine only, `all` for other machines too. The Docker image sets `all`.",
      },
      SERVICE_BASE_URL: {
        preset: "`http://localhost:<PORT>`",
        meaning:
          "Public address, used in links. Set it if the service is behind a proxy or used from another machine. It may end in a path.",
      },
      SERVICE_DATA_DIR: {
        meaning:
          "Folder of the database and the images. Everything that must not get lost is here. Only the account that runs the service can read it.",
      },
      SERVICE_CACHE_DIR: {
        preset: "`node_modules/.cache/vrs`",
        meaning:
          "Folder of what can be recreated: the unpacked browser, the empty database that new ones are copied from, and compiled source files.",
      },
      SERVICE_RATE_LIMIT: {
        meaning:
          "Requests per minute for each API key, over all gateways, within 10%. One gateway counts each key. If it stops, its keys start again with a full minute. A minute's worth is available at once and refills gradually. Over it, the answer is 429 with `Retry-After`. An address may send as many requests with wrong keys or sessions, over all gateways. Over that limit, wrong ones get 429, and valid ones from the same address still work. An address may also read status pages, badges and shared reports as often.",
      },
      LOG_LEVEL: {
        meaning:
          "`trace`, `debug`, `info`, `warn`, `error` or `fatal`. The log is JSON lines on standard output.",
      },
    },
  },
  {
    title: "Nodes of a fleet",
    variables: {
      SERVICES: {
        preset: "all",
        meaning:
          "Comma-separated services of this process: `gateway`, `renderer`, `differ`, and the core services `runs`, `teams`, `billing`, `monitors`, `alerts`, `platform`, `scm`, which use the database. A process without `NATS_URL` must run all of them, or be an integration in front of another installation: `gateway,platform`.",
      },
      NATS_URL: {
        meaning:
          "NATS server, `nats://user:password@host:4222` or `tls://…`, or several of one cluster, separated by commas. It makes this process one node of a fleet. Without it, the process runs alone. The server needs JetStream. Give each renderer [its own user](../guides/run-a-fleet.md#restrict-nats).",
      },
      NATS_REPLICAS: {
        meaning:
          "Copies of each work queue in a [cluster of NATS servers](../guides/run-clusters-of-servers.md), 1–5.",
      },
      DATABASE_URL: {
        meaning:
          "PostgreSQL server, `postgres://user:password@host/database`. Without it, the embedded database in `SERVICE_DATA_DIR` is used. Nodes of a fleet need it if they run a core service. Others don't use it. Each core service creates a schema of its name for its tables. If the user can't create schemas, create them before. For TLS, add `?sslmode=verify-full`, and `&sslrootcert=/a/file` for your own certificate authority. Separate a primary and its standbys with commas. [PgBouncer works](../guides/run-clusters-of-servers.md#pgbouncer), also with transaction pooling. A node waits for a server that isn't there yet.",
      },
      DATABASE_CONNECTIONS: {
        meaning:
          "Maximum connections to PostgreSQL for each core service on this node: up to 70 for all seven. PostgreSQL accepts 100 from all nodes unless you raise its `max_connections`.",
      },
      IMAGE_STORE_URL: {
        preset: "`images` in `SERVICE_DATA_DIR`",
        meaning:
          "Location of the images: `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=https://…` for S3 and compatible stores. Omit `endpoint` for Amazon's own. Credentials come from where the AWS SDK looks, such as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Nodes of a fleet need it, because they share their images.",
      },
      METRICS_PORT: {
        meaning:
          "A second port that serves `/metrics`, `/health`, `/ready` and `/live` without a key, also on nodes without the gateway. For a private network only. See [Monitor the service](../guides/monitor-the-service.md).",
      },
      METRICS_HOST: {
        meaning:
          "Address that the second port listens on. Set `0.0.0.0`, or an address of a private network, if other machines read the metrics.",
      },
      OTEL_EXPORTER_ZIPKIN_ENDPOINT: {
        meaning:
          "Receiver of traces in Zipkin's format: Zipkin, or an OpenTelemetry collector's Zipkin receiver, such as `http://collector:9411/api/v2/spans`. A name and password in the URL are sent as basic authentication. See [Trace a run](../guides/trace-a-run.md).",
      },
    },
  },
  {
    title: "Captures",
    variables: {
      RENDER_CONCURRENCY: {
        preset: "number of cores",
        meaning: "Pages captured in parallel, 1–64. A page takes about one core while it is captured.",
      },
      SERVICE_REGION: {
        meaning:
          "Label of a node with the `renderer` service, such as `eu-west`. Monitors can [check from several regions](../guides/check-from-several-regions.md).",
      },
      RENDER_PAGE_MEMORY_MIB: {
        preset: "`2048`, or less in a small container",
        meaning:
          "Memory that one page may use, with its frames and workers, 256–65,536 MiB. See [Limit memory](../guides/configure-the-browser.md#limit-memory).",
      },
      SERVICE_ALLOW_UNSANDBOXED: {
        meaning:
          "`1` captures without Chromium's sandbox even if that puts others at risk. See [Get the sandbox](../guides/configure-the-browser.md#get-the-sandbox).",
      },
      CHROMIUM_PATH: {
        meaning:
          "Your own Chromium or Chrome. Otherwise Playwright's is used if it is installed, else the one that comes with `npm install` on Linux x64, or the system's Chrome, Chromium or Edge elsewhere.",
      },
      FIREFOX_PATH: {
        meaning:
          "Your own Firefox, for [environments with `browser: \"firefox\"`](../guides/check-other-browsers.md). Otherwise Playwright's is used if it is installed, else the system's.",
      },
      SERVICE_ALLOW_HOSTS: {
        meaning: `Private hosts that may be captured: comma-separated \`host\` or \`host:port\`. See [Allow private sites](${SELF}#allow-private-sites).`,
      },
      SERVICE_DENY_NETWORKS: {
        meaning: `Public networks that no page, preview or webhook may reach, such as \`203.0.113.0/24,2001:db8::/32\`. See [Allow private sites](${SELF}#allow-private-sites).`,
      },
    },
  },
  {
    title: "Keys, plans and sign-in",
    variables: {
      SERVICE_BOOTSTRAP_KEY: {
        preset: "generated and printed once",
        meaning:
          "The first admin API key, at least 24 characters without spaces. It is created at the start if the service doesn't have it yet.",
      },
      SERVICE_SECRET_KEY: {
        preset: "a key created in `SERVICE_DATA_DIR`",
        meaning:
          "Key that [encrypts stored secrets](../guides/back-up-the-service.md#stored-secrets): 32 random bytes in base64 or hex. Create one with `openssl rand -base64 32`. Separate several keys with commas: the first encrypts, all decrypt. Nodes with `runs`, `teams`, `monitors`, `alerts`, `platform` or `scm` need it if `NATS_URL` or `DATABASE_URL` is set. Give all of them the same one.",
      },
      SERVICE_DROP_SECRETS: {
        meaning:
          "`1`: a start drops stored secrets whose [key is lost](../guides/back-up-the-service.md#stored-secrets), instead of refusing to start.",
      },
      SERVICE_PLAN: {
        meaning:
          "Plan of every team: `free`, `pro` or `business`. If teams [pay](../guides/charge-for-plans.md), of the default team only. It limits what a team can submit in a month, and sets how long its runs are kept. See [Plans](plans.md).",
      },
      BUILD_DIRECT_UPLOADS: {
        meaning:
          "`1` lets clients send images of builds to S3 with signed URLs, not through the service. They must reach the `endpoint` of `IMAGE_STORE_URL`. The service verifies each image when the build is finalized.",
      },
      ARCHIVE_MAX_MIB: {
        meaning:
          "Largest [archive](../guides/check-a-static-site-without-a-preview.md) that can be uploaded, in MiB. Its files together can have twice as much. Gateways need this space in their temporary folder, three times for each upload.",
      },
      ARCHIVE_TEAM_GIB: {
        meaning:
          "Most GiB of a team's archives, unpacked, and attachments together. Above it, uploads of both are refused until runs are deleted.",
      },
      ARCHIVE_CACHE_MIB: {
        meaning:
          "Most MiB of archives that a renderer keeps in `SERVICE_CACHE_DIR`, or in its temporary folder if it can't write there. The least recently used files are deleted first. `docker/compose.yml` sets 512, because its temporary folder is in memory.",
      },
      BUILD_TIMEOUT_MINUTES: {
        meaning:
          "Minutes without a request after which a build that is not finalized fails. For example, one of its shards stopped.",
      },
      UPLOAD_TOKEN_ISSUER: {
        meaning:
          "Issuer of the OIDC tokens that CI jobs [exchange for keys](../guides/compare-screenshots-of-your-own-tests.md#from-github-actions-without-a-secret). On GitHub Enterprise Server, `https://HOST/_services/token`. If its address is private, add its host to `SERVICE_ALLOW_HOSTS`.",
      },
      SERVICE_SIGN_UP: {
        meaning:
          "Who can sign in with the code host: `invited` for members and invited people, `open` for everyone. With `open`, people without a team get one.",
      },
      CODEHOST_CLIENT_ID: {
        meaning: `The OAuth client for [signing in](${SELF}#let-people-sign-in). Without one, browsers sign in with API keys.`,
      },
      CODEHOST_CLIENT_SECRET: { meaning: "The client's secret. Set both or neither." },
      SERVICE_OIDC_ISSUER: {
        meaning: `Issuer of an [OpenID Connect provider](${OIDC}) to sign in with, such as \`https://login.example.com\`. All teams without a provider of their own use it. Nodes that run \`teams\` read its configuration and keys. Its address may be private.`,
      },
      SERVICE_OIDC_CLIENT_ID: { meaning: "Client ID of this service at the provider." },
      SERVICE_OIDC_CLIENT_SECRET: {
        meaning: "The client's secret. Set all three, or none.",
      },
      SERVICE_OIDC_NAME: {
        preset: "the issuer's host",
        meaning: "Name of the provider on the sign-in button.",
      },
      SERVICE_OIDC_SCOPES: {
        meaning:
          "Requested scopes, separated by spaces. Some providers send groups only with a scope such as `groups`.",
      },
      SERVICE_OIDC_GROUPS_CLAIM: {
        meaning: "Claim with the groups of a user, or the path to it, such as `realm_access.roles`.",
      },
      SERVICE_OIDC_AUTO_JOIN: {
        meaning:
          "Teams that users may join by rules: `default-team`, or `all-teams` if you trust the admins of every team. Invitations work in all teams.",
      },
    },
  },
  ...INTEGRATION_GROUPS,
];
