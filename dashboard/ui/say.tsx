import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";

/** A short message with an optional action. */
export interface Saying {
  text: string;
  act?: { label: string; run: () => void };
  isFailure?: boolean;
}

type Say = (saying: Saying) => void;

/** Long enough to read a line. Longer with an action. */
const SAID_MS = 3_000;
const OFFERED_MS = 8_000;

const SayContext = createContext<Say>(() => {});

/** Returns a function that shows a short message, also to screen readers. */
export function useSay(): Say {
  return use(SayContext);
}

/** Returns the message of a failed request. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function Sayings({ children }: { children: ReactNode }) {
  const [saying, setSaying] = useState<Saying | null>(null);
  const say = useCallback<Say>(setSaying, []);
  useEffect(() => {
    if (!saying) return;
    const timer = setTimeout(() => setSaying(null), saying.act || saying.isFailure ? OFFERED_MS : SAID_MS);
    return () => clearTimeout(timer);
  }, [saying]);
  const { act } = saying ?? {};
  return (
    <SayContext value={say}>
      {children}
      <div className="said" role="status" data-fault={saying?.isFailure}>
        {saying && (
          <div className="said-box">
            <span>{saying.text}</span>
            {act && (
              <button
                type="button"
                onClick={() => {
                  setSaying(null);
                  act.run();
                }}
              >
                {act.label}
              </button>
            )}
          </div>
        )}
      </div>
    </SayContext>
  );
}
