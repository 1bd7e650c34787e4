import type { TunnelAnswer, TunnelBus, TunnelRequest } from "../../shared/contracts/runs/tunnels.ts";

type Handler = (request: TunnelRequest) => Promise<TunnelAnswer>;

/** The tunnels of a single node. */
export class InProcessTunnels implements TunnelBus {
  readonly #handlers = new Map<string, Handler>();

  async serve(key: string, handle: Handler): Promise<() => void> {
    this.#handlers.set(key, handle);
    return () => {
      if (this.#handlers.get(key) === handle) this.#handlers.delete(key);
    };
  }

  async request(key: string, request: TunnelRequest): Promise<TunnelAnswer | null> {
    return (await this.#handlers.get(key)?.(request)) ?? null;
  }

  async close(): Promise<void> {
    this.#handlers.clear();
  }
}
