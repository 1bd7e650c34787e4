import type { Fleet, FleetNode } from "../../../shared/contracts/fleet.ts";
import { number, plural, wholePercent } from "../format.ts";

const MB = 1_000_000;

/** Texts of the page about the nodes. It is for operators, so texts may name environment variables. */
export const nodesTexts = {
  title: "Nodes",
  identity: (hostname: string, services: readonly string[], region: string | null) =>
    [hostname, region, services.join(", ")].filter(part => part !== null).join(" · "),
  version: (version: string | null) => version ?? "Version unknown",
  versionSince: "{version}, started {time}",
  load: (cpuPercent: number | null, memoryBytes: number | null) => {
    const cpu = cpuPercent === null ? "Machine CPU unknown" : `Machine CPU ${wholePercent(cpuPercent / 100)}`;
    const memory = memoryBytes === null ? "memory unknown" : `${number(Math.round(memoryBytes / MB))} MB`;
    return `${cpu} · ${memory}`;
  },
  rendering: ({ busy, capacity, failures }: NonNullable<FleetNode["rendering"]>) =>
    `Rendering ${busy} of ${capacity} · ${number(failures)} failed`,
  noRendering: "No rendering",
  fleetFailures: {
    mixed_renderers: "Renderers draw differently",
    no_renderer: "No renderer",
  } satisfies Record<Fleet["faults"][number]["code"], string>,
  drawnBy: (nodes: readonly string[]) => `: ${nodes.join(", ")}`,
  fingerprint: ({ browser, fontCount, id }: NonNullable<FleetNode["fingerprint"]>) =>
    `${browser} · ${plural(fontCount, "font")} · rendering ${id}`,
  seen: "Seen {time}",

  queues: "Queues",
  noQueues: "No node that runs the runs service is responding. Start one with SERVICES=runs npm start.",
  queued: (waiting: number, running: number) => `${number(waiting)} queued · ${number(running)} running`,
  oldest: "Oldest {time}",
  emptyQueue: "Empty",

  failures: "Recent failures",
  noFailures: "No screenshots failed recently. Failed screenshots appear here.",
  openRun: "Open run",
} as const;

type Sandbox = NonNullable<FleetNode["rendering"]>["sandbox"];

/** Remarks for operators on a browser's sandbox. */
export const sandboxTexts: Partial<Record<Sandbox, string>> = {
  off: "Browser sandbox off",
  refused: "Rendering refused: no browser sandbox",
};
