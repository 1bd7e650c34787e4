import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Class of a dialog with another size. */
  className?: string;
  children: ReactNode;
}

/** Shows a modal dialog. The browser keeps the focus in it, and restores it afterward. Escape closes it. */
export function Dialog({ title, onClose, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed before it leaves the page: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Without fields, a long dialog starts at its top.
    if (!element?.querySelector("input, textarea, select")) {
      element?.focus();
      // The browser had scrolled to the first button.
      element?.scrollTo(0, 0);
    }
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={className ? `sheet ${className}` : "sheet"}
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
