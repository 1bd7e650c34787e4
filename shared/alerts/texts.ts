import { figure } from "../text/format.ts";

/** Texts of messages to chat tools, and of receivers that refuse them. */

export const CHAT_TEXTS = {
  more: (left: number) => `${figure(left)} more in the report`,
};

export const RECEIVER_ERRORS = {
  notAUrl: "The address is not a valid URL. Check it.",
  timeout: (seconds: number) => `The receiver did not respond within ${seconds} seconds.`,
  redirect: (status: number) =>
    `${status}: The address redirects, and redirects are not followed. Set the final address.`,
  unresolved: (why: string) =>
    `The receiver can't be reached: ${why}. For private addresses, ask the operator to set SERVICE_ALLOW_HOSTS.`,
  stopping: "The node is stopping.",
  certificate: (code: string) => `The receiver's TLS certificate is not trusted (${code}).`,
  notAllowed: (why: string) =>
    `The receiver's address is not allowed: ${why}. Ask the operator to allow it with SERVICE_ALLOW_HOSTS.`,
};
