import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Context, Service, ServiceSettingSchema } from "moleculer";
import ApiGateway from "moleculer-web";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { beforeStop } from "../../shared/broker/shutdown.ts";
import { configOf } from "../../shared/config.ts";
import { action, type Meta, NO_RETRY, on, service } from "../../shared/contracts/bus.ts";
import { signedLinks } from "../../shared/contracts/runs/signed-links.ts";
import { ServiceError } from "../../shared/errors.ts";
import { version } from "../../shared/process.ts";
import { limitsOf } from "./auth/limits.ts";
import { LinkAccess } from "./auth/link-access.ts";
import { siteOf } from "./auth/session-cookie.ts";
import type { Gateway } from "./gateway-context.ts";
import { SavedReports } from "./handlers/saved-reports.ts";
import { answerDashboard, asksForPage } from "./handlers/serve-dashboard.ts";
import { Thumbnails } from "./handlers/thumbnails.ts";
import { answerProblem } from "./http/answer-problem.ts";
import { finishRequests } from "./http/finish-requests.ts";
import { handle } from "./http/handle.ts";
import { keepToLoopback } from "./http/keep-to-loopback.ts";
import { servedHere } from "./http/served-here.ts";
import { openApi } from "./openapi/openapi.ts";
import type { Route } from "./routes/route.ts";
import { ROUTES } from "./routes/routes.ts";
import { ProgressStreams } from "./streams/progress-streams.ts";
import { TeamStreams } from "./streams/team-streams.ts";
import { OPERATOR_MESSAGES, REQUEST_ERRORS } from "./texts.ts";

interface GatewayService extends Service<ServiceSettingSchema & { port?: number }>, WithImages {
  gateway: Gateway;
  /** moleculer-web's own. */
  server: Server;
}

/** A request as moleculer-web hands it on. */
interface WebRequest extends IncomingMessage {
  $ctx: Context<unknown, Meta>;
  $params: { params?: Record<string, string>; query: unknown };
  originalUrl?: string;
}

/** A gateway that serves this serves all of the dashboard. */
const DASHBOARD = "GET /runs";

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Headers of every answer. Links carry signatures, so that no address must leak as a referrer. */
const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

export default service<GatewayService>({
  name: "gateway",
  mixins: [ApiGateway, imageStore()],
  settings: {
    // Not for other nodes: what a node tells of itself is what its peers need.
    $secureSettings: ["routes"],
    // Every address of the machine, IPv6 too: "localhost" is ::1 first on many.
    ip: null,
    logRequest: null,
    logRequestParams: null,
    logResponse: null,
    logRouteRegistration: null,
    // A request body is 1 MiB at most; who sends it slower than this holds a connection for nothing.
    requestTimeout: 60_000,
    rootCallOptions(options: { requestID?: string }, req: IncomingMessage) {
      const given = req.headers["x-request-id"];
      options.requestID = typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    onError: answerError,
    routes: [
      {
        path: "/",
        mappingPolicy: "restrict",
        mergeParams: false,
        bodyParsers: false,
        pathToRegexpOptions: { sensitive: true },
        aliases: aliases(),
      },
    ],
  },
  actions: {
    // moleculer-web's own, for every request. What may be done at once is for the services to say that do it; and an
    // address may hold the signature that opens it, so that a trace has only what the address begins with.
    rest: {
      bulkhead: { enabled: false },
      tracing: { tags: { params: ["req.method"] }, spanName: nameOfRequest },
    },
    // Not twice: what was drawn is gone.
    draw: action(
      "gateway.draw",
      function (this: GatewayService, { limit, key }) {
        return this.gateway.buckets[limit].draw(key);
      },
      NO_RETRY,
    ),
  },
  events: {
    "run.submitted": on("run.submitted", function (this: GatewayService, { teamId, runId }) {
      this.gateway.teamStreams.tell("runs", teamId, [runId]);
    }),
    "run.progressed": on("run.progressed", function (this: GatewayService, told) {
      const { teamId, project: _project, ...progress } = told;
      this.gateway.progress.tell(progress);
      this.gateway.teamStreams.tell("runs", teamId, [progress.id]);
    }),
    "monitor.changed": on("monitor.changed", function (this: GatewayService, { teamId, ids }) {
      this.gateway.teamStreams.tell("monitors", teamId, ids);
    }),
    "access.changed": on("access.changed", function (this: GatewayService, { ids }) {
      this.gateway.authenticator.forget(ids);
      this.gateway.linkAccess.forget(ids);
      this.gateway.progress.forget(ids);
      this.gateway.teamStreams.forget(ids);
    }),
  },
  created() {
    const config = configOf(this.broker);
    this.settings.port = config.port;
    if (config.isLoopbackOnly) keepToLoopback(this.server);
    beforeStop(this.broker, () => {
      this.gateway.progress.close();
      this.gateway.teamStreams.close();
    });
    beforeStop(this.broker, () => finishRequests(this.server));
    // The log says so too, in a line that nobody reads who has just typed the command.
    this.server.prependListener("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") process.stderr.write(sayInUse(config.port));
    });
    const routes = servedHere(config);
    this.gateway = {
      broker: this.broker,
      ...limitsOf(this.broker, config.rateLimitPerMinute),
      site: siteOf(config.baseUrl),
      progress: new ProgressStreams(),
      teamStreams: new TeamStreams(),
      saved: new SavedReports(),
      serves: new Set(Object.keys(routes)),
      openApi: openApi(routes, version),
      images: this.images,
      thumbnails: new Thumbnails(),
      linkAccess: new LinkAccess(),
      links: signedLinks(this.broker, config.baseUrl),
    };
  },
  async started() {
    this.gateway.images = this.images;
  },
});

