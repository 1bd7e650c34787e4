import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { traceIdOf } from "../../../shared/tracing/trace-context.ts";
import type { ApiAccess } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { ancestry, SpanCollector, type ZipkinSpan } from "../../support/fakes/span-collector.ts";
import { Site } from "../../support/fixtures/site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const REQUEST = "ci-job:4711";

/** Many times the interval in which nodes send spans. */
const SPANS_TIMEOUT_MS = 60_000;

/** Log messages about a run that changes, of the gateway, the runs service, the renderer and the differ. */
const LOGGED = [
  "POST /v1/run",
  "run.submitted",
  "A route was captured.",
  "A screenshot was compared.",
  "run.completed",
];

const SUBMISSION = ["POST /v1/run", "action 'runs.submit'"];
const CAPTURE = [...SUBMISSION, "job capture"];
const RESULT = [...CAPTURE, "store capture", "job result"];
const COMPARISON = [...RESULT, "job compare"];

/** Spans of every run that captures a page, with their ancestors. */
const CAPTURED = [
  [...CAPTURE, "capture page", "browser open"],
  [...CAPTURE, "capture page", "browser navigate"],
  [...CAPTURE, "capture page", "browser settle"],
  [...CAPTURE, "capture page", "browser screenshot"],
  RESULT,
];

/** Submits a run, and returns its spans once the trace has its end. */
async function traceOf(
  service: ApiAccess,
  collector: SpanCollector,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ runId: string; traceId: string; spans: ZipkinSpan[] }> {
  const answer = await service.postTo(service.baseUrl, "/v1/run", { url, viewports: [800] }, headers);
  const { id: runId } = submittedRun.parse(await answer.json());
  await service.client().waitForRun(runId);
  const isConclusion = ({ name, tags }: ZipkinSpan) => name === "conclude run" && tags.runId === runId;
  const spansOf = (traceId: string) => collector.spans.filter(span => span.traceId === traceId);
  const isWhole = ({ traceId }: ZipkinSpan) =>
    ["POST /v1/run", "browser navigate"].every(name => spansOf(traceId).some(span => span.name === name));
  // Each node sends its spans every few seconds.
  const whole = until(() => collector.spans.filter(isConclusion).some(isWhole));
  // A broken trace never gets whole. Its spans explain the failure.
  await Promise.race([whole, delay(SPANS_TIMEOUT_MS, undefined, { ref: false })]);
  const traceIds = new Set(
    collector.spans.filter(({ tags }) => tags.runId === runId).map(span => span.traceId),
  );
  const [traceId = ""] = traceIds;
  assert.equal(traceIds.size, 1, "all jobs of the run are in one trace");
  return { runId, traceId, spans: spansOf(traceId) };
}

function assertHas(spans: ZipkinSpan[], expected: string[][]): void {
  const found = spans.map(span => ancestry(spans, span).join(" > "));
  for (const path of expected)
    assert.ok(found.includes(path.join(" > ")), `${path.at(-1)}:\n${found.join("\n")}`);
}

/** Returns the parsed lines of a log that belong to the run. */
function linesOf(output: string, runId: string): Record<string, unknown>[] {
  return output
    .split("\n")
    .filter(line => line.startsWith("{") && line.includes(runId))
    .map(line => JSON.parse(line));
}

describe("The trace of a run", () => {
  let collector: SpanCollector;
  let site: Site;
  let visits = 0;

  before(async () => {
    collector = await SpanCollector.start();
    site = await Site.start({
      "/": "<h1>Still</h1>",
      "/changing": (_req, res) => void res.end(`<h1>Visit ${++visits}</h1>`),
    });
  });

  after(async () => {
    await site?.stop();
    collector?.stop();
    // Of all runs.
    assert.deepEqual(collector.invalid, []);
  });

  const promises = (start: (env: Record<string, string>) => Promise<Vrs | Cluster>) => {
    let service: Vrs | Cluster;

    // biome-ignore lint/suspicious/noDuplicateTestHooks: each describe block below calls this once.
    before(async () => {
      service = await start({ OTEL_EXPORTER_ZIPKIN_ENDPOINT: collector.url, LOG_LEVEL: "info" });
    });

    // biome-ignore lint/suspicious/noDuplicateTestHooks: as above.
    after(() => service?.stop());

    it("leads from the request through the queue and the browser to the conclusion", async () => {
      const { traceId, spans } = await traceOf(service, collector, site.url);
      assertHas(spans, [...CAPTURED, [...RESULT, "conclude run"]]);
      assert.equal(spans.filter(({ parentId }) => parentId === undefined).length, 1);
      assert.equal(new Set(spans.map(span => span.traceId)).size, 1);
      const waited = spans.find(({ name }) => name === "job capture")?.tags.waitMs;
      assert.ok(Number(waited) >= 0, waited);
      assert.match(traceId, /^[0-9a-f]{32}$/);
    });

    it("continues a client's trace, with a comparison, and is named in the log", async () => {
      const url = `${site.url}/changing`;
      const client = service.client();
      const { id } = await client.submitRun({ url, viewports: [800] });
      await client.waitForRun(id);
      await client.approve(id);
      const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, "X-Request-Id": REQUEST };
      const { runId, traceId, spans } = await traceOf(service, collector, url, headers);
      assert.equal(traceId, TRACE);
      const root = spans.find(({ name }) => name === "POST /v1/run");
      assert.equal(root?.parentId, PARENT);
      const known = spans.map(span => (span === root ? { ...span, parentId: undefined } : span));
      assertHas(known, [
        ...CAPTURED,
        [...COMPARISON, "compare pixels"],
        [...COMPARISON, "job result", "conclude run"],
      ]);
      const output =
        service instanceof Vrs ? service.output : service.nodes.map(node => node.output).join("\n");
      const lines = linesOf(output, runId);
      const messages = new Set(lines.map(({ msg }) => msg));
      assert.deepEqual(
        LOGGED.filter(message => !messages.has(message)),
        [],
      );
      for (const line of lines)
        assert.deepEqual(
          [line.runId, line.requestId, line.traceId],
          [runId, REQUEST, TRACE],
          JSON.stringify(line),
        );
    });

    it("is the request's own if the client's can't be continued", async () => {
      const headers = { traceparent: `00-${"0".repeat(32)}-${PARENT}-01`, "X-Request-Id": "other" };
      const { spans, traceId } = await traceOf(service, collector, site.url, headers);
      assert.equal(traceId, traceIdOf("other"));
      assert.equal(spans.find(({ name }) => name === "POST /v1/run")?.parentId, undefined);
    });
  };

  describe("in one process", () => {
    promises(env => Vrs.start(env));
  });

  describe("over NATS, with a renderer of its own", () => {
    needs("nats-server", "database");
    promises(env =>
      Cluster.start({
        layout: [["gateway", ...CORE_SERVICES, "differ"], ["renderer"]],
        locked: true,
        sharedDatabase: true,
        env,
      }),
    );
  });
});
