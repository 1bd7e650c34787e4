import { useQuery } from "@tanstack/react-query";
import type { Fleet, FleetNode } from "../../shared/contracts/fleet.ts";
import { api } from "../api/client.ts";
import { Link } from "../location.tsx";
import { Problem, Waiting } from "../ui/parts.tsx";
import { Time } from "../ui/time.tsx";

const EVERY_MS = 5_000;
/** What an operator should know of a browser's sandbox. */
const SANDBOX: Partial<Record<NonNullable<FleetNode["rendering"]>["sandbox"], string>> = {
  off: "browser without sandbox",
  refused: "refuses to render without a sandbox",
};
const MIB = 1024 * 1024;

/** The service's nodes, their load, the queues and the latest failures; for who runs it. */
export function NodesPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ["nodes"],
    queryFn: api.nodes,
    refetchInterval: EVERY_MS,
  });
  return (
    <>
      <h1>Nodes</h1>
      {error && !data && <Problem error={error} what="The nodes" again={refetch} />}
      {!data && !error && <Waiting what="the nodes" />}
      {data && (
        <>
          <ul className="rows" aria-label="Nodes">
            {data.data.map(node => (
              <NodeRow key={node.id} node={node} />
            ))}
          </ul>
          <Queues queues={data.queues} />
          <Failures failures={data.recentFailures} />
        </>
      )}
    </>
  );
}

function NodeRow({ node }: { node: FleetNode }) {
  const { id, hostname, services, version, startedAt, lastSeenAt, cpuPercent, memoryBytes, rendering } = node;
  const memory = memoryBytes === null ? "memory not known" : `${Math.round(memoryBytes / MIB)} MiB`;
  return (
    <li>
      <span className="row-what">
        <strong>{id}</strong>
        <span className="quiet">
          {hostname} · {services.join(", ")}
        </span>
      </span>
      <span className="quiet">
        {version ?? "version not known"}
        {startedAt && (
          <>
            , since <Time iso={startedAt} />
          </>
        )}
      </span>
      <span className="quiet">
        {cpuPercent === null ? "load not known" : `${Math.round(cpuPercent)} % CPU`} · {memory}
      </span>
      <span className="quiet">
        {rendering
          ? `renders ${rendering.busy} of ${rendering.capacity}, ${rendering.failures} failed`
          : "renders nothing"}
      </span>
      {rendering && SANDBOX[rendering.sandbox] && <strong>{SANDBOX[rendering.sandbox]}</strong>}
      <span className="quiet">
        seen <Time iso={lastSeenAt} />
      </span>
    </li>
  );
}

function Queues({ queues }: { queues: Fleet["queues"] }) {
  return (
    <section aria-labelledby="queues" className="section">
      <h2 id="queues">Queues</h2>
      {queues === null ? (
        <p className="empty">No node with the service runs answers.</p>
      ) : (
        <ul className="rows" aria-label="Queues">
          {queues.map(({ queue, waiting, underWay, oldestAt }) => (
            <li key={queue}>
              <span className="row-what">
                <strong>{queue}</strong>
              </span>
              <span className="quiet">
                {waiting} waiting · {underWay} under way
              </span>
              <span className="quiet">
                {oldestAt ? (
                  <>
                    oldest <Time iso={oldestAt} />
                  </>
                ) : (
                  "empty"
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Failures({ failures }: { failures: Fleet["recentFailures"] }) {
  if (failures === null) return null;
  return (
    <section aria-labelledby="failures" className="section">
      <h2 id="failures">Latest failures</h2>
      {failures.length === 0 && <p className="empty">No screenshot failed of late.</p>}
      <ul className="rows" aria-label="Latest failures">
        {failures.map(({ at, runId, screenshotId, route, viewport, error }) => (
          <li key={screenshotId}>
            <span className="row-what">
              <strong>
                {route} at {viewport} px
              </strong>
              <span className="quiet">{error}</span>
            </span>
            <span className="quiet">
              <Time iso={at} />
            </span>
            <Link to={{ page: "run", id: runId }}>
              Run
              <span className="hidden"> of {route}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
