import { emit } from "../../shared/contracts/bus.ts";
import type { BillingNode } from "./billing-node.ts";
import { periodAt } from "./period.ts";
import { markTold, type UntoldNotice } from "./store.ts";

/** Tells of allowances that are nearly or wholly used. Told before it is marked as told: it may come twice, but not never. */
export async function tellNotices(node: BillingNode, notices: UntoldNotice[]): Promise<void> {
  for (const notice of notices) {
    const { periodStart, ...what } = notice;
    const resetsAt = periodAt(periodStart).end.toISOString();
    await emit(node.bus, "usage.noticed", { ...what, resetsAt });
    await markTold(node.em(), notice);
  }
}
