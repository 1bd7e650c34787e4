import { useQuery } from "@tanstack/react-query";
import type { Fleet, FleetNode } from "../../shared/contracts/fleet.ts";
import { api } from "../api/client.ts";
import { Link } from "../navigation.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { nodesTexts, sandboxTexts } from "../texts/settings/nodes.ts";
import { fill } from "../ui/fill.ts";
import { Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";

const REFRESH_INTERVAL_MS = 5_000;

/** Shows the service's nodes, their load, the queues, and the latest failures, for operators. */
export function NodesPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ["nodes"],
    queryFn: api.nodes,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  return (
    <>
      <h1>{nodesTexts.title}</h1>
      {error && !data && <Problem error={error} what={loadedThings.nodes} again={refetch} />}
      {!data && !error && <Loading what={loadedThings.nodes} />}
      {data && (
        <>
          <FleetFailures failures={data.faults} />
          <ul className="rows" aria-label={nodesTexts.title}>
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

function FleetFailures({ failures }: { failures: Fleet["faults"] }) {
  return failures.map(({ code, message, groups }) => (
    <section key={code} className="problem" role="alert" aria-label={nodesTexts.fleetFailures[code]}>
      <p>{message}</p>
      {groups.length > 0 && (
        <ul>
          {groups.map(({ rendering, nodes }) => (
            <li key={rendering}>
              <code>{rendering}</code>
              {nodesTexts.drawnBy(nodes)}
            </li>
          ))}
        </ul>
      )}
    </section>
  ));
}

function NodeRow({ node }: { node: FleetNode }) {
  const { id, hostname, services, version, startedAt, lastSeenAt, cpuPercent, memoryBytes } = node;
  const { rendering, fingerprint, region } = node;
  const named = nodesTexts.version(version);
  return (
    <li>
      <span className="row-what">
        <strong>{id}</strong>
        <span className="quiet">{nodesTexts.identity(hostname, services, region)}</span>
        {fingerprint && <span className="quiet">{nodesTexts.fingerprint(fingerprint)}</span>}
      </span>
      <span className="quiet">
        {startedAt
          ? fill(nodesTexts.versionSince, { version: named, time: <Time iso={startedAt} /> })
          : named}
      </span>
      <span className="quiet">{nodesTexts.load(cpuPercent, memoryBytes)}</span>
      <span className="quiet">{rendering ? nodesTexts.rendering(rendering) : nodesTexts.noRendering}</span>
      {rendering && sandboxTexts[rendering.sandbox] && <strong>{sandboxTexts[rendering.sandbox]}</strong>}
      <span className="quiet">{fill(nodesTexts.seen, { time: <Time iso={lastSeenAt} /> })}</span>
    </li>
  );
}

function Queues({ queues }: { queues: Fleet["queues"] }) {
  return (
    <section aria-labelledby="queues" className="section">
      <h2 id="queues">{nodesTexts.queues}</h2>
      {queues === null ? (
        <p className="empty">{nodesTexts.noQueues}</p>
      ) : (
        <ul className="rows" aria-label={nodesTexts.queues}>
          {queues.map(({ queue, waiting, underWay, oldestAt }) => (
            <li key={queue}>
              <span className="row-what">
                <strong>{queue}</strong>
              </span>
              <span className="quiet">{nodesTexts.queued(waiting, underWay)}</span>
              <span className="quiet">
                {oldestAt
                  ? fill(nodesTexts.oldest, { time: <Time iso={oldestAt} /> })
                  : nodesTexts.emptyQueue}
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
      <h2 id="failures">{nodesTexts.failures}</h2>
      {failures.length === 0 && <p className="empty">{nodesTexts.noFailures}</p>}
      <ul className="rows" aria-label={nodesTexts.failures}>
        {failures.map(({ at, runId, screenshotId, error, ...page }) => (
          <li key={screenshotId}>
            <span className="row-what">
              <strong>{commonTexts.pageAt(page)}</strong>
              <span className="quiet">{error}</span>
            </span>
            <span className="quiet">
              <Time iso={at} />
            </span>
            <Link to={{ page: "run", id: runId }}>
              {nodesTexts.openRun}
              <span className="hidden"> {commonTexts.pageAt(page)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
