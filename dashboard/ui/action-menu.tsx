import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";

/** Space that the menu leaves at the edge of the window. */
const EDGE_PX = 8;

/** Keys that move the focus in an open menu, with the index that they lead to. */
const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

interface ActionMenuProps {
  /** Text of the button that opens the menu. */
  label: string;
  /** Buttons and links with `role="menuitem"` and `tabIndex={-1}`. */
  children: ReactNode;
}

/**
 * Shows rare actions below a button. Arrow keys move between them. Escape and a chosen action return the focus to the
 * button.
 */
export function ActionMenu({ label, children }: ActionMenuProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!isOpen) return;
    keepInWindow(menu.current);
    itemsOf(frame.current)[0]?.focus();
    const leave = (event: Event) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const all = itemsOf(frame.current);
    const at = all.findIndex(item => item.contains(document.activeElement));
    const move = MOVES[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (move) all[move(at, all.length)]?.focus();
    if (event.key === "Escape" || move) event.preventDefault();
  };
  return (
    <div className="action-menu" ref={frame}>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={event => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {label}
      </button>
      {isOpen && (
        <div
          ref={menu}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={press}
          onClick={close}
        >
          {children}
        </div>
      )}
    </div>
  );
}

function keepInWindow(menu: HTMLElement | null): void {
  if (!menu) return;
  const space = document.documentElement.clientWidth - EDGE_PX - menu.getBoundingClientRect().right;
  menu.style.left = `${Math.min(0, space)}px`;
}

function itemsOf(frame: HTMLElement | null): HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [])];
}
