import type { ServiceBroker } from "moleculer";

/** Less than supervisors usually wait before they kill (Kubernetes 30 s), more than a node needs for what it may finish. */
const STOP_WITHIN_MS = 20_000;
/** npm passes on a Ctrl-C that the terminal has sent to everybody already: that is not a second one. */
const SAME_WITHIN_MS = 1_000;

/** Stops the node in good order at the first SIGTERM or SIGINT, and ends the process at once at the second. */
export function stopOnSignal(broker: ServiceBroker): void {
  let askedAt: number | null = null;
  const stop = () => {
    if (askedAt !== null) {
      if (Date.now() - askedAt > SAME_WITHIN_MS) process.exit(1);
      return;
    }
    askedAt = Date.now();
    setTimeout(() => {
      broker.logger.error(`The node did not stop within ${STOP_WITHIN_MS / 1_000} s and is ended.`);
      process.exit(1);
    }, STOP_WITHIN_MS);
    void broker.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
