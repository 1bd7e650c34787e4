import type { ConditionKind } from "../../../shared/contracts/monitors/conditions.ts";

/** The kinds that open an incident. Each has at most one open incident of a monitor. */
export type ConditionTrack = "unchecked" | "certificate" | "failing";

const TRACKS: Record<ConditionKind, { track: ConditionTrack; isEnd: boolean }> = {
  unchecked: { track: "unchecked", isEnd: false },
  checked: { track: "unchecked", isEnd: true },
  certificate: { track: "certificate", isEnd: false },
  renewed: { track: "certificate", isEnd: true },
  failing: { track: "failing", isEnd: false },
  passing: { track: "failing", isEnd: true },
};

/** Returns the incident that a condition is about, and whether it ends it. */
export function trackOf(kind: ConditionKind): { track: ConditionTrack; isEnd: boolean } {
  return TRACKS[kind];
}

/** What a condition is about. Its start and its end have the same. Incident services know it by this name. */
const ABOUT: Record<ConditionTrack, string> = {
  unchecked: "schedule",
  certificate: "certificate",
  failing: "http",
};

/** Returns whether an incident of this kind is about a condition. */
export function isConditionTrack(kind: string): kind is ConditionTrack {
  return Object.hasOwn(ABOUT, kind);
}

/** Returns what the messages about a condition are about. */
export function aboutOf(track: ConditionTrack): string {
  return ABOUT[track];
}

/** Returns whether one incident of this kind stands for several monitors of a team. */
export function isShared(kind: string): boolean {
  return kind === "unchecked";
}

/** Returns the id of the monitor or team that has a problem, by what its messages are about. */
export function ownerOf({
  about,
  monitor,
}: {
  about: string;
  monitor: { id: string; teamId: string };
}): string {
  return about === ABOUT.unchecked ? monitor.teamId : monitor.id;
}
