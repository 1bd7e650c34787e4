import { createContext, use } from "react";
import type { Role } from "../shared/contracts/http.ts";
import type { SessionView } from "../shared/contracts/people.ts";
import { DEFAULT_TEAM_ID } from "../shared/ids.ts";

export const SessionContext = createContext<SessionView | null>(null);

export interface Me {
  session: SessionView;
  /** What she may do in the team; the service holds to it, the pages only show no more than that. */
  may: (least: Role) => boolean;
  isOperator: boolean;
}

const RANKS: readonly Role[] = ["viewer", "reviewer", "admin"];

/** Who has signed in. @throws Error on the page for signing in */
export function useMe(): Me {
  const session = use(SessionContext);
  if (!session) throw new Error("Nobody has signed in.");
  const role = session.team?.role ?? "viewer";
  const may = (least: Role) => RANKS.indexOf(role) >= RANKS.indexOf(least);
  return { session, may, isOperator: session.team?.id === DEFAULT_TEAM_ID && may("admin") };
}
