import type { ProofView } from "../../../shared/contracts/runs/proof.ts";
import { describeProof } from "../../../shared/report/describe-proof.ts";
import type { StoredProof } from "./proof.store.ts";

/** Returns a proof as people see it. */
export function viewOfProof({ result, requestedBy, requestedAt, endedAt }: StoredProof): ProofView {
  return {
    status: result === null ? "running" : "done",
    outcome: result?.outcome ?? null,
    text: describeProof(result),
    files: result?.files ?? [],
    captures: result?.captures ?? 0,
    requestedBy,
    requestedAt: requestedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
