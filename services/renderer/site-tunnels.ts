import { SiteTunnel } from "../../shared/capture/tunnel/site-tunnel.ts";
import type { CaptureJob } from "../../shared/contracts/runs/jobs.ts";
import type { TunnelBus } from "../../shared/contracts/runs/tunnels.ts";

/** More than the runs that a node renders at the same time. A forgotten tunnel is only waited for again. */
const MAX_TUNNELS = 1_000;

/** The tunnels of the runs that this node renders. Pages of a run wait together for an interrupted one. */
export class SiteTunnels {
  readonly #bus: TunnelBus;
  readonly #tunnels = new Map<string, SiteTunnel>();

  constructor(bus: TunnelBus) {
    this.#bus = bus;
  }

  /** Returns the tunnel to the local application of a job; undefined for a site without one. */
  of({ tunnel: key, site, url }: Pick<CaptureJob, "tunnel" | "site" | "url">): SiteTunnel | undefined {
    if (key === undefined) return undefined;
    const known = this.#tunnels.get(key);
    if (known) return known;
    if (this.#tunnels.size >= MAX_TUNNELS) this.#tunnels.clear();
    const tunnel = new SiteTunnel(this.#bus, key, site ?? url);
    this.#tunnels.set(key, tunnel);
    return tunnel;
  }
}
