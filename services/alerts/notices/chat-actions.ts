import { callerAction } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { changeProjectChat, listProjectChats, readProjectChat } from "./manage-project-chat.ts";
import { testProjectChat } from "./test-project-chat.ts";

/** The actions of the alerts service on the chat channels of projects. */
export const chatActions = {
  projectChat: callerAction("alerts.projectChat", (context: AlertsContext, caller, { project }) =>
    readProjectChat(context, caller, project),
  ),
  projectChats: callerAction("alerts.projectChats", listProjectChats),
  testProjectChat: callerAction("alerts.testProjectChat", testProjectChat),
  putProjectChat: callerAction("alerts.putProjectChat", changeProjectChat),
};
