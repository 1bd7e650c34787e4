import { useState } from "react";
import { configurationTexts } from "../texts/configuration.ts";
import { configurationOf, type Draft, draftOf, type NamedRow } from "./draft.ts";
import type { Fields } from "./step-fields.ts";

/** The form or the JSON that is edited, whichever is shown. */
type Edited = { view: "form"; draft: Draft } | { view: "json"; json: string };

/** An editor of a configuration, as a form or as JSON. */
export interface Editor {
  edited: Edited;
  /** Why the JSON can't be shown as a form; null if it can. */
  problem: string | null;
  change: (change: Partial<Draft>) => void;
  changeJson: (json: string) => void;
  show: (view: Edited["view"]) => void;
  /** Returns what is edited. @throws Error for text that is no JSON, and for two equal names */
  read: () => Fields;
}

/** Edits a configuration. Both views keep what is edited. */
export function useEditor(configuration: object): Editor {
  const [edited, setEdited] = useState<Edited>(() => ({ view: "form", draft: draftOf(configuration) }));
  const [problem, setProblem] = useState<string | null>(null);
  const show = (view: Edited["view"]) => {
    if (view === edited.view) return;
    try {
      const fields = readEdited(edited);
      setEdited(
        view === "json" ? { view, json: JSON.stringify(fields, null, 2) } : { view, draft: draftOf(fields) },
      );
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return {
    edited,
    problem,
    change: change =>
      setEdited(now => (now.view === "form" ? { ...now, draft: { ...now.draft, ...change } } : now)),
    changeJson: json => setEdited({ view: "json", json }),
    show,
    read: () => readEdited(edited),
  };
}

function readEdited(edited: Edited): Fields {
  if (edited.view === "json") return fieldsIn(edited.json);
  const { environments, sessions, perRoute } = edited.draft;
  const repeated = [environments, sessions, perRoute].flatMap(repeatedNames)[0];
  if (repeated !== undefined) throw new Error(configurationTexts.repeatedName(repeated));
  return configurationOf(edited.draft);
}

/** Returns names that occur twice. The second one would replace the first. */
function repeatedNames(rows: readonly NamedRow[]): string[] {
  const names = rows.map(({ name }) => name.trim());
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function fieldsIn(json: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error(configurationTexts.notJson(error instanceof Error ? error.message : ""));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(configurationTexts.notObject);
  return Object.fromEntries(Object.entries(value));
}
