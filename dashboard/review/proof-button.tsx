import type { ShownProof } from "../../shared/contracts/runs/proof.ts";
import { PROOF_TEXTS } from "../../shared/report/texts.ts";
import type { Proving } from "./use-prove.ts";

/** Shows the button that proves a cause. The result is among the remarks. */
export function ProofButton({ proof, proving }: { proof: ShownProof | null; proving: Proving }) {
  if (!proving.isPossible) return null;
  return (
    <div className="proof">
      <button type="button" disabled={proving.isPending} aria-keyshortcuts="P" onClick={proving.prove}>
        {proof === null || proof.status === "running" ? PROOF_TEXTS.prove : PROOF_TEXTS.again}
      </button>
    </div>
  );
}
