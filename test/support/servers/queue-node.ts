import assert from "node:assert/strict";
import { JetStreamQueue } from "../../../mixins/queue/jetstream-queue.ts";
import type { CompareJob } from "../../../shared/contracts/runs/jobs.ts";
import type { Consumer, QueueLoad, WorkQueue } from "../../../shared/contracts/work-queue.ts";
import { until } from "../drivers/until.ts";

/** A job under way, which ends when the test says so. */
interface PendingInstall {
  id: string;
  job: CompareJob;
  signal: AbortSignal;
  end(error?: Error): void;
}

/** A node with a queue, and what it was given to do. */
export class QueueNode {
  readonly queue: WorkQueue;
  readonly begun: PendingInstall[] = [];
  readonly givenUp: [id: string, reason: string][] = [];

  constructor(queue: WorkQueue) {
    this.queue = queue;
  }

  /** Takes jobs; they are under way until the test ends them. */
  consume(options: Partial<Consumer<"compare">> = {}): this {
    this.queue.consume("compare", {
      concurrency: 1,
      maxAttempts: 3,
      handle: (job, signal) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => (error ? reject(error) : resolve());
          this.begun.push({ id: job.screenshotId, job, signal, end });
        }),
      fail: async ({ screenshotId }, reason) => void this.givenUp.push([screenshotId, reason.message]),
      ...options,
    });
    return this;
  }

  add(id: string, { fairKey = "run", attempt = 1, text = "old" } = {}): Promise<void> {
    const job = { runId: fairKey, screenshotId: id, baselineHash: text, currentHash: "new", token: "" };
    return this.queue.enqueue("compare", job, { id, fairKey, attempt });
  }

  /** The nth job that was begun here, from 0, once it is. */
  async nth(index: number): Promise<PendingInstall> {
    await until(() => this.begun.length > index);
    const begun = this.begun[index];
    assert.ok(begun);
    return begun;
  }

  get ids(): string[] {
    return this.begun.map(({ id }) => id);
  }

  async load(): Promise<QueueLoad> {
    const load = (await this.queue.load()).find(({ queue }) => queue === "compare");
    assert.ok(load);
    return load;
  }

  /** Waits until no job is left on any node. */
  async done(): Promise<void> {
    await until(async () => {
      const { waiting, underWay } = await this.load();
      return waiting + underWay === 0;
    });
  }

  /** Lets what is under way end, and leaves. */
  async close(): Promise<void> {
    for (const { end } of this.begun) end();
    await this.queue.stop();
  }
}

/** A node of a cluster. */
export class JetStreamNode extends QueueNode {
  /** What it logged. */
  readonly said: string[];
  readonly #queue: JetStreamQueue;

  constructor(url: string, { stopTimeoutMs = 8_000, replicas = 1, name = "test" } = {}) {
    const said: string[] = [];
    const say = (message: string) => void said.push(message);
    const log = { info: say, warn: say };
    const queue = new JetStreamQueue({ addresses: [url], replicas, name, log, stopTimeoutMs });
    super(queue);
    this.#queue = queue;
    this.said = said;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#queue.close();
  }
}
