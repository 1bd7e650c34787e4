import type { ShownProof } from "../../shared/contracts/runs/proof.ts";
import { PROOF_TEXTS } from "../../shared/report/texts.ts";
import { CodeText } from "../ui/text/code-text.tsx";
import type { Proving } from "./use-prove.ts";

/** Shows the proof of a cause, and the button that starts it. */
export function ProofResult({ proof, proving }: { proof: ShownProof | null; proving: Proving }) {
  if (proof === null && !proving.isPossible) return null;
  return (
    <section className="proof" aria-live="polite">
      {proof !== null && (
        <p>
          <CodeText text={proof.text} />
        </p>
      )}
      {proving.isPossible && (
        <button type="button" disabled={proving.isPending} aria-keyshortcuts="P" onClick={proving.prove}>
          {proof === null || proof.status === "running" ? PROOF_TEXTS.prove : PROOF_TEXTS.again}
        </button>
      )}
    </section>
  );
}
