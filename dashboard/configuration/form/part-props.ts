import type { Draft } from "../draft.ts";
import type { FieldFailure } from "../failures.ts";

/** What edits a part of a configuration. */
export interface PartProps {
  draft: Draft;
  failures: readonly FieldFailure[];
  onChange: (change: Partial<Draft>) => void;
}
