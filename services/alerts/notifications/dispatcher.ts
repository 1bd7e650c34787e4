import type { EntityManager } from "../../../mixins/database.ts";
import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { withTimeout } from "../../../shared/async.ts";
import { CHANNEL_NAMES } from "../../../shared/contracts/monitors/alerts.ts";
import { keepScope } from "../../../shared/tracing/work-scope.ts";
import type { Sender } from "../alerts-context.ts";
import { CHANNELS } from "../channels/registry.ts";
import { LOG_MESSAGES, NOTIFICATION_ERRORS } from "../texts.ts";
import { deliverEvent, recordAttempt } from "../webhooks/deliver-event.ts";
import { EVENT_CHANNEL } from "../webhooks/delivery.store.ts";
import { nextAttemptMs } from "./backoff.rule.ts";
import {
  endNotification,
  type LeasedNotification,
  leaseDue,
  postponeNotification,
  releaseNotification,
} from "./notification.store.ts";
import { deliver } from "./send-notification.ts";

/** How often a node polls for notifications that other nodes released. It sends its own at once. */
const POLL_INTERVAL_MS = 5_000;
/**
 * Pause between two polls, so that each finds free capacity and many notifications. It grows with the duration of
 * a poll, so that a slow database has time for others.
 */
const MIN_PAUSE_MS = 100;
const PAUSE_PER_POLL = 3;
/** Includes everything that an attempt prepares. */
const ATTEMPT_TIMEOUT_MS = 60_000;
/** After this, another node sends what a stopped node had leased. */
const LEASE_SECONDS = 2 * (ATTEMPT_TIMEOUT_MS / 1_000);
/** Time for running attempts to finish when the node stops. */
const STOP_TIMEOUT_MS = 5_000;
/** A brief database outage must not cause a message to be sent twice. */
const WRITE_ATTEMPTS = 4;
const WRITE_RETRY_MS = 500;

/** Concurrent notifications of this node by channel. A slow receiver only delays its own channel. */
const CONCURRENCY: [string, number][] = [
  ...CHANNEL_NAMES.map((name): [string, number] => [name, CHANNELS[name].concurrency]),
  [EVENT_CHANNEL, 64],
];

/** The dependencies of a dispatcher. */
interface DispatcherContext {
  em(): EntityManager;
  sender: Sender;
  /** Called after each attempt, with any result. */
  onAttempt(notification: LeasedNotification): void;
  /** Called when a webhook was paused because its receiver fails. */
  onPause(): void;
  warn(error: unknown, what: string): void;
}

/** Sends due notifications. Any number of nodes share the work. */
export class Dispatcher {
  readonly #context: DispatcherContext;
  readonly #active = new Map<string, LeasedNotification>();
  readonly #stopping = new AbortController();
  /** A request that wakes the dispatcher starts notifications of others, too. */
  readonly #inOwnScope = keepScope();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | null = null;
  #pausing: NodeJS.Timeout | undefined;
  #isWakePending = false;
  #idle = Promise.withResolvers<void>();
  #stopped = false;

  constructor(context: DispatcherContext) {
    this.#context = context;
  }

  start(): void {
    // Random, so that nodes poll at different times.
    this.#timer = setInterval(() => this.wake(), POLL_INTERVAL_MS * (0.8 + 0.4 * Math.random()));
    this.wake();
  }

