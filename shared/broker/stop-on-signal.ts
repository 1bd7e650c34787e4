import type { ServiceBroker } from "moleculer";
import { onSignals } from "../on-signals.ts";
import { LOG_MESSAGES } from "./texts.ts";

/** Less than supervisors usually wait before they kill (Kubernetes 30 s), more than a node needs for what it may finish. */
const STOP_WITHIN_MS = 20_000;
/** Stops the node in good order at the first SIGTERM or SIGINT, and ends the process at once at the second. */
export function stopOnSignal(broker: ServiceBroker): void {
  onSignals(process, ["SIGTERM", "SIGINT"], {
    first() {
      setTimeout(() => {
        broker.logger.error(LOG_MESSAGES.notStopped(STOP_WITHIN_MS / 1_000));
        process.exit(1);
      }, STOP_WITHIN_MS);
      void broker.stop().then(() => process.exit(0));
    },
    again: () => process.exit(1),
  });
}
