import type { Service } from "moleculer";
import type { WithDatabase } from "../../../mixins/database.ts";
import type { AddressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { action, actorOf, callerOf, NO_RETRY } from "../../../shared/contracts/bus.ts";
import { publishChanged } from "../publish-changed.ts";
import { handleScim } from "../scim/handle-scim.ts";
import { changePolicy, changeProvider, deleteProvider, readSignInSettings } from "./manage-sign-in.ts";
import { beginProviderSignIn, finishProviderSignIn, type ProviderContext } from "./oidc/provider-sign-in.ts";
import { endProviderSessions, signOut, signOutMember } from "./sign-out.ts";

/** What the actions below need of the service. */
export interface WithProviders {
  providerSignIn: ProviderContext;
  /** Of the issuers that teams name. */
  policy: AddressPolicy;
}

type Teams = Service & WithDatabase & WithProviders;

const settingsOf = ({ providerSignIn: { em, providers }, policy }: Teams) => ({ em, providers, policy });

/** The actions of the teams service about identity providers. */
export const signInActions = {
  beginProviderSignIn: action("teams.beginProviderSignIn", function (this: Teams, params) {
    return beginProviderSignIn(this.providerSignIn, params);
  }),
  finishProviderSignIn: action(
    "teams.finishProviderSignIn",
    async function (this: Teams, params, context) {
      return publishChanged(context, await finishProviderSignIn(this.providerSignIn, params));
    },
    NO_RETRY,
  ),
  endProviderSessions: action(
    "teams.endProviderSessions",
    async function (this: Teams, params, context) {
      return publishChanged(context, await endProviderSessions(this.providerSignIn, params));
    },
    NO_RETRY,
  ),
  signOut: action("teams.signOut", async function (this: Teams, params, context) {
    const result = await signOut(this.providerSignIn, actorOf(context), params);
    return publishChanged(context, { result, changedIds: [params.id] });
  }),
  signOutMember: action("teams.signOutMember", async function (this: Teams, { member }, context) {
    return publishChanged(context, await signOutMember(this.em(), callerOf(context), member));
  }),
  scim: action(
    "teams.scim",
    async function (this: Teams, params, context) {
      return publishChanged(context, await handleScim(this.providerSignIn, callerOf(context), params));
    },
    NO_RETRY,
  ),
  signInSettings: action("teams.signInSettings", function (this: Teams, _params, context) {
    return readSignInSettings(settingsOf(this), callerOf(context));
  }),
  changeSignInPolicy: action("teams.changeSignInPolicy", async function (this: Teams, params, context) {
    return publishChanged(context, await changePolicy(settingsOf(this), callerOf(context), params));
  }),
  changeProvider: action("teams.changeProvider", async function (this: Teams, params, context) {
    return publishChanged(context, await changeProvider(settingsOf(this), callerOf(context), params));
  }),
  deleteProvider: action("teams.deleteProvider", async function (this: Teams, _params, context) {
    return publishChanged(context, await deleteProvider(settingsOf(this), callerOf(context)));
  }),
};
