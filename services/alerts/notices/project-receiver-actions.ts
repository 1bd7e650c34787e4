import { action, callerAction } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { changeProjectChat, listProjectChats, readProjectChat } from "./manage-project-chat.ts";
import { changeProjectEmail, readProjectEmail, unsubscribeFromProject } from "./manage-project-email.ts";
import { testProjectChat } from "./test-project-chat.ts";

/** The actions of the alerts service on the chat channels and email addresses of projects. */
export const projectReceiverActions = {
  projectChat: callerAction("alerts.projectChat", (context: AlertsContext, caller, { project }) =>
    readProjectChat(context, caller, project),
  ),
  projectChats: callerAction("alerts.projectChats", listProjectChats),
  testProjectChat: callerAction("alerts.testProjectChat", testProjectChat),
  putProjectChat: callerAction("alerts.putProjectChat", changeProjectChat),
  projectEmail: callerAction("alerts.projectEmail", readProjectEmail),
  putProjectEmail: callerAction("alerts.putProjectEmail", changeProjectEmail),
  unsubscribeProject: action(
    "alerts.unsubscribeProject",
    async function (this: { context: AlertsContext }, params) {
      await unsubscribeFromProject(this.context, params);
      return null;
    },
  ),
};
