import type { ProofResult, ShownProof } from "../contracts/runs/proof.ts";
import { nameOfFile } from "../explain/name-of-file.ts";
import { PROOF_TEXTS } from "./texts.ts";

const MAX_NAMED = 5;

/** Describes the result of a proof; null for one that runs. Code is in backticks. */
export function describeProof(result: ProofResult | null): string {
  if (result === null) return PROOF_TEXTS.running;
  const { outcome, files, tried, unkept, reason } = result;
  switch (outcome) {
    case "proven":
      return files.length === 1
        ? PROOF_TEXTS.proven(nameOf(files[0] ?? ""))
        : PROOF_TEXTS.provenTogether(files.slice(0, MAX_NAMED).map(nameOf), files.length);
    case "not_explained":
      return PROOF_TEXTS.notExplained(tried, unkept);
    case "not_kept":
      return PROOF_TEXTS.notKept;
    case "no_change":
      return PROOF_TEXTS.noChange;
    case "page_changed":
      return PROOF_TEXTS.pageChanged;
    case "unreachable":
      return PROOF_TEXTS.unreachable(reason ?? "");
    case "failed":
      return PROOF_TEXTS.failed(reason ?? "");
  }
}

/** Returns the words of a proof that found the cause; null for others. */
export function provenText(proof: ShownProof | null | undefined): string | null {
  return proof?.outcome === "proven" ? proof.text : null;
}

function nameOf(url: string): string {
  return nameOfFile(url, url);
}
