import { type AriaAttributes, cloneElement, type ReactElement, useEffect, useId } from "react";
import { ApiProblem } from "../api/request.ts";
import { commonTexts } from "../texts/common.ts";
import { useSay, wordsOf } from "./say.tsx";

/** What a page is called in the browser's tab, and its first heading. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = commonTexts.documentTitle(title);
  }, [title]);
}

/** While something is read: its place is kept, nothing jumps. */
export function Waiting({ what }: { what: string }) {
  return (
    <p className="empty" role="status">
      {commonTexts.loading(what)}
    </p>
  );
}

interface ProblemProps {
  error: unknown;
  what: string;
  again?: () => void;
  /** Where to go from a page that is nothing without it. */
  wayOut?: ReactElement;
}

/** What could not be read, and what to do about it. What is not there is not there the next time either. */
export function Problem({ error, what, again, wayOut }: ProblemProps) {
  const isGone = error instanceof ApiProblem && error.status === 404;
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{commonTexts.failedToLoad(what)}</strong> {wordsOf(error)}
      </p>
      {again && !(isGone && wayOut) && (
        <button type="button" onClick={again}>
          {commonTexts.tryAgain}
        </button>
      )}
      {wayOut}
    </div>
  );
}

/** A command or a secret, to be copied. */
export function Copyable({ text }: { text: string }) {
  const say = useSay();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say({ text: commonTexts.copied });
    } catch {
      // Not every browser gives a page without https the clipboard.
      say({ text: commonTexts.copyFailed, isFailure: true });
    }
  };
  return (
    <div className="copyable">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" onClick={copy}>
        {commonTexts.copy}
      </button>
    </div>
  );
}

interface FieldProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  /** The one control that the label names. */
  children: ReactElement<AriaAttributes & { id?: string }>;
}

/** A field of a form. Its hint, and what is wrong with it, describe its control, and are no part of its name. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {cloneElement(children, {
        id,
        ...(described && { "aria-describedby": described }),
        ...(fault && { "aria-invalid": true }),
      })}
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {fault && (
        <span id={`${id}-fault`} className="fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}
