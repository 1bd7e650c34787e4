import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { beginChores } from "../../shared/chores.ts";
import { configOf } from "../../shared/config.ts";
import { action, NOT_TWICE, service } from "../../shared/contracts/bus.ts";
import { ConsentEntity } from "./consent.entity.ts";
import { deliver } from "./deliver.ts";
import { beginInstall, finishInstall } from "./install-integration.ts";
import { allow, listConsents, revoke } from "./manage-consents.ts";
import { migrations } from "./migrations/index.ts";
import { PlatformApi } from "./platform-api.ts";
import type { PlatformNode } from "./platform-node.ts";
import { tidyChore } from "./tidy.ts";

interface Platform extends Service, WithDatabase {
  node: PlatformNode;
  stopChores?: () => Promise<void>;
}

export default service<Platform>({
  name: "platform",
  mixins: [database({ schema: "platform", entities: [ConsentEntity], migrations })],
  actions: {
    deliver: action("platform.deliver", function (this: Platform, delivery) {
      return deliver(this.node, delivery);
    }),
    beginInstall: action("platform.beginInstall", function (this: Platform, { browserHash }) {
      return beginInstall(this.node, browserHash);
    }),
    finishInstall: action(
      "platform.finishInstall",
      function (this: Platform, params) {
        return finishInstall(this.node, params);
      },
      NOT_TWICE,
    ),
    consents: action("platform.consents", function (this: Platform, page) {
      return listConsents(this.em(), page);
    }),
    allow: action("platform.allow", function (this: Platform, { key }) {
      return allow(this.em(), key);
    }),
    revoke: action("platform.revoke", async function (this: Platform, { key }) {
      await revoke(this.em(), key);
      return null;
    }),
  },
  async started() {
    const { platform: settings, baseUrl } = configOf(this.broker);
    this.node = {
      em: () => this.em(),
      settings,
      baseUrl,
      platformApi: settings.oauth && new PlatformApi(settings.oauth, `${baseUrl}/api/install`),
      warn: (error, what) => this.logger.warn({ err: error }, what),
    };
    this.stopChores = beginChores([tidyChore(this.node)], this.node.warn);
  },
  async stopped() {
    await this.stopChores?.();
  },
});
