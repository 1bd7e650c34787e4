import type { Diagnostics } from "../../shared/contracts/capture/diagnostics.ts";
import { countDropped, listDiagnostics } from "../../shared/report/describe-diagnostics.ts";
import { DIAGNOSTICS_TEXTS } from "../../shared/report/texts.ts";

/** Lists what went wrong in a page. */
export function DiagnosticsList({ diagnostics }: { diagnostics: Diagnostics }) {
  const dropped = countDropped(diagnostics);
  return (
    <ul>
      {listDiagnostics(diagnostics).map(({ kind, text, detail, times, isNew }) => (
        <li key={`${kind} ${text} ${detail}`}>
          <span className="quiet">
            {kind}
            {times > 1 && ` · ${DIAGNOSTICS_TEXTS.times(times)}`}
          </span>{" "}
          {isNew && <strong title={DIAGNOSTICS_TEXTS.isNewTitle}>{DIAGNOSTICS_TEXTS.isNew}</strong>}
          <code>{text}</code>
          {detail !== null && <span className="quiet">{detail}</span>}
        </li>
      ))}
      {dropped > 0 && <li>{DIAGNOSTICS_TEXTS.more(dropped)}</li>}
    </ul>
  );
}
