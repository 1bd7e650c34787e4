import type { EntityManager } from "../../../mixins/database.ts";
import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { bounded } from "../../../shared/capture/page/bounded.ts";
import { CHANNEL_NAMES } from "../../../shared/contracts/monitors/alerts.ts";
import type { Sender } from "../alerts-context.ts";
import { CHANNELS } from "../channels/registry.ts";
import { DELIVERY_ERRORS, LOG_MESSAGES } from "../texts.ts";
import { nextTryMs } from "./backoff.rule.ts";
import { endDelivery, handBack, putOff, type TakenDelivery, takeDue } from "./notification.store.ts";
import { deliver } from "./send-notification.ts";

/** How often a node looks for what is due and what others let go of; what it queues itself goes out at once. */
const POLL_INTERVAL_MS = 5_000;
/**
 * Between two looks, so that one finds places and deliveries for many; and so much longer than a look took, that a
 * database with much to look through has time for others.
 */
const REST_MS = 100;
const REST_PER_LOOK = 3;
/** A try takes no longer than this, with everything that is made for it. */
const TRY_WITHIN_MS = 60_000;
/** What a node that went away was about to send is taken by another after this. */
const LEASE_SECONDS = 2 * (TRY_WITHIN_MS / 1_000);
/** When the node stops: long enough for what is under way to be answered. */
const FINISH_WITHIN_MS = 5_000;
/** A database that is away for a moment must not make us send a message twice. */
const WRITE_TRIES = 4;
const WRITE_AGAIN_MS = 500;

/** What a dispatcher works with. */
interface CheckContext {
  em(): EntityManager;
  sender: Sender;
  /** Told after each try of a delivery, whatever came of it. */
  tried(delivery: TakenDelivery): void;
  warn(error: unknown, what: string): void;
}

/** Sends what is due, on this node; any number of nodes share the work. */
export class Dispatcher {
  readonly #place: CheckContext;
  readonly #busy = new Map<string, TakenDelivery>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #resting: NodeJS.Timeout | undefined;
  #lookAgain = false;
  #idle = Promise.withResolvers<void>();
  #stopped = false;

  constructor(place: CheckContext) {
    this.#place = place;
  }

  start(): void {
    // Each node at its own moments.
    this.#timer = setInterval(() => this.nudge(), POLL_INTERVAL_MS * (0.8 + 0.4 * Math.random()));
    this.nudge();
  }

  /** Looks for what is due, now. */
  nudge(): void {
    if (this.#stopped) return;
    if (this.#looking || this.#resting) {
      this.#lookAgain = true;
      return;
    }
    const began = performance.now();
    this.#looking = this.#look().finally(() => {
      this.#looking = null;
      const restMs = Math.max(REST_MS, REST_PER_LOOK * (performance.now() - began));
      this.#resting = setTimeout(
        () => {
          this.#resting = undefined;
          if (!this.#lookAgain) return;
          this.#lookAgain = false;
          this.nudge();
        },
        Math.min(restMs, POLL_INTERVAL_MS),
      );
    });
  }

  /** Takes nothing more, waits a while for what is under way, and hands back the rest. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped = true;
    const stop = () => this.#stopping.abort();
    const timer = setTimeout(stop, FINISH_WITHIN_MS);
    await this.#looking;
    clearTimeout(this.#resting);
    if (this.#busy.size > 0) await this.#idle.promise;
    clearTimeout(timer);
    stop();
  }

  async #look(): Promise<void> {
    const capacities = this.#capacities();
    if (capacities.length === 0) return;
    try {
      for (const delivery of await takeDue(this.#place.em(), capacities, LEASE_SECONDS)) {
        this.#busy.set(delivery.id, delivery);
        void this.#deliver(delivery);
      }
    } catch (error) {
      this.#place.warn(error, LOG_MESSAGES.notRead);
    }
  }

  /** The channels that have places left here, and which teams have the others. */
  #capacities() {
    const under = [...this.#busy.values()];
    return CHANNEL_NAMES.map(channel => {
      const mine = under.filter(delivery => delivery.channel === channel);
      const teams: Record<string, number> = {};
      for (const { teamId } of mine) teams[teamId ?? ""] = (teams[teamId ?? ""] ?? 0) + 1;
      const { atOnce } = CHANNELS[channel];
      return { channel, free: atOnce - mine.length, teamAtOnce: Math.ceil(atOnce / 2), teams };
    }).filter(({ free }) => free > 0);
  }

  async #deliver(delivery: TakenDelivery): Promise<void> {
    const { signal } = this.#stopping;
    const outcome = await this.#try(delivery, signal);
    try {
      await this.#write(em =>
        signal.aborted && outcome.kind === "later" ? handBack(em, delivery) : record(em, delivery, outcome),
      );
    } catch (error) {
      this.#place.warn(error, LOG_MESSAGES.notStored(delivery.id));
    }
    this.#place.tried(delivery);
    this.#busy.delete(delivery.id);
    if (this.#busy.size === 0) {
      this.#idle.resolve();
      this.#idle = Promise.withResolvers();
    }
    this.nudge();
  }

  async #try(delivery: TakenDelivery, stopping: AbortSignal): Promise<Outcome> {
    const overdue = new AbortController();
    const signal = AbortSignal.any([stopping, overdue.signal]);
    try {
      return await bounded(
        deliver(delivery, this.#place.sender, signal),
        TRY_WITHIN_MS,
        () => new Error("late"),
      );
    } catch (error) {
      this.#place.warn(error, LOG_MESSAGES.failed(delivery.id));
      return { kind: "later", answer: DELIVERY_ERRORS.willRetry, askedMs: null };
    } finally {
      overdue.abort();
    }
  }

  async #write(write: (em: EntityManager) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await write(this.#place.em());
      } catch (error) {
        if (tries === WRITE_TRIES) throw error;
        await new Promise(resolve => setTimeout(resolve, WRITE_AGAIN_MS * tries));
      }
    }
  }
}

async function record(em: EntityManager, delivery: TakenDelivery, outcome: Outcome): Promise<void> {
  const { kind, answer } = outcome;
  if (kind === "sent") return endDelivery(em, delivery, "sent", answer);
  if (kind === "refused") return endDelivery(em, delivery, "failed", answer);
  const waitMs = nextTryMs({ ...delivery, askedMs: outcome.askedMs }, Math.random());
  if (waitMs !== null) return putOff(em, delivery, waitMs, answer);
  return endDelivery(em, delivery, "failed", DELIVERY_ERRORS.gaveUp(delivery.tries, answer));
}
