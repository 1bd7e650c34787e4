import { type AriaAttributes, cloneElement, type ReactElement, useEffect, useId, useState } from "react";
import { ApiProblem } from "../api/request.ts";
import { commonTexts } from "../texts/common.ts";
import { messageOf } from "./toast.tsx";

/** Sets the title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = commonTexts.documentTitle(title);
  }, [title]);
}

/** Keeps the space of loading data, so that nothing moves. */
export function Loading({ what }: { what: string }) {
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
  /** A link for pages that are useless without the data. */
  exitLink?: ReactElement;
}

/** Shows a loading error and what to do. Missing data stays missing, so it has no retry. */
export function Problem({ error, what, again, exitLink }: ProblemProps) {
  const isGone = error instanceof ApiProblem && error.status === 404;
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{commonTexts.failedToLoad(what)}</strong> {messageOf(error)}
      </p>
      {again && !(isGone && exitLink) && (
        <button type="button" onClick={again}>
          {commonTexts.tryAgain}
        </button>
      )}
      {exitLink}
    </div>
  );
}

/** Shows a command or a secret for copying. */
export function Copyable({ text }: { text: string }) {
  const [outcome, setOutcome] = useState({ of: text, message: "" });
  const copy = async () => {
    // Screen readers announce only changes.
    setOutcome({ of: text, message: "" });
    try {
      await navigator.clipboard.writeText(text);
      setOutcome({ of: text, message: commonTexts.copied });
    } catch {
      // Without HTTPS, some browsers have no clipboard.
      setOutcome({ of: text, message: commonTexts.copyFailed });
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
      {/* In a dialog, a message elsewhere would be behind it, and not be announced. */}
      <span className="quiet" role="status">
        {outcome.of === text && outcome.message}
      </span>
    </div>
  );
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  failure?: string | undefined;
  /** The control that the label names. */
  children: ReactElement<AriaAttributes & { id?: string }>;
}

/** Renders a field of a form. Its hint and its failure describe the control, and aren't part of its name. */
export function Field({ label, hint, failure, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, failure && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {cloneElement(children, {
        id,
        ...(described && { "aria-describedby": described }),
        ...(failure && { "aria-invalid": true }),
      })}
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {failure && (
        <span id={`${id}-fault`} className="fault" role="alert">
          {failure}
        </span>
      )}
    </div>
  );
}
