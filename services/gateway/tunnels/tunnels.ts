import { createWebSocketStream, type WebSocket } from "ws";
import type { TunnelBus } from "../../../shared/contracts/runs/tunnels.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";
import { Tunnel } from "./tunnel.ts";

/** A team's laptops and CI jobs, on one gateway. */
const MAX_PER_TEAM = 20;
/** Each holds a connection and its buffers. */
const MAX_TUNNELS = 500;
/** A silent connection is noticed after two missed pings. Proxies also keep a connection with pings open. */
const PING_MS = 15_000;
/** Codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

interface OpenTunnel {
  teamId: string;
  /** Keys, users and teams that give access. The tunnel closes when one of them changes. */
  openedBy: readonly string[];
  socket: WebSocket;
  tunnel: Tunnel;
}

/** The tunnels that command lines have opened to this node. */
export class Tunnels {
  readonly #bus: TunnelBus;
  readonly #pingMs: number;
  readonly #open = new Map<string, OpenTunnel>();

  constructor(bus: TunnelBus, pingMs = PING_MS) {
    this.#bus = bus;
    this.#pingMs = pingMs;
  }

  /** @throws ServiceError rate_limited for a tunnel more than this team or node may have */
  requireRoom(teamId: string, key: string): void {
    if (this.#open.has(key)) return;
    const ofTeam = [...this.#open.values()].filter(tunnel => tunnel.teamId === teamId).length;
    if (ofTeam >= MAX_PER_TEAM)
      throw new ServiceError("rate_limited", LIMIT_ERRORS.tunnels(MAX_PER_TEAM), { retryAfterSeconds: 10 });
    if (this.#open.size >= MAX_TUNNELS)
      throw new ServiceError("unavailable", LIMIT_ERRORS.allTunnels, { retryAfterSeconds: 60 });
  }

  /** Holds a tunnel until its socket closes. The same command line may open it again after an interruption. */
  async hold(key: string, facts: Pick<OpenTunnel, "teamId" | "openedBy">, socket: WebSocket): Promise<void> {
    this.#close(key);
    const tunnel = new Tunnel(createWebSocketStream(socket));
    const held = { ...facts, socket, tunnel };
    this.#open.set(key, held);
    const stopPings = keepAlive(socket, this.#pingMs);
    const closed = new Promise<void>(resolve => socket.once("close", () => resolve()));
    const release = await this.#bus
      .serve(key, request => tunnel.handle(request))
      .catch(() => {
        socket.terminate();
        return () => {};
      });
    await closed;
    release();
    stopPings();
    tunnel.close();
    if (this.#open.get(key) === held) this.#open.delete(key);
  }

  /** Closes the tunnels that one of these keys, users or teams opened. Command lines with access open them again. */
  endOpenedBy(ids: readonly string[]): void {
    for (const { openedBy, socket } of this.#open.values())
      if (openedBy.some(id => ids.includes(id))) socket.close(POLICY_VIOLATION);
  }

  /** Closes all tunnels. Command lines open them again at another node. */
  close(): void {
    for (const { socket } of this.#open.values()) socket.close(GOING_AWAY);
  }

  #close(key: string): void {
    this.#open.get(key)?.socket.terminate();
  }
}

/** Pings the socket, and ends it when the answers stay out. Returns a function that stops. */
function keepAlive(socket: WebSocket, pingMs: number): () => void {
  let isAnswered = true;
  socket.on("pong", () => {
    isAnswered = true;
  });
  const timer = setInterval(() => {
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, pingMs);
  return () => clearInterval(timer);
}
