import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Context, Service, ServiceSettingSchema } from "moleculer";
import ApiGateway from "moleculer-web";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { tunnelBus, type WithTunnels } from "../../mixins/tunnel-bus.ts";
import { METRICS, registerMetrics } from "../../shared/broker/metrics/metric-catalogue.ts";
import { beforeStop } from "../../shared/broker/shutdown.ts";
import { continueTrace } from "../../shared/broker/work-scopes.ts";
import { configOf } from "../../shared/config.ts";
import { action, type Meta, NO_RETRY, on, service } from "../../shared/contracts/bus.ts";
import { signedLinks } from "../../shared/contracts/runs/signed-links.ts";
import { ServiceError } from "../../shared/errors.ts";
import { version } from "../../shared/process.ts";
import { parseTraceparent, type TraceContext } from "../../shared/tracing/trace-context.ts";
import { limitsOf } from "./auth/limits.ts";
import { LinkAccess } from "./auth/link-access.ts";
import { siteOf } from "./auth/session-cookie.ts";
import type { Gateway } from "./gateway-context.ts";
import { Deliveries } from "./handlers/deliveries.ts";
import { OpenedReports } from "./handlers/opened-reports.ts";
import { SavedReports } from "./handlers/saved-reports.ts";
import { answerDashboard, asksForPage } from "./handlers/serve-dashboard.ts";
import { Thumbnails } from "./handlers/thumbnails.ts";
import { ArchiveUploads } from "./handlers/uploads/archive-uploads.ts";
import { Uploads } from "./handlers/uploads/uploads.ts";
import { answerProblem } from "./http/answer-problem.ts";
import { countRequest } from "./http/count-request.ts";
import { endLateBody } from "./http/end-late-body.ts";
import { finishRequests } from "./http/finish-requests.ts";
import { handle } from "./http/handle.ts";
import { isSenderGone } from "./http/is-sender-gone.ts";
import { keepToLoopback } from "./http/keep-to-loopback.ts";
import { logRequest } from "./http/log-request.ts";
import {
  isUndecodable,
  isUnrouted,
  methodsOf,
  nothingAt,
  pathOf,
  servedElsewhere,
  unrouted,
} from "./http/unknown-routes.ts";
import { openApi } from "./openapi/openapi.ts";
import type { OpenApi } from "./openapi/openapi-document.ts";
import type { Route } from "./routes/route.ts";
import { ROUTES, servedHere } from "./routes/routes.ts";
import { ProgressStreams } from "./streams/progress-streams.ts";
import { TeamStreams } from "./streams/team-streams.ts";
import { OPERATOR_MESSAGES } from "./texts/log.ts";
import { acceptTunnels } from "./tunnels/serve-tunnel.ts";
import { Tunnels } from "./tunnels/tunnels.ts";

interface GatewayService extends Service<ServiceSettingSchema & { port?: number }>, WithImages, WithTunnels {
  gateway: Gateway;
  /** Created by moleculer-web. */
  server: Server;
}

/** A request as moleculer-web passes it on. */
interface WebRequest extends IncomingMessage {
  $ctx: Context<unknown, Meta>;
  $params: { params?: Record<string, string>; query: unknown };
  originalUrl?: string;
}

/** A gateway with this route serves the whole dashboard. */
const DASHBOARD = "GET /runs";

/**
 * Longer than load balancers keep idle connections, 60 seconds at most of them. A gateway that closes one first fails
 * the request that is being sent on it.
 */
const KEEP_ALIVE_MS = 75_000;

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Headers of every response. URLs contain signatures, so they must not leak as referrers. */
const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

