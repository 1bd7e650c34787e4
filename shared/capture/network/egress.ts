import type { ArchiveSite } from "../archive/archive-site.ts";
import type { SiteTunnel } from "../tunnel/site-tunnel.ts";
import { TunnelUse } from "../tunnel/tunnel-use.ts";
import type { ConnectOptions } from "./checked-connect.ts";

/** The HTTP proxy of one browser context. It reaches public sites and allowed hosts only. */
export interface EgressProxy {
  /** `http://127.0.0.1:<port>`: the proxy server for Chromium. */
  readonly url: string;
  /** Returns why the last request to this URL's host and port was refused, or null. */
  refusal(url: URL): string | null;
  /** Returns why this URL's host and port could not be reached last (unknown name, no connection), or null. */
  failure(url: URL): string | null;
  /** Bytes received from sites since the start or the last resetBytes. */
  readonly bytes: number;
  /** Whether `bytes` exceeded maxBytes. Every connection was cut then, and new ones are refused until resetBytes. */
  readonly exceeded: boolean;
  /** The tunnel to a local application, and its interruptions since the start or the last resetBytes. */
  readonly tunnel: TunnelUse;
  /** The archive that the pages show. They reach nothing else, unless their options allow it. */
  readonly archive: ArchiveSite | null;
  /** Resets the count for a new page. */
  resetBytes(): void;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** No proxy: the browser connects directly, and nothing is known or refused. */
export const NO_PROXY: EgressProxy = {
  url: "",
  bytes: 0,
  exceeded: false,
  refusal: () => null,
  failure: () => null,
  tunnel: new TunnelUse(null),
  archive: null,
  resetBytes: () => {},
  close: async () => {},
};

export interface EgressProxyOptions extends ConnectOptions {
  /** Maximum downloaded bytes of one page. */
  maxBytes: number;
  /** The tunnel to the run's local application. */
  tunnel?: SiteTunnel | undefined;
  /** The run's archive. */
  archive?: ArchiveSite | undefined;
}
