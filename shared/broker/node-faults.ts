import type { ServiceBroker } from "moleculer";

/** Says why a part of the node does not work now, in words for an operator; null while it does. */
type FailureOf = () => string | null;

const faults = new WeakMap<ServiceBroker, Set<FailureOf>>();

/** Lets the node's `/ready` ask a part of it whether it works. */
export function reportFailure(broker: ServiceBroker, failureIn: FailureOf): void {
  const known = faults.get(broker) ?? new Set();
  faults.set(broker, known.add(failureIn));
}

/** What the node's parts say that does not work now. */
export function reportedFailures(broker: ServiceBroker): string[] {
  return [...(faults.get(broker) ?? [])].map(failureIn => failureIn()).filter(fault => fault !== null);
}
