import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";

/** A short message with an optional action. */
export interface Toast {
  text: string;
  action?: { label: string; run: () => void };
  isFailure?: boolean;
}

type ShowToast = (toast: Toast) => void;

/** Long enough to read a line. Longer with an action. */
const TOAST_MS = 3_000;
const ACTION_TOAST_MS = 8_000;

const ToastContext = createContext<ShowToast>(() => {});

/** Returns a function that shows a short message, also to screen readers. */
export function useToast(): ShowToast {
  return use(ToastContext);
}

/** Returns the message of a failed request. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  const showToast = useCallback<ShowToast>(setToast, []);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(
      () => setToast(null),
      toast.action || toast.isFailure ? ACTION_TOAST_MS : TOAST_MS,
    );
    return () => clearTimeout(timer);
  }, [toast]);
  const { action } = toast ?? {};
  return (
    <ToastContext value={showToast}>
      {children}
      <div className="said" role="status" data-failure={toast?.isFailure}>
        {toast && (
          <div className="said-box">
            <span>{toast.text}</span>
            {action && (
              <button
                type="button"
                onClick={() => {
                  setToast(null);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
          </div>
        )}
      </div>
    </ToastContext>
  );
}
