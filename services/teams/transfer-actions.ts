import { readTeamRows, type TeamTable, tableOf } from "../../mixins/database/team-rows.ts";
import type { EntityManager, WithDatabase } from "../../mixins/database.ts";
import { action } from "../../shared/contracts/bus.ts";
import type { LeftOut } from "../../shared/transfers/export-manifest.ts";

const words = (text: string) => text.trim().split(/\s+/);

/** The tables of this service in an export. An import uses them through the actions of members and settings. */
const TEAM_TABLES: Readonly<Record<string, TeamTable>> = {
  team: {
    table: "teams.team",
    key: ["id"],
    columns: words("id name required_approvals allow_self_approval link_days public_links created_at"),
    ofTeam: "t.id = ?",
  },
  member: {
    table: `(select m.team_id, m.user_id, m.role, m.joined_at, u.login, u.name, u.email, u.provider
      from teams.membership m join teams."user" u on u.id = m.user_id)`,
    record: "teams.membership",
    key: ["user_id"],
    columns: words("user_id login name email provider role joined_at"),
    ofTeam: "t.team_id = ?",
  },
  activity: {
    table: "teams.activity",
    key: ["id"],
    columns: words("id type actor_kind actor_id actor_name target details at"),
    ofTeam: "t.team_id = ?",
  },
};

/** What exports of a team need of this service. */
export const transferActions = {
  exportRows: action("teams.exportRows", function (this: WithDatabase, params) {
    return readTeamRows(this.em(), tableOf(TEAM_TABLES, params.table), params);
  }),
  leftOut: action("teams.leftOut", function (this: WithDatabase, { teamId }) {
    return listLeftOut(this.em(), teamId);
  }),
};

/** Returns the secrets of this service that an export leaves out. */
async function listLeftOut(em: EntityManager, teamId: string): Promise<LeftOut[]> {
  const keys: { name: string }[] = await em.execute(
    `select name from teams.api_key where team_id = ? and revoked_at is null
       and (expires_at is null or expires_at > now()) order by id`,
    [teamId],
  );
  const providers: { name: string }[] = await em.execute(
    "select name from teams.provider where team_id = ?",
    [teamId],
  );
  return [
    ...keys.map(({ name }) => ({ kind: "api_key" as const, name })),
    ...providers.map(({ name }) => ({ kind: "provider" as const, name })),
  ];
}
