import type { ProjectChatView } from "../../../shared/contracts/monitors/project-chat.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { insertNotifications } from "../notifications/notification.store.ts";
import { CHAT_TEST_TEXTS as TEXTS } from "../texts.ts";
import { readProjectChat } from "./manage-project-chat.ts";
import { findProjectChat, lockTests } from "./project-chat.store.ts";

/** People test a channel a few times while they set it up. */
const LIMIT = { tests: 5, seconds: 300 };

/** Queues a test message to a project's chat channel. @throws ServiceError not_found without one; rate_limited */
export async function testProjectChat(
  context: AlertsContext,
  caller: Caller,
  { project }: { project: string },
): Promise<ProjectChatView> {
  const { teamId } = caller;
  const id = newId("dlv");
  await context.em().transactional(async tx => {
    const ages = await lockTests(tx, { teamId, project, seconds: LIMIT.seconds });
    const chat = await findProjectChat(tx, teamId, project);
    if (!chat) throw notFound("chat channel of project", project);
    const oldest = ages[LIMIT.tests - 1];
    if (oldest !== undefined) refuse(Math.ceil(LIMIT.seconds - oldest));
    const url = `${context.baseUrl}/baselines/overview?project=${encodeURIComponent(project)}`;
    const notice = {
      ...{ subject: TEXTS.title, paragraphs: [TEXTS.about(project)] },
      button: { label: TEXTS.button, url },
    };
    const target = { address: chat.address, secret: null };
    await insertNotifications(tx, [
      {
        ...{
          id,
          key: `chat test ${id}`,
          teamId,
          monitorId: null,
          lane: null,
          channel: "slack",
          kind: "test",
        },
        ...{ receiver: project, target, payload: { notice } },
      },
    ]);
  });
  context.wake();
  return readProjectChat(context, caller, project);
}

function refuse(waitSeconds: number): never {
  const retryAfterSeconds = Math.max(1, waitSeconds);
  throw new ServiceError("rate_limited", TEXTS.tooOften(retryAfterSeconds), { retryAfterSeconds });
}
