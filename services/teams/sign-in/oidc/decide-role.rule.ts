import { ROLES, type Role } from "../../../../shared/contracts/runs/runs.ts";
import type { GroupRole } from "../../../../shared/contracts/teams/sign-in.ts";

export interface RoleRules {
  /**
   * Whether a user may join by the rules. Otherwise the rules are only for members: an admin of any team could make all
   * users of the installation's provider members of that team. Default: true.
   */
  letsJoin?: boolean;
  /** Null: users without a matching group don't join by themselves. */
  defaultRole: Role | null;
  groupRoles: readonly GroupRole[];
}

/** Returns the highest role of these groups, or null if no rule names one of them. */
function roleOfGroups(rules: readonly GroupRole[], groups: readonly string[]): Role | null {
  const own = new Set(groups);
  const roles = rules.filter(({ group }) => own.has(group)).map(({ role }) => ROLES.indexOf(role));
  return roles.length === 0 ? null : (ROLES[Math.max(...roles)] ?? null);
}

/**
 * Returns the role that a user has in a team from now on. Null means no membership. Members that an admin added keep
 * their role unless a group of theirs has one. Without rules, admins set the roles of all members.
 * @param groups null if they are unknown
 * @param member the current membership. Null without one
 */
export function decideRole(
  { letsJoin = true, defaultRole, groupRoles }: RoleRules,
  groups: readonly string[] | null,
  member: { role: Role; isManaged: boolean } | null,
): Role | null {
  if (member === null && !letsJoin) return null;
  const granted = groups && roleOfGroups(groupRoles, groups);
  if (granted !== null) return granted;
  if (member === null) return defaultRole;
  const keepsRole = groups === null || groupRoles.length === 0 || !member.isManaged;
  return keepsRole ? member.role : defaultRole;
}
