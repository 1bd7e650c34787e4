import { createContext, use } from "react";
import type { Role } from "../shared/contracts/runs/runs.ts";
import type { SessionView } from "../shared/contracts/teams/sessions.ts";
import { DEFAULT_TEAM_ID } from "../shared/ids.ts";
import { shellTexts } from "./texts/shell.ts";

export const SessionContext = createContext<SessionView | null>(null);

export interface Me {
  session: SessionView;
  /** Returns whether the reader has the role or a higher one. The service checks it too. */
  may: (least: Role) => boolean;
  isOperator: boolean;
}

const RANKS: readonly Role[] = ["viewer", "reviewer", "admin"];

/** Returns the signed-in reader. @throws Error on the sign-in page */
export function useMe(): Me {
  const session = use(SessionContext);
  if (!session) throw new Error(shellTexts.noSession);
  const role = session.team?.role ?? "viewer";
  const may = (least: Role) => RANKS.indexOf(role) >= RANKS.indexOf(least);
  return { session, may, isOperator: session.team?.id === DEFAULT_TEAM_ID && may("admin") };
}