  /** Polls for due notifications now. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#polling || this.#pausing) {
      this.#isWakePending = true;
      return;
    }
    const startedAt = performance.now();
    this.#polling = this.#inOwnScope(() => this.#poll()).finally(() => {
      this.#polling = null;
      const pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_PER_POLL * (performance.now() - startedAt));
      this.#pausing = setTimeout(
        () => {
          this.#pausing = undefined;
          if (!this.#isWakePending) return;
          this.#isWakePending = false;
          this.wake();
        },
        Math.min(pauseMs, POLL_INTERVAL_MS),
      );
    });
  }

  /** Leases nothing more, waits briefly for running attempts, and releases the rest. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped = true;
    const stop = () => this.#stopping.abort();
    const timer = setTimeout(stop, STOP_TIMEOUT_MS);
    await this.#polling;
    clearTimeout(this.#pausing);
    if (this.#active.size > 0) await this.#idle.promise;
    clearTimeout(timer);
    stop();
  }

  async #poll(): Promise<void> {
    const capacities = this.#capacities();
    if (capacities.length === 0) return;
    try {
      for (const notification of await leaseDue(this.#context.em(), capacities, LEASE_SECONDS)) {
        this.#active.set(notification.id, notification);
        void this.#deliver(notification);
      }
    } catch (error) {
      this.#context.warn(error, LOG_MESSAGES.notRead);
    }
  }

  /** Returns the channels with free capacity on this node, and the number of running attempts of each team. */
  #capacities() {
    const under = [...this.#active.values()];
    return CONCURRENCY.map(([channel, concurrency]) => {
      const mine = under.filter(notification => notification.channel === channel);
      const teams: Record<string, number> = {};
      for (const { teamId } of mine) teams[teamId ?? ""] = (teams[teamId ?? ""] ?? 0) + 1;
      return { channel, free: concurrency - mine.length, teamConcurrency: Math.ceil(concurrency / 2), teams };
    }).filter(({ free }) => free > 0);
  }

  async #deliver(notification: LeasedNotification): Promise<void> {
    const { signal } = this.#stopping;
    const outcome = await this.#try(notification, signal);
    try {
      await this.#write(em =>
        signal.aborted && outcome.kind === "retry"
          ? releaseNotification(em, notification)
          : this.#record(em, notification, outcome),
      );
    } catch (error) {
      this.#context.warn(error, LOG_MESSAGES.notStored(notification.id));
    }
    this.#context.onAttempt(notification);
    this.#active.delete(notification.id);
    if (this.#active.size === 0) {
      this.#idle.resolve();
      this.#idle = Promise.withResolvers();
    }
    this.wake();
  }

  async #try(notification: LeasedNotification, stopping: AbortSignal): Promise<Outcome> {
    const overdue = new AbortController();
    const signal = AbortSignal.any([stopping, overdue.signal]);
    try {
      return await withTimeout(
        isEvent(notification)
          ? deliverEvent(this.#context.em, notification, this.#context.sender, signal)
          : deliver(notification, this.#context.sender, signal),
        ATTEMPT_TIMEOUT_MS,
        () => new Error("late"),
      );
    } catch (error) {
      this.#context.warn(error, LOG_MESSAGES.failed(notification.id));
      return { kind: "retry", answer: NOTIFICATION_ERRORS.willRetry, retryAfterMs: null };
    } finally {
      overdue.abort();
    }
  }

  async #record(em: EntityManager, notification: LeasedNotification, outcome: Outcome): Promise<void> {
    if (!isEvent(notification)) return record(em, notification, outcome);
    if (await recordAttempt(em, notification, outcome)) this.#context.onPause();
  }

  async #write(write: (em: EntityManager) => Promise<void>): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await write(this.#context.em());
      } catch (error) {
        if (attempts === WRITE_ATTEMPTS) throw error;
        await new Promise(resolve => setTimeout(resolve, WRITE_RETRY_MS * attempts));
      }
    }
  }
}

function isEvent({ channel }: LeasedNotification): boolean {
  return channel === EVENT_CHANNEL;
}

async function record(em: EntityManager, notification: LeasedNotification, outcome: Outcome): Promise<void> {
  const { kind, answer } = outcome;
  if (kind === "sent") return endNotification(em, notification, "sent", answer);
  if (kind === "refused") return endNotification(em, notification, "failed", answer);
  const waitMs = nextAttemptMs({ ...notification, retryAfterMs: outcome.retryAfterMs }, Math.random());
  if (waitMs !== null) return postponeNotification(em, notification, waitMs, answer);
  return endNotification(
    em,
    notification,
    "failed",
    NOTIFICATION_ERRORS.gaveUp(notification.attempts, answer),
  );
}
