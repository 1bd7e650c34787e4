import type { DriftStretch } from "../../shared/contracts/monitor-series.ts";
import { count } from "../../shared/report/words.ts";

/** `12 checks, 2 drifting, 1 down`; of one check what it came to. */
export function stretchInWords({ checks, changed, down, failed }: DriftStretch): string {
  const found = [
    { many: changed, word: "drifting" },
    { many: down, word: "down" },
    { many: failed, word: "without result" },
  ].filter(({ many }) => many > 0);
  if (checks === 1) return found[0]?.word ?? "fine";
  const parts = found.map(({ many, word }) => `${many} ${word}`);
  return [count(checks, "check"), ...(parts.length > 0 ? parts : ["all fine"])].join(", ");
}
