import { DEFAULT_NOTICES, type NoticePerson } from "../../../shared/contracts/teams/notices.ts";
import { newId } from "../../../shared/ids.ts";
import type { DatabaseKind } from "../databases/databases.ts";
import { MailServer } from "../servers/mail-server.ts";
import { AlertsTestContext } from "./alerts-context.ts";

/** An alerts service with a mail server, whose digests wait for ten minutes. */
export interface MailedAlerts {
  context: AlertsTestContext;
  mails: MailServer;
  stop(): Promise<void>;
}

export async function startMailedAlerts(kind: DatabaseKind): Promise<MailedAlerts> {
  const database = await kind.make();
  const mails = await MailServer.start();
  const env = { ...database.env, ...mails.env, NOTICE_DELAY_SECONDS: "600" };
  const context = await AlertsTestContext.start(env);
  return {
    ...{ context, mails },
    async stop() {
      await context.stop();
      await mails.close();
      await database.remove();
    },
  };
}

/** Returns a new reviewer with the usual preferences. */
export function makeReviewer(login = "ada"): NoticePerson & { email: string } {
  const id = newId("user");
  return { id, login, role: "reviewer", ...DEFAULT_NOTICES, email: `${id}@example.com` };
}
