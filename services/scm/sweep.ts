import { advanceDueChecks } from "./advance-check.ts";
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
  let underWay: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const work = async () => {
    do {
      again = false;
      await advanceDueChecks(node);
    } while (again && !stopped);
  };
  const soon = () => {
    if (stopped) return;
    again = true;
    underWay ??= work()
      .catch(error => node.warn(error, "The sweep failed; later again"))
      .finally(() => {
        underWay = null;
      });
  };
  // Each node at its own moments.
  const looks = setInterval(soon, LOOK_EVERY_MS * (0.8 + 0.4 * Math.random()));
  const tidies = setInterval(
    () => void tidy(node).catch(error => node.warn(error, "What is over was not removed; later again")),
    TIDY_EVERY_MS,
  );
  return {
    soon,
    async stop() {
      stopped = true;
      clearInterval(looks);
      clearInterval(tidies);
      await underWay;
    },
  };
}

async function tidy({ em }: ScmNode): Promise<void> {
  await forgetOldDeliveries(em());
  await forgetOldChecks(em());
}
