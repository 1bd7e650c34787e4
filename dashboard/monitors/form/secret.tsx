import { type ReactNode, useState } from "react";
import { monitorFormTexts } from "../../texts/monitors/monitor-form.ts";

interface SecretProps {
  name: string;
  /** The visible part of the secret; null without one. */
  known: string | null;
  children: (placeholder: string | null) => ReactNode;
}

/** Fields for secrets that aren't shown again. An empty field keeps the secret, and a checkbox removes it. */
export function Secret({ name, known, children }: SecretProps) {
  const [isRemoved, setRemoved] = useState(false);
  return (
    <div className="secret">
      {!isRemoved && children(known && monitorFormTexts.unchangedSecret(known))}
      {known && (
        <label className="check">
          <input
            name={`${name}-away`}
            type="checkbox"
            checked={isRemoved}
            onChange={event => setRemoved(event.currentTarget.checked)}
          />
          {monitorFormTexts.removeSecret(known)}
        </label>
      )}
    </div>
  );
}
