import type { ServiceBroker } from "moleculer";

/** Says why a part of the node does not work now, in words for an operator; null while it does. */
type FaultOf = () => string | null;

const faults = new WeakMap<ServiceBroker, Set<FaultOf>>();

/** Lets the node's `/ready` ask a part of it whether it works. */
export function reportFault(broker: ServiceBroker, faultOf: FaultOf): void {
  const known = faults.get(broker) ?? new Set();
  faults.set(broker, known.add(faultOf));
}

/** What the node's parts say that does not work now. */
export function reportedFaults(broker: ServiceBroker): string[] {
  return [...(faults.get(broker) ?? [])].map(faultOf => faultOf()).filter(fault => fault !== null);
}
