/** Why a member may only read, in words. */
export function noSeatInWords(seats: number): string {
  return `The team's plan has places for ${seats} ${seats === 1 ? "member" : "members"}, and there are more. Admins have theirs first, then who joined first; the others may only read until somebody leaves or an admin takes a larger plan.`;
}
