import type { ServiceBroker } from "moleculer";

/** Returns why a part of the node doesn't work now, in words for an operator, or null if it works. */
type FailureOf = () => string | null;

const failures = new WeakMap<ServiceBroker, Set<FailureOf>>();

/** Adds a part of the node to the checks of its `/ready`. */
export function reportFailure(broker: ServiceBroker, failureIn: FailureOf): void {
  const known = failures.get(broker) ?? new Set();
  failures.set(broker, known.add(failureIn));
}

/** Returns the current failures of the node's parts. */
export function reportedFailures(broker: ServiceBroker): string[] {
  return [...(failures.get(broker) ?? [])].map(failureIn => failureIn()).filter(failure => failure !== null);
}
