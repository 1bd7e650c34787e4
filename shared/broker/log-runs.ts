import type { Middleware, ServiceBroker } from "moleculer";
import { z } from "zod";

/** Events name their run in one of two ways. `run.progressed` is left out: it comes with each screenshot. */
const aboutRun = z.union([
  z.object({ runId: z.string() }),
  z.object({ id: z.string() }).transform(({ id }) => ({ runId: id })),
]);
const TOO_MANY = "run.progressed";

type Send = (event: string, payload: unknown, options?: unknown) => Promise<unknown>;

/**
 * Middleware that logs each event of a run with the run's id, so that a run can be followed through the log.
 */
export function logRuns(): Middleware {
  let broker: ServiceBroker | null = null;
  const send = (next: Send): Send => {
    return (event, payload, options) => {
      const about = event.startsWith("run.") && event !== TOO_MANY ? aboutRun.safeParse(payload) : null;
      if (about?.success) broker?.logger.info({ ...about.data, event }, event);
      return next(event, payload, options);
    };
  };
  const hooks: object = {
    name: "LogRuns",
    created: (made: ServiceBroker) => (broker = made),
    emit: send,
    broadcast: send,
  };
  // biome-ignore lint/plugin: Moleculer's types take the hooks' results for the events'.
  return hooks as Middleware;
}
