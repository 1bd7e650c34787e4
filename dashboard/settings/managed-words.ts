import type { ManagedTeam } from "../../shared/contracts/people.ts";

/** What a change of a team's members came to. @param sendsMail whether the service has a mail server */
export function managedWords({ changed, invited, removed }: ManagedTeam, sendsMail: boolean): string {
  const who = [...changed.map(({ login }) => login), ...removed].join(", ");
  if (invited.length === 0) return `Changed: ${who}.`;
  // Nobody's address is known by a login.
  const mailed = invited.every(({ email }) => email !== null) && sendsMail;
  return mailed
    ? "Invited. The mail that says so is on its way."
    : "Invited. Tell them to sign in: nothing is sent to them.";
}
