import type { Service } from "moleculer";
import type { WithDatabase } from "../../../mixins/database.ts";
import { action, actorOf } from "../../../shared/contracts/bus.ts";
import { changePreferences, readPreferences, stopNotices } from "./manage-notices.ts";
import { findByLogins, findPeople } from "./notice.store.ts";

interface Notices extends Service, WithDatabase {}

/** The actions of the teams service on notices. */
export const noticeActions = {
  noticePreferences: action("teams.noticePreferences", function (this: Notices, _params, context) {
    return readPreferences(this.em(), actorOf(context));
  }),
  changeNoticePreferences: action("teams.changeNoticePreferences", function (this: Notices, change, context) {
    return changePreferences(this.em(), actorOf(context), change);
  }),
  noticePeople: action("teams.noticePeople", function (this: Notices, { teamId }) {
    return findPeople(this.em(), teamId);
  }),
  membersByLogin: action("teams.membersByLogin", function (this: Notices, { teamId, logins }) {
    return findByLogins(
      this.em(),
      teamId,
      logins.map(login => login.toLowerCase()),
    );
  }),
  stopNotices: action("teams.stopNotices", async function (this: Notices, params) {
    await stopNotices(this.em(), params);
    return null;
  }),
};
