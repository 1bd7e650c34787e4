import { type ReactNode, useState } from "react";

interface SecretProps {
  name: string;
  /** What tells it from others; null where there is none. */
  known: string | null;
  children: (placeholder: string | null) => ReactNode;
}

/** Fields of what is not shown again: left empty it stays, a tick takes it away. */
export function Secret({ name, known, children }: SecretProps) {
  const [isAway, setAway] = useState(false);
  return (
    <div className="secret">
      {!isAway && children(known && `${known}, as it is`)}
      {known && (
        <label className="check">
          <input
            name={`${name}-away`}
            type="checkbox"
            checked={isAway}
            onChange={event => setAway(event.currentTarget.checked)}
          />
          Take {known} away
        </label>
      )}
    </div>
  );
}
