import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { configOf } from "../../shared/config.ts";
import { action, broadcast, callerOf, NOT_TWICE, service } from "../../shared/contracts/bus.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { authenticate } from "./authenticate.ts";
import { ensureDefaultTeam } from "./default-team.ts";
import { createKey, listKeys, revokeKey } from "./manage-keys.ts";
import { migrations } from "./migrations/index.ts";
import { TeamEntity } from "./team.entity.ts";

type Teams = Service & WithDatabase;

export default service<Teams>({
  name: "teams",
  mixins: [database({ schema: "teams", entities: [TeamEntity, ApiKeyEntity], migrations })],
  actions: {
    authenticate: action("teams.authenticate", function (this: Teams, { keyHash }) {
      return authenticate(this.em(), keyHash);
    }),
    createKey: action(
      "teams.createKey",
      function (this: Teams, params, context) {
        return createKey(this.em(), callerOf(context), params);
      },
      NOT_TWICE,
    ),
    listKeys: action("teams.listKeys", function (this: Teams, params, context) {
      return listKeys(this.em(), callerOf(context), params);
    }),
    revokeKey: action("teams.revokeKey", async function (this: Teams, { id }, context) {
      await revokeKey(this.em(), callerOf(context), id);
      await broadcast(context, "key.revoked", { keyId: id });
      return null;
    }),
  },
  async started() {
    const config = configOf(this.broker);
    const key = await ensureDefaultTeam(this.em(), config.bootstrapKey);
    if (key !== null) showOnce(key);
  },
});

/** Written past the log, which is kept and sent around: this is the one time that the key is shown. */
function showOnce(key: string): void {
  process.stdout.write(`\n  Admin API key, shown this once: ${key}\n`);
}
