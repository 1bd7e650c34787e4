import {
  type ChangeRule,
  type IgnoreRegionView,
  RULE_SCOPES,
} from "../../shared/contracts/noise/ignore-rules.ts";
import { api } from "../api/client.ts";
import { ignoreTexts } from "../texts/ignore.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { shareIn, textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";
import { useNoiseChange } from "./queries.ts";

const DAY_CHARS = 10;

interface RuleDialogProps {
  project: string;
  rule: IgnoreRegionView;
  onClose: () => void;
}

/** Changes a rule's name, place, threshold and end. */
export function RuleDialog({ project, rule, onClose }: RuleDialogProps) {
  const changing = useNoiseChange(project, (body: ChangeRule) => api.changeRule(rule.id, body), undefined, {
    hasFailureToast: false,
  });
  const { threshold } = rule;
  const scopes = RULE_SCOPES.filter(scope => threshold === null || scope !== "project");
  return (
    <Dialog title={ignoreTexts.editTitle} onClose={onClose}>
      <form
        className="form"
        onSubmit={event => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          changing.mutate(changeIn(form, rule), { onSuccess: onClose });
        }}
      >
        <Field label={ignoreTexts.name} hint={ignoreTexts.nameHint}>
          <input name="name" maxLength={500} autoComplete="off" defaultValue={rule.reason ?? ""} />
        </Field>
        <Field label={ignoreTexts.appliesTo}>
          <select name="appliesTo" defaultValue={rule.appliesTo}>
            {scopes.map(scope => (
              <option key={scope} value={scope}>
                {ignoreTexts.scopeNames[scope]}
              </option>
            ))}
          </select>
        </Field>
        {threshold !== null && (
          <Field label={ignoreTexts.threshold}>
            <input
              name="threshold"
              type="number"
              min="0.01"
              max="100"
              step="any"
              required
              defaultValue={Math.round(threshold * 1e6) / 1e4}
            />
          </Field>
        )}
        <Field label={ignoreTexts.expires}>
          <input name="expires" type="date" defaultValue={rule.expiresAt?.slice(0, DAY_CHARS) ?? ""} />
        </Field>
        <FormEnd
          save={ignoreTexts.saveChanges}
          isPending={changing.isPending}
          error={changing.error}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

function changeIn(form: FormData, rule: IgnoreRegionView): ChangeRule {
  const [name, day] = [textIn(form, "name"), textIn(form, "expires")];
  const scope = RULE_SCOPES.find(each => each === textIn(form, "appliesTo"));
  const isSameDay = rule.expiresAt?.slice(0, DAY_CHARS) === day;
  return {
    reason: name === "" ? null : name,
    ...(scope && { appliesTo: scope }),
    ...(rule.threshold !== null && { threshold: shareIn(textIn(form, "threshold")) }),
    ...(!isSameDay && { expiresAt: day === "" ? null : new Date(`${day}T23:59:59.999Z`).toISOString() }),
  };
}
