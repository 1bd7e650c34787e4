import { z } from "zod";
import type { Role } from "../runs/runs.ts";
import type { Action } from "./team-actions.ts";

/** What people are notified of, and what they chose. */

/** Kinds of notices. A reply is an answer in a thread that the person takes part in. */
export const NOTICE_KINDS = ["review", "mention", "reply", "decision", "monitor"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const preferences = {
  reviews: z
    .enum(["assigned", "all", "none"])
    .describe("Runs that need review: those assigned to you, all of your teams, or none"),
  mentions: z.boolean().describe("Comments that mention you, and replies in threads that you take part in"),
  decisions: z
    .boolean()
    .describe("Runs that you submitted, or whose pull request is yours, when they are approved or rejected"),
  monitors: z.boolean().describe("Monitors of your teams that are down, and that recovered"),
};

/** The response of `GET /v1/account/notices`. */
export const noticePreferencesView = z.object({
  ...preferences,
  email: z.string().nullable().describe("Address that the code host verified. Null if there is none"),
});

/** Body of `PATCH /v1/account/notices`. */
export const changeNoticePreferencesBody = z
  .strictObject(preferences)
  .partial()
  .refine(body => Object.keys(body).length > 0, "must contain at least one field to change");

export type NoticePreferencesView = z.infer<typeof noticePreferencesView>;
export type NoticePreferences = Omit<NoticePreferencesView, "email">;
export type ChangeNoticePreferences = z.infer<typeof changeNoticePreferencesBody>;

/** The preferences of people who never changed them. */
export const DEFAULT_NOTICES: NoticePreferences = {
  reviews: "assigned",
  mentions: true,
  decisions: true,
  monitors: false,
};

/** A member of a team, for notices. */
export interface NoticePerson extends NoticePreferencesView {
  id: string;
  login: string | null;
  role: Role;
}

/** People to notify of one event. Preferences decide who of them gets the notice. */
export interface Notify {
  kind: Exclude<NoticeKind, "monitor">;
  /** User ids. */
  users: string[];
  /** Login of another person, such as the author of the pull request. */
  login?: string | null;
  /** Whether it is also for members who chose to hear of all runs. */
  isForAll?: true;
  /** Who caused it, and gets no notice. */
  except: string | null;
  commentId?: string;
}

/** Actions of the teams service on notices. */
export interface NoticeActions {
  "teams.noticePreferences": Action<Record<string, never>, NoticePreferencesView>;
  "teams.changeNoticePreferences": Action<ChangeNoticePreferences, NoticePreferencesView>;
  /** Returns the members of a team with their preferences. Empty for a deleted team. */
  "teams.noticePeople": Action<{ teamId: string }, NoticePerson[]>;
  /** Returns the members of a team with these logins, in any letter case. */
  "teams.membersByLogin": Action<{ teamId: string; logins: string[] }, { id: string; login: string }[]>;
  /** Turns notices of these kinds off. Does nothing for an unknown user. */
  "teams.stopNotices": Action<{ userId: string; kinds: NoticeKind[] }, null>;
}
