import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { transferTexts } from "../texts/settings/transfer.ts";
import { ExportSection } from "./export-section.tsx";
import { ImportSection } from "./import-section.tsx";
import "./transfer.css";

/** Exports a team's data as a file, and imports such a file. For admins. */
export function TransferPage({ team }: { team: TeamView }) {
  return (
    <>
      <h1>{transferTexts.title}</h1>
      <p className="detail">{transferTexts.about}</p>
      <ExportSection team={team} />
      <ImportSection team={team} />
    </>
  );
}
