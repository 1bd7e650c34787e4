import type { ReactNode } from "react";

interface ListItemProps {
  name: string;
  /** A line below the name. */
  detail: string | null;
  facts: ReactNode;
  /** What works, and what to do about the rest. */
  state: ReactNode;
  actions: ReactNode;
  /** Below all of it: a log, or an open dialog. */
  children?: ReactNode;
}

/** An item of a list of rows with its state and its actions. */
export function ListItem({ name, detail, facts, state, actions, children }: ListItemProps) {
  return (
    <li className="list-item">
      <span className="row-what">
        <strong>{name}</strong>
        {detail && <span>{detail}</span>}
        <span className="quiet">{facts}</span>
        {state}
      </span>
      <div className="actions">{actions}</div>
      {children}
    </li>
  );
}