/** `GET /v1/runs`, without what follows. */
function nameOfRequest({ params }: Context<unknown>): string {
  // biome-ignore lint/plugin: moleculer-web calls its action with the request.
  const { req } = params as { req: IncomingMessage };
  const path = (req.url ?? "/").split("?", 1)[0] ?? "/";
  return `${req.method} ${path.split("/", 3).join("/")}`;
}

function sayInUse(port: number): string {
  return `\n  ${OPERATOR_MESSAGES.portInUse(port)}\n\n`;
}

function aliases(): Record<
  string,
  (this: GatewayService, req: WebRequest, res: ServerResponse) => Promise<void>
> {
  return Object.fromEntries(
    Object.entries(ROUTES).flatMap(([name, route]) => {
      const [method = "", path = ""] = name.split(" ");
      return methodsOf(method).map(each => [`${each} ${path}`, handler(name, route)]);
    }),
  );
}

/** The methods that a route's is served for: Node leaves out the body of an answer to HEAD by itself. */
function methodsOf(method: string): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function handler(name: string, route: Route) {
  return async function (this: GatewayService, req: WebRequest, res: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.setHeader(name, value);
    const { params = {}, query } = req.$params;
    try {
      // moleculer-web routes a preflight as the request that it asks about; the edge answers no other origin.
      if (req.method === "OPTIONS") throw unrouted(this.gateway.serves, req);
      if (!this.gateway.serves.has(name)) throw servedElsewhere(pathOf(req));
      await handle(this.gateway, route, { req, res, params, query, context: req.$ctx });
    } catch (error) {
      answerError.call(this, req, res, error);
    }
  };
}

/** Answers what went wrong; what is our fault goes to the log. */
function answerError(this: GatewayService, req: WebRequest, res: ServerResponse, error: unknown): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (!res.headersSent) res.setHeader(name, value);
  const requestId = req.$ctx?.requestID ?? randomUUID();
  const known = isUnrouted(error)
    ? unrouted(this.gateway.serves, req)
    : isUndecodable(error)
      ? nothingAt(pathOf(req))
      : error;
  const isNowhere = isUnrouted(error) && known instanceof ServiceError && known.type === "not_found";
  if (isNowhere && this.gateway.serves.has(DASHBOARD) && asksForPage(req, pathOf(req))) {
    answerDashboard(this.gateway, res, 404);
    return;
  }
  const code = answerProblem(req, res, known, requestId);
  if (code === "internal") this.logger.error({ err: error }, `Request ${requestId} failed`);
}

function isUnrouted(error: unknown): boolean {
  return error instanceof Error && error.name === "NotFoundError";
}

/** Whether a part of the path is not percent-encoded UTF-8. */
function isUndecodable(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "UNABLE_DECODE_PARAM";
}

function pathOf(req: WebRequest): string {
  return (req.originalUrl ?? req.url ?? "/").split("?", 1)[0] ?? "/";
}

function nothingAt(path: string): ServiceError {
  return new ServiceError("not_found", REQUEST_ERRORS.noSuchPath(path));
}

function servedElsewhere(path: string): ServiceError {
  return new ServiceError("not_found", REQUEST_ERRORS.servedElsewhere(path));
}

/** Tells a path that does not exist from a method that the path does not have. */
function unrouted(names: Gateway["serves"], req: WebRequest): ServiceError {
  const path = pathOf(req);
  const allow = [...names]
    .map(name => name.split(" "))
    .filter(([, pattern = ""]) => matches(pattern, path))
    .flatMap(([method = ""]) => methodsOf(method))
    .join(", ");
  if (allow === "") return nothingAt(path);
  return new ServiceError("method_not_allowed", REQUEST_ERRORS.noSuchMethod(path, req.method, allow), {
    allow,
  });
}

function matches(pattern: string, path: string): boolean {
  const parts = path.replace(/\/$/, "").split("/");
  const expected = pattern.split("/");
  return (
    parts.length === expected.length &&
    expected.every((part, index) => part.startsWith(":") || part === parts[index])
  );
}
