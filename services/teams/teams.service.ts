import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { addressPolicy } from "../../shared/capture/network/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import {
  action,
  actorOf,
  broadcast,
  call,
  callerOf,
  NO_RETRY,
  on,
  service,
} from "../../shared/contracts/bus.ts";
import { INSTALLATION_PROVIDER } from "../../shared/contracts/teams/sign-in.ts";
import { startPeriodicTasks } from "../../shared/periodic-task.ts";
import { cleanupTask } from "./cleanup.ts";
import { ensureDefaultTeam } from "./default-team.ts";
import { entities } from "./entities.ts";
import { authenticate } from "./keys/authenticate.ts";
import { exchangeToken } from "./keys/exchange-token.ts";
import { createKey, listKeys, revokeKey } from "./keys/manage-keys.ts";
import { TokenIssuer } from "./keys/token-issuer.ts";
import { listActivity } from "./list-activity.ts";
import { changeTeam, createTeam, deleteTeam, listTeams, restoreTeam } from "./manage-team.ts";
import { listInvitations, revokeInvitation } from "./members/invitations.ts";
import { keepSeats, seatsTask } from "./members/keep-seats.ts";
import {
  type InvitationMailer,
  invitationTask,
  mailInvitationsNow,
  OPEN_DAILY_LIMIT,
} from "./members/mail-invitations.ts";
import {
  leaveTeam,
  listMembers,
  manageMembers,
  memberByAccount,
  memberById,
} from "./members/manage-members.ts";
import { countPlaces, findAdminAddresses } from "./members/member.store.ts";
import { migrations } from "./migrations/index.ts";
import { noteUsage } from "./note-usage.ts";
import { noticeActions } from "./notices/notice-actions.ts";
import { publishChanged } from "./publish-changed.ts";
import { CodeHost } from "./sign-in/code-host.ts";
import { Providers } from "./sign-in/oidc/providers.ts";
import { sealedColumns } from "./sign-in/provider.store.ts";
import { deleteOtherSessions, findKnownHashes } from "./sign-in/session.store.ts";
import {
  authenticateSession,
  closeSession,
  listSessions,
  openKeySession,
  renewSession,
} from "./sign-in/sessions.ts";
import { beginSignIn, finishSignIn, type SignInContext } from "./sign-in/sign-in.ts";
import { signInActions, type WithProviders } from "./sign-in/sign-in-actions.ts";
import { countTeams, findExisting, findLinkSettings, insertActivity, isOpen } from "./team.store.ts";
import { listReviewers, readSettings } from "./team-settings.ts";
import { firstKeyLine } from "./texts.ts";
import { transferActions } from "./transfer-actions.ts";

interface Teams extends Service, WithDatabase, WithProviders {
  stopTasks?: () => Promise<void>;
  /** Null if no one could accept an invitation. */
  mailer: InvitationMailer | null;
  /** Null without a code host. */
  signIn: SignInContext | null;
  /** Verifies tokens of CI jobs. */
  issuer: TokenIssuer;
}

