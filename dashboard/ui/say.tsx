import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";

/** Something said in passing, with what can be done about it. */
export interface Saying {
  text: string;
  act?: { label: string; run: () => void };
  isFailure?: boolean;
}

type Say = (saying: Saying) => void;

/** Long enough to read a line, and longer where there is something to do about it. */
const SAID_MS = 3_000;
const OFFERED_MS = 8_000;

const SayContext = createContext<Say>(() => {});

/** Says something in passing, to screen readers too. */
export function useSay(): Say {
  return use(SayContext);
}

/** What a failed request came to, in the service's words. */
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
