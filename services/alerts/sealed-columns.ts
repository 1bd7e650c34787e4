import type { SealedColumn } from "../../mixins/database.ts";
import { EMAIL_PURPOSE } from "./notices/project-email.store.ts";

/** Columns with secrets: the receivers of queued messages, which are deleted once the message is sent, of webhooks, and of projects. */
export const sealedColumns: SealedColumn[] = [
  {
    table: "alerts.notification",
    key: "id",
    purpose: "alert receiver",
    value: "target",
    set: "target = ?::jsonb",
    where: "status = 'queued' and target is not null",
    drop: "update alerts.notification set status = 'dropped', answer = 'The key of its receiver was lost.', ended_at = now(), target = null",
  },
  {
    table: "alerts.webhook",
    key: "id",
    purpose: "webhook",
    value: "target",
    set: "target = ?::jsonb",
    where: "true",
    drop: "delete from alerts.webhook",
  },
  {
    table: "alerts.project_chat",
    key: "id",
    purpose: "project chat",
    value: "target",
    set: "target = ?::jsonb",
    where: "true",
    drop: "delete from alerts.project_chat",
  },
  {
    table: "alerts.project_email",
    key: "id",
    purpose: EMAIL_PURPOSE,
    value: "target",
    set: "target = ?::jsonb",
    where: "true",
    drop: "delete from alerts.project_email",
  },
  {
    table: "alerts.chat_app",
    key: "id",
    purpose: "chat app",
    value: "target",
    set: "target = ?::jsonb",
    where: "true",
    drop: "delete from alerts.chat_app",
  },
];
