import type { ExportView } from "../../shared/contracts/transfers/transfers.ts";
import { leftOutNames, transferTexts } from "../texts/settings/transfer.ts";

interface LeftOutProps {
  of: ExportView["leftOut"];
  /** What to do about them. */
  about: string;
}

/** Lists the secrets that a file doesn't have. */
export function LeftOut({ of: list, about }: LeftOutProps) {
  if (list.length === 0) return null;
  return (
    <details>
      <summary>{transferTexts.secrets(list.length)}</summary>
      <p className="about">{about}</p>
      <ul className="plain-list">
        {list.map(({ kind, name }) => (
          <li key={`${kind} ${name}`}>
            {leftOutNames[kind]}: <strong>{name}</strong>
          </li>
        ))}
      </ul>
    </details>
  );
}
