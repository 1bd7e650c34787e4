import type { ImportView } from "../../shared/contracts/transfers/transfers.ts";
import { Link } from "../navigation.tsx";
import { importTexts, transferTexts } from "../texts/settings/transfer.ts";
import { fill } from "../ui/fill.ts";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { LeftOut } from "./left-out.tsx";

/** Shows the progress of the latest import, and what it did. */
export function ImportResult({ view }: { view: ImportView }) {
  const { status, progress, error, createdAt, projects, notes, leftOut, counts } = view;
  const added = Object.values(counts).reduce((sum, each) => sum + (each.new ?? 0), 0);
  const rows = Object.values(counts).reduce((sum, each) => sum + each.rows, 0);
  return (
    <section className="transfer" aria-labelledby="import-result" aria-live="polite">
      <h3 id="import-result">{importTexts.result}</h3>
      <p>
        <Status name={transferTexts.icons[status]} word={importTexts.statuses[status]} />{" "}
        <span className="quiet">{fill(importTexts.started, { time: <Time iso={createdAt} /> })}</span>
      </p>
      {status === "running" && (
        <progress max={progress.total ?? 1} value={progress.done} aria-label={importTexts.writing} />
      )}
      {error !== null && <p className="fault">{error}</p>}
      {status === "completed" && <p>{importTexts.added(added, rows)}</p>}
      {projects.length > 0 && (
        <ul className="rows" aria-label={importTexts.projects}>
          {projects.map(({ name, importedAs }) => (
            <li key={name}>
              <span className="row-what">{name}</span>
              {importedAs === null ? (
                <span className="quiet">{importTexts.skipped}</span>
              ) : status === "completed" ? (
                <Link to={{ page: "baselines", project: importedAs }}>{importedAs}</Link>
              ) : (
                <span className="quiet">{importedAs}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <details>
          <summary>{importTexts.notes(notes.length)}</summary>
          <ul className="plain-list">
            {notes.map(note => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
      {status === "completed" && <LeftOut of={leftOut} about={importTexts.leftOut} />}
    </section>
  );
}
