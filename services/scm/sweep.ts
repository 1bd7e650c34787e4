import { advanceDueChecks } from "./advance-check.ts";
import { bootstrapDue } from "./bootstrap-repositories.ts";
import { carryMerged } from "./carry-merged.ts";
import { forgetOldChecks } from "./check.store.ts";
import { forgetOldDeliveries } from "./delivery.store.ts";
import type { ScmNode } from "./scm-node.ts";

/** So often this node looks for checks that are due. */
const LOOK_EVERY_MS = 3_000;
const TIDY_EVERY_MS = 10 * 60_000;

/** Does what is due, again and again. */
export interface Sweeper {
  /** Has it look at once, or again when it is looking already. */
  soon(): void;
  /** @returns when nothing is under way any more */
  stop(): Promise<void>;
}

/** Has this node take its turns: each thing that is due is done by one of the nodes. */
export function sweepRegularly(node: ScmNode): Sweeper {
  const checks = repeatedly(node, async signal => {
    await advanceDueChecks(node, signal);
    await carryMerged(node);
  });
  // By itself: a large install must not keep checks waiting.
  const bootstraps = repeatedly(node, signal => bootstrapDue(node, { signal }));
  const tidies = setInterval(
    () => void tidy(node).catch(error => node.warn(error, "What is over was not removed; later again")),
    TIDY_EVERY_MS,
  );
  return {
    soon: checks.soon,
    async stop() {
      clearInterval(tidies);
      await Promise.all([checks.stop(), bootstraps.stop()]);
    },
  };
}

/** Does work now and then and when asked to, once at a time. */
function repeatedly(node: ScmNode, work: (signal: AbortSignal) => Promise<void>): Sweeper {
  let underWay: Promise<void> | null = null;
  let again = false;
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = async () => {
    do {
      again = false;
      await work(signal);
    } while (again && !signal.aborted);
  };
  const soon = () => {
    if (signal.aborted) return;
    again = true;
    underWay ??= turns()
      .catch(error => node.warn(error, "The sweep failed; later again"))
      .finally(() => {
        underWay = null;
      });
  };
  // Each node at its own moments.
  const timer = setInterval(soon, LOOK_EVERY_MS * (0.8 + 0.4 * Math.random()));
  return {
    soon,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await underWay;
    },
  };
}

async function tidy({ em }: ScmNode): Promise<void> {
  await forgetOldDeliveries(em());
  await forgetOldChecks(em());
}
