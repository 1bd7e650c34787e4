import { action, actorOf, callerAction } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { handleInteraction, type InteractionContext } from "./handle-interaction.ts";
import { changeChatApp, linkPerson, listChatApps, removeChatApp, unlinkPeople } from "./manage-chat-apps.ts";

interface WithInteractions {
  context: AlertsContext;
  interactions: InteractionContext;
}

/** The actions of the alerts service on apps of chat tools. */
export const chatAppActions = {
  chatApps: callerAction("alerts.chatApps", (context: AlertsContext, caller) =>
    listChatApps(context, caller),
  ),
  putChatApp: callerAction("alerts.putChatApp", changeChatApp),
  deleteChatApp: callerAction("alerts.deleteChatApp", removeChatApp),
  chatInteraction: action("alerts.chatInteraction", function (this: WithInteractions, delivery) {
    return handleInteraction(this.interactions, delivery);
  }),
  linkChatPerson: action("alerts.linkChatPerson", function (this: WithInteractions, params) {
    return linkPerson(this.context, params);
  }),
  unlinkChatPeople: action("alerts.unlinkChatPeople", function (this: WithInteractions, _params, context) {
    return unlinkPeople(this.context, actorOf(context));
  }),
};