export default service<GatewayService>({
  name: "gateway",
  mixins: [ApiGateway, imageStore(), tunnelBus()],
  settings: {
    // Other nodes don't need the routes, so they are not broadcast.
    $secureSettings: ["routes"],
    // All addresses of the machine, including IPv6, because `localhost` is `::1` first on many machines.
    ip: null,
    logRequest: null,
    logRequestParams: null,
    logResponse: null,
    logRouteRegistration: null,
    // For archives and other long bodies. The rest has less time: see end-late-body.ts.
    requestTimeout: 900_000,
    rootCallOptions(this: GatewayService, options: object, req: IncomingMessage) {
      const given = req.headers["x-request-id"];
      const id = typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
      Object.assign(options, continueTrace(id, this.broker.isTracingEnabled() ? traceOf(req) : null));
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
    // moleculer-web's action for every request. Each service limits its own concurrency. URLs may contain
    // signatures, so traces get only the route.
    rest: {
      bulkhead: { enabled: false },
      tracing: { tags: { params: ["req.method"] }, spanName: methodOfRequest },
    },
    // A retry would draw twice.
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
      this.gateway.teamStreams.publish("runs", teamId, [runId]);
    }),
    "run.commented": on("run.commented", function (this: GatewayService, { teamId, runId }) {
      this.gateway.teamStreams.publish("runs", teamId, [runId]);
    }),
    "run.progressed": on("run.progressed", function (this: GatewayService, event) {
      const { teamId, project: _project, ...progress } = event;
      this.gateway.progress.publish(progress);
      this.gateway.teamStreams.publish("runs", teamId, [progress.id]);
    }),
    "monitor.changed": on("monitor.changed", function (this: GatewayService, { teamId, ids }) {
      this.gateway.teamStreams.publish("monitors", teamId, ids);
    }),
    "access.changed": on("access.changed", function (this: GatewayService, { ids }) {
      this.gateway.authenticator.invalidate(ids);
      this.gateway.linkAccess.invalidate(ids);
      this.gateway.progress.endOpenedBy(ids);
      this.gateway.teamStreams.endOpenedBy(ids);
      this.gateway.tunnels.endOpenedBy(ids);
    }),
    "team.changed": on("team.changed", function (this: GatewayService, { teamId }) {
      this.gateway.authenticator.invalidate([teamId]);
      this.gateway.linkAccess.invalidate([teamId]);
      // Open pages read the team again when they open their streams again. Tunnels stay: an end would interrupt runs.
      this.gateway.teamStreams.endOpenedBy([teamId]);
    }),
    "links.changed": on("links.changed", function (this: GatewayService, { teamId }) {
      this.gateway.linkAccess.invalidate([teamId]);
    }),
  },
  created() {
    const config = configOf(this.broker);
    this.settings.port = config.port;
    if (config.isLoopbackOnly) keepToLoopback(this.server);
    beforeStop(this.broker, () => {
      this.gateway.progress.close();
      this.gateway.teamStreams.close();
      this.gateway.tunnels.close();
    });
    beforeStop(this.broker, () => finishRequests(this.server));
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
    // The log has it too, but people who just typed the command don't read it.
    this.server.prependListener("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") process.stderr.write(portInUseMessage(config.port));
    });
    acceptTunnels(
      this.server,
      () => this.gateway,
      error => this.logger.error({ err: error }, OPERATOR_MESSAGES.tunnelFailed),
    );
    const routes = servedHere(config);
    let document: OpenApi | undefined;
    this.gateway = {
      broker: this.broker,
      ...limitsOf(this.broker, config.rateLimitPerMinute),
      site: siteOf(config.baseUrl),
      progress: new ProgressStreams(),
      teamStreams: new TeamStreams(),
      tunnels: new Tunnels(this.tunnels),
      deliveries: new Deliveries(),
      opened: new OpenedReports(),
      saved: new SavedReports(),
      serves: new Set(Object.keys(routes)),
      // Built at the first request, because building takes a tenth of a second of processor time.
      get openApi() {
        document ??= openApi(routes, version);
        return document;
      },
      images: this.images,
      thumbnails: new Thumbnails(),
      uploads: new Uploads(),
      archives: new ArchiveUploads(config.archiveBytes),
      archiveFiles: this.archiveFiles,
      linkAccess: new LinkAccess(),
      links: signedLinks(this.broker, config.baseUrl),
    };
  },
  async started() {
    registerMetrics(this.broker.metrics, [METRICS.httpRequests, METRICS.httpSeconds]);
    this.gateway.images = this.images;
    this.gateway.archiveFiles = this.archiveFiles;
  },
});

/** Returns the client's trace. Null if the request has none, or is not one of the API. */
function traceOf({ url = "", headers }: IncomingMessage): TraceContext | null {
  return url.startsWith("/v1/") ? parseTraceparent(headers.traceparent) : null;
}

/** Returns a span's name until the route is known. Anyone can request any path, so those without a route keep it. */
function methodOfRequest({ params }: Context<unknown>): string {
  // biome-ignore lint/plugin: moleculer-web calls its action with the request.
  const { req } = params as { req: IncomingMessage };
  return req.method ?? "";
}

function portInUseMessage(port: number): string {
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

function handler(name: string, route: Route) {
  return async function (this: GatewayService, req: WebRequest, res: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.setHeader(name, value);
    countRequest(this.broker.metrics, name, route, res);
    logRequest(this.logger, name, req, res);
    if (req.$ctx.span) req.$ctx.span.name = name;
    const { params = {}, query } = req.$params;
    const stopWaiting = endLateBody(req, route);
    try {
      // moleculer-web routes a preflight like the request it is for. The gateway allows no other origin.
      if (req.method === "OPTIONS") throw unrouted(this.gateway.serves, req);
      if (!this.gateway.serves.has(name)) throw servedElsewhere(pathOf(req));
      await handle(this.gateway, route, { req, res, params, query, context: req.$ctx });
    } catch (error) {
      answerError.call(this, req, res, error);
    } finally {
      stopWaiting();
    }
  };
}

/** Answers with an error, and logs errors of the service. */
function answerError(this: GatewayService, req: WebRequest, res: ServerResponse, error: unknown): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (!res.headersSent) res.setHeader(name, value);
  const requestId = req.$ctx?.requestID ?? randomUUID();
  if (isSenderGone(req, error)) {
    this.logger.debug({ err: error }, OPERATOR_MESSAGES.senderGone(requestId));
    res.destroy();
    return;
  }
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
