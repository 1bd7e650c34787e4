import { configurationTexts } from "../../texts/configuration.ts";
import { Field } from "../../ui/parts.tsx";
import { failureAt } from "../failures.ts";
import { Choice } from "../record-editor.tsx";
import type { PartProps } from "./part-props.ts";

/** Edits which pages are captured, at which widths, and by whom. */
export function PageFields({ draft, failures, sessions, onChange }: PartProps & { sessions: string[] }) {
  return (
    <section aria-labelledby="pages" className="section">
      <h2 id="pages">{configurationTexts.pages}</h2>
      <div className="form">
        <Field
          label={configurationTexts.routes}
          hint={configurationTexts.routesHint}
          failure={failureAt(failures, "routes")}
        >
          <textarea
            rows={Math.min(10, draft.routes.split("\n").length + 1)}
            value={draft.routes}
            spellCheck={false}
            onChange={event => onChange({ routes: event.currentTarget.value })}
          />
        </Field>
        <Field
          label={configurationTexts.viewports}
          hint={configurationTexts.viewportsHint}
          failure={failureAt(failures, "viewports")}
        >
          <input
            value={draft.viewports}
            onChange={event => onChange({ viewports: event.currentTarget.value })}
          />
        </Field>
        <Field
          label={configurationTexts.threshold}
          hint={configurationTexts.thresholdHint}
          failure={failureAt(failures, "threshold")}
        >
          <input
            inputMode="decimal"
            value={draft.threshold}
            onChange={event => onChange({ threshold: event.currentTarget.value })}
          />
        </Field>
        <Field label={configurationTexts.session} failure={failureAt(failures, "session")}>
          <Choice
            value={draft.session}
            options={sessions}
            none={configurationTexts.noSession}
            onChange={session => onChange({ session })}
          />
        </Field>
      </div>
    </section>
  );
}