export default service<Teams>({
  name: "teams",
  mixins: [database({ schema: "teams", entities, migrations, sealed: sealedColumns })],
  actions: {
    ...transferActions,
    ...noticeActions,
    authenticate: action("teams.authenticate", function (this: Teams, { keyHash }) {
      return authenticate(this.em(), keyHash);
    }),
    authenticateSession: action("teams.authenticateSession", function (this: Teams, { tokenHash }) {
      return authenticateSession(this.em(), tokenHash);
    }),
    knownCredentials: action("teams.knownCredentials", function (this: Teams, { hashes }) {
      return findKnownHashes(this.em(), hashes);
    }),
    openSession: action("teams.openSession", function (this: Teams, params) {
      return openKeySession(this.em(), params);
    }),
    renewSession: action("teams.renewSession", function (this: Teams, params) {
      return renewSession(this.em(), params);
    }),
    sessions: action("teams.sessions", function (this: Teams, params, context) {
      return listSessions(this.em(), actorOf(context), params);
    }),
    closeSession: action("teams.closeSession", async function (this: Teams, { id }, context) {
      await closeSession(this.em(), actorOf(context), id);
      return publishChanged(context, { result: null, changedIds: [id] });
    }),
    closeOtherSessions: action(
      "teams.closeOtherSessions",
      async function (this: Teams, { current }, context) {
        const changedIds = await deleteOtherSessions(this.em(), actorOf(context), current);
        return publishChanged(context, { result: null, changedIds });
      },
    ),
    waysIn: action("teams.waysIn", async function (this: Teams, { provider: id }) {
      const provider = await this.providerSignIn.providers.find(id ?? INSTALLATION_PROVIDER);
      return {
        codeHost: this.signIn !== null,
        provider: provider && { id: provider.id, name: provider.client.name },
      };
    }),
    ...signInActions,
    beginSignIn: action("teams.beginSignIn", async function (this: Teams, params) {
      return this.signIn && beginSignIn(this.signIn, params);
    }),
    finishSignIn: action(
      "teams.finishSignIn",
      async function (this: Teams, params, context) {
        const result = this.signIn && (await finishSignIn(this.signIn, params));
        const changedIds = result && "actor" in result ? [result.actor.id] : [];
        return publishChanged(context, { result, changedIds });
      },
      NO_RETRY,
    ),
    createKey: action(
      "teams.createKey",
      function (this: Teams, params, context) {
        return createKey(this.em(), callerOf(context), params);
      },
      NO_RETRY,
    ),
    exchangeToken: action(
      "teams.exchangeToken",
      function (this: Teams, params) {
        return exchangeToken(this.em(), this.issuer, params);
      },
      NO_RETRY,
    ),
    listKeys: action("teams.listKeys", function (this: Teams, params, context) {
      return listKeys(this.em(), callerOf(context), params);
    }),
    revokeKey: action("teams.revokeKey", async function (this: Teams, { id }, context) {
      await revokeKey(this.em(), callerOf(context), id);
      return publishChanged(context, { result: null, changedIds: [id] });
    }),
    list: action("teams.list", function (this: Teams, params, context) {
      return listTeams(this.em(), actorOf(context), params);
    }),
    create: action(
      "teams.create",
      async function (this: Teams, { name }, context) {
        const actor = actorOf(context);
        const result = await createTeam(this.em(), actor, name, configOf(this.broker).signUp === "open");
        return publishChanged(context, { result, changedIds: actor.kind === "user" ? [actor.id] : [] });
      },
      NO_RETRY,
    ),
    manage: action("teams.manage", async function (this: Teams, params, context) {
      const caller = callerOf(context);
      const plan = params.add?.length ? await call(context, "billing.plan", { teamId: caller.teamId }) : null;
      const managed = await manageMembers(this.em(), caller, params, plan?.members);
      // Not awaited. Lost emails are sent later.
      if (this.mailer && managed.result.invited.some(({ email }) => email !== null))
        void mailInvitationsNow(this.mailer);
      return publishChanged(context, managed);
    }),
    change: action("teams.change", async function (this: Teams, params, context) {
      const caller = callerOf(context);
      const result = await changeTeam(this.em(), caller, params);
      // Not `access.changed`, which ends the tunnels of the whole team.
      await broadcast(context, "team.changed", { teamId: caller.teamId });
      return result;
    }),
    settings: action("teams.settings", function (this: Teams, { teamId }) {
      return readSettings(this.em(), teamId);
    }),
    linkSettings: action("teams.linkSettings", function (this: Teams, { teamId }) {
      return findLinkSettings(this.em(), teamId);
    }),
    reviewers: action("teams.reviewers", function (this: Teams, { teamId, except }) {
      return listReviewers(this.em(), teamId, except);
    }),
    existing: action("teams.existing", function (this: Teams, { ids }) {
      return findExisting(this.em(), ids);
    }),
    delete: action("teams.delete", async function (this: Teams, _params, context) {
      const caller = callerOf(context);
      const result = await deleteTeam(this.em(), caller);
      return publishChanged(context, { result, changedIds: [caller.teamId] });
    }),
    restore: action("teams.restore", async function (this: Teams, _params, context) {
      const caller = callerOf(context);
      const result = await restoreTeam(this.em(), caller);
      return publishChanged(context, { result, changedIds: [caller.teamId] });
    }),
    leave: action("teams.leave", async function (this: Teams, _params, context) {
      return publishChanged(context, await leaveTeam(this.em(), callerOf(context)));
    }),
    count: action("teams.count", function (this: Teams) {
      return countTeams(this.em());
    }),
    isOpen: action("teams.isOpen", function (this: Teams, { teamId }) {
      return isOpen(this.em(), teamId);
    }),
    members: action("teams.members", function (this: Teams, params, context) {
      return listMembers(this.em(), callerOf(context), params);
    }),
    memberByAccount: action("teams.memberByAccount", function (this: Teams, { teamId, hostId }) {
      return memberByAccount(this.em(), teamId, hostId);
    }),
    memberById: action("teams.memberById", function (this: Teams, params) {
      return memberById(this.em(), params);
    }),
    adminAddresses: action("teams.adminAddresses", function (this: Teams, { teamId }) {
      return findAdminAddresses(this.em(), teamId);
    }),
    countPlaces: action("teams.countPlaces", function (this: Teams, { teamId }) {
      return countPlaces(this.em(), teamId);
    }),
    invitations: action("teams.invitations", function (this: Teams, params, context) {
      return listInvitations(this.em(), callerOf(context), params);
    }),
    revokeInvitation: action("teams.revokeInvitation", async function (this: Teams, { id }, context) {
      await revokeInvitation(this.em(), callerOf(context), id);
      return null;
    }),
    note: action("teams.note", async function (this: Teams, noted) {
      await insertActivity(this.em(), noted);
      return null;
    }),
    noteUsage: action("teams.noteUsage", async function (this: Teams, notice) {
      await noteUsage(this.em(), notice);
      return null;
    }),
    activity: action("teams.activity", function (this: Teams, params, context) {
      return listActivity(this.em(), callerOf(context), params);
    }),
  },
  events: {
    "plan.changed": on("plan.changed", function (this: Teams, { teamId }) {
      return keepSeats({ em: () => this.em(), bus: this.broker }, teamId);
    }),
    "activity.noted": on("activity.noted", function (this: Teams, noted) {
      return insertActivity(this.em(), noted);
    }),
  },
  async started() {
    const config = configOf(this.broker);
    const key = await ensureDefaultTeam(this.em(), config.bootstrapKey);
    if (key !== null) showOnce(key);
    const policy = addressPolicy(config.allowHosts, config.denyNetworks);
    this.issuer = new TokenIssuer({ issuer: config.uploadTokenIssuer, audience: config.baseUrl, policy });
    this.policy = policy;
    this.providerSignIn = {
      em: () => this.em(),
      providers: new Providers({ em: () => this.em(), client: config.oidc, policy, baseUrl: config.baseUrl }),
      seatLimit: async teamId => (await call(this.broker, "billing.plan", { teamId })).members,
      isOpen: config.signUp === "open",
      warn: message => this.logger.warn(message),
    };
    this.signIn = config.codeHost && {
      em: () => this.em(),
      codeHost: new CodeHost(config.codeHost),
      redirectUrl: `${config.baseUrl}/auth/callback`,
      isOpen: config.signUp === "open",
      warn: message => this.logger.warn(message),
    };
    const warn = (error: unknown, what: string) => this.logger.warn({ err: error }, what);
    const seatsContext = { em: () => this.em(), bus: this.broker };
    const hasProvider = config.oidc !== null;
    const dailyLimit = config.signUp === "open" ? OPEN_DAILY_LIMIT : null;
    const mailer = { ...seatsContext, baseUrl: config.baseUrl, hasProvider, dailyLimit, warn };
    this.mailer = config.codeHost || hasProvider ? mailer : null;
    const publishGone = (teamId: string) => broadcast(this.broker, "team.gone", { teamId });
    this.stopTasks = startPeriodicTasks(
      [
        seatsTask({ ...seatsContext, warn }),
        cleanupTask({ em: () => this.em(), publishGone }),
        ...(this.mailer ? [invitationTask(this.mailer)] : []),
      ],
      warn,
    );
  },
  async stopped() {
    await this.stopTasks?.();
  },
});

/** Written to the terminal instead of the log, which is stored and forwarded. The key is shown only this once. */
function showOnce(key: string): void {
  process.stdout.write(`\n  ${firstKeyLine(key)}\n`);
}
