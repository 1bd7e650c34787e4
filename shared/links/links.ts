import { createHmac, timingSafeEqual } from "node:crypto";
import type { ScreenshotKey } from "../contracts/capture/screenshot-key.ts";
import { type ChatPerson, chatPerson } from "../contracts/monitors/chat-apps.ts";
import type { NoticeKind } from "../contracts/teams/notices.ts";
import { type ChangeImage, nameOfChange } from "./change-image.ts";
import { dayOf } from "./link-rules.ts";

/** 132 bits, as characters of base64url. */
const SIGNATURE_CHARS = 22;

/** A run with revocable links. */
export interface LinkedRun {
  id: string;
  /** How often its links were revoked. */
  linkGeneration: number;
}

/** The content of an image's link. */
export interface ImageLink {
  /** The image's run. Null for a link that a member got outside of a run. */
  runId: string | null;
  generation: number;
  /** The day of its creation, in days since 1970. */
  day: number;
}

/** The content of a link to an archive. */
export interface SiteLink extends ImageLink {
  runId: string;
  archive: string;
  /** Seconds since 1970 until which it opens for those who have signed in; 0 for none. */
  until: number;
}

/** An attachment with its name for a download. */
export interface AttachmentFile {
  /** SHA-256, hex. */
  hash: string;
  fileName: string;
}

const NO_RUN = "-";

/**
 * Creates and verifies links that open without an API key. Each carries a signature that can't be guessed.
 */
export class Links {
  readonly #baseUrl: string;
  readonly #key: string;

  /** @param baseUrl the service's public URL, without a slash at the end */
  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  run(id: string): string {
    return `${this.#baseUrl}/v1/runs/${id}`;
  }

  /** Returns the link to a look of a page, in the dashboard's page of its monitor. */
  moment(monitorId: string, { route, state, environment, viewport }: ScreenshotKey, lookId: string): string {
    const query = new URLSearchParams({
      ...{ look: lookId, route, viewport: String(viewport) },
      ...(state !== null && { state }),
      ...(environment !== null && { environment }),
    });
    return `${this.#baseUrl}/monitors/${monitorId}?${query}`;
  }

  /** Returns the URL to upload a file of a build to. It needs an API key. */
  upload(buildId: string, folder: "images" | "attachments", hash: string): string {
    return `${this.#baseUrl}/v1/builds/${buildId}/${folder}/${hash}`;
  }

  /**
   * Returns the link of an attachment. Its rules are those of an image's link.
   * @param fileName name for a download. Its ending decides how browsers treat the file, so it is signed too
   */
  attachment(teamId: string, { hash, fileName }: AttachmentFile, run: LinkedRun): string {
    const about = aboutLink(run, Date.now());
    const signature = this.#sign(attachmentText(teamId, about, { hash, fileName }));
    return `${this.#baseUrl}/v1/attachments/${teamId}/${about}.${signature}/${hash}/${fileName}`;
  }

  /** Reads a signed link of an attachment. Returns null if this service didn't sign it. */
  readAttachment(teamId: string, file: AttachmentFile, signed: string): ImageLink | null {
    return this.#readSigned(signed, about => attachmentText(teamId, about, file));
  }

  /** @param generation how often the run's links were revoked */
  report(runId: string, generation = 0): string {
    return `${this.#baseUrl}/v1/reports/${runId}?token=${this.#sign(reportText(runId, generation))}`;
  }

  /**
   * Returns the link of an image. The signature covers the team, so that a known hash alone opens nothing. It
   * covers the day and the run, so that the link can expire and be revoked. It stays the same all day, so
   * that browsers cache the image.
   */
  image(teamId: string, hash: string, run: LinkedRun | null = null, madeAtMs = Date.now()): string {
    return this.#image(teamId, hash, run, madeAtMs);
  }

  /**
   * Returns the URL of a run's archive for people, with a slash at its end. It ends with the run, or as image links do.
   * @param until seconds since 1970 until which it opens for members of a team whose links are private; 0 for none
   */
  site(teamId: string, archive: string, run: LinkedRun, until = 0, madeAtMs = Date.now()): string {
    const about = [dayOf(madeAtMs).toString(36), run.id, run.linkGeneration, archive, until].join(".");
    return `${this.#baseUrl}/v1/sites/${teamId}/${about}.${this.#sign(`site ${teamId} ${about}`)}/`;
  }

  /** Returns the link of a change's image. The link names its three stored images. */
  change(teamId: string, image: ChangeImage, run: LinkedRun): string {
    return this.#image(teamId, nameOfChange(image), run, Date.now());
  }

  #image(teamId: string, name: string, run: LinkedRun | null, madeAtMs: number): string {
    const about = aboutLink(run, madeAtMs);
    const signature = this.#sign(`image ${teamId} ${about} ${name}`);
    return `${this.#baseUrl}/v1/images/${teamId}/${about}.${signature}/${name}.png`;
  }

  /** Returns a link that snoozes a monitor's alerts without signing in, valid until that time. */
  snooze(teamId: string, monitorId: string, until: Date): string {
    const end = Math.floor(until.getTime() / 1_000);
    const signature = this.#sign(`snooze ${teamId} ${monitorId} ${end}`);
    return `${this.#baseUrl}/v1/alerts/snooze/${teamId}/${monitorId}/${end}/${signature}`;
  }

  /** Returns a link that unsubscribes an address from a monitor's alerts. */
  unsubscribe(teamId: string, monitorId: string, address: string): string {
    const name = Buffer.from(address).toString("base64url");
    const signature = this.#sign(`unsubscribe ${teamId} ${monitorId} ${name}`);
    return `${this.#baseUrl}/v1/alerts/unsubscribe/${teamId}/${monitorId}/${name}/${signature}`;
  }

  /** Returns a link that unsubscribes an address from a project. @param id of the project's addresses */
  unsubscribeProject(teamId: string, id: string, address: string): string {
    const name = Buffer.from(address).toString("base64url");
    const signature = this.#sign(`unsubscribe project ${teamId} ${id} ${name}`);
    return `${this.#baseUrl}/v1/notices/unsubscribe/${teamId}/${id}/${name}/${signature}`;
  }

  /** @param name the address in the link */
  opensUnsubscribeProject(teamId: string, id: string, name: string, signature: string): boolean {
    return this.#equals(`unsubscribe project ${teamId} ${id} ${name}`, signature);
  }

  /** Returns a link that stops a person's notices of these kinds. */
  stopNotices(userId: string, kinds: readonly NoticeKind[]): string {
    const name = kinds.join(".");
    const signature = this.#sign(`stop notices ${userId} ${name}`);
    return `${this.#baseUrl}/v1/notices/stop/${userId}/${name}/${signature}`;
  }

  /** @param kinds as in the link */
  opensStopNotices(userId: string, kinds: string, signature: string): boolean {
    return this.#equals(`stop notices ${userId} ${kinds}`, signature);
  }

  /** Returns a link that links a person of a chat tool to the user who opens it. */
  chatPerson(person: ChatPerson): string {
    const content = Buffer.from(JSON.stringify(person)).toString("base64url");
    return `${this.#baseUrl}/v1/chat/link/${content}/${this.#sign(`chat person ${content}`)}`;
  }

  /** Reads such a link. Null if this service didn't sign it. */
  readChatPerson(content: string, signature: string): ChatPerson | null {
    if (!this.#equals(`chat person ${content}`, signature)) return null;
    return chatPerson.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
  }

  opensReport(runId: string, token: string, generation = 0): boolean {
    return this.#equals(reportText(runId, generation), token);
  }

  /**
   * Reads a signed image link. Returns null if this service didn't sign it.
   * @param name an image's hash, or the name of a change's image
   * @param signed the part before the file's name
   */
  readImage(teamId: string, name: string, signed: string): ImageLink | null {
    return this.#readSigned(signed, about => `image ${teamId} ${about} ${name}`);
  }

  #readSigned(signed: string, textOf: (about: string) => string): ImageLink | null {
    const parts = /^([0-9a-z]{1,8})\.(-|run_\w+)\.(\d{1,9})\.([\w-]+)$/.exec(signed);
    if (!parts) return null;
    const [, day = "", run = "", generation = "", signature = ""] = parts;
    if (!this.#equals(textOf(`${day}.${run}.${generation}`), signature)) return null;
    return {
      runId: run === NO_RUN ? null : run,
      generation: Number(generation),
      day: Number.parseInt(day, 36),
    };
  }

  /** Reads a signed link to an archive. Returns null if this service didn't sign it. */
  readSite(teamId: string, signed: string): SiteLink | null {
    const parts = /^([0-9a-z]{1,8})\.(run_\w+)\.(\d{1,9})\.([0-9a-f]{64})\.(\d{1,12})\.([\w-]+)$/.exec(
      signed,
    );
    if (!parts) return null;
    const [, day = "", runId = "", generation = "", archive = "", until = "", signature = ""] = parts;
    const about = [day, runId, generation, archive, until].join(".");
    if (!this.#equals(`site ${teamId} ${about}`, signature)) return null;
    return {
      ...{ runId, archive, generation: Number(generation) },
      ...{ day: Number.parseInt(day, 36), until: Number(until) },
    };
  }

  /** @param end the link's expiry, in seconds since 1970 */
  opensSnooze(teamId: string, monitorId: string, end: string, signature: string): boolean {
    return (
      this.#equals(`snooze ${teamId} ${monitorId} ${end}`, signature) && Number(end) * 1_000 > Date.now()
    );
  }

  /** @param name the address in the link */
  opensUnsubscribe(teamId: string, monitorId: string, name: string, signature: string): boolean {
    return this.#equals(`unsubscribe ${teamId} ${monitorId} ${name}`, signature);
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url").slice(0, SIGNATURE_CHARS);
  }

  #equals(text: string, signature: string): boolean {
    const expected = Buffer.from(this.#sign(text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}

/** Returns the part of a link that says since when it is valid, and of which run it is. */
function aboutLink(run: LinkedRun | null, madeAtMs: number): string {
  return [dayOf(madeAtMs).toString(36), run?.id ?? NO_RUN, run?.linkGeneration ?? 0].join(".");
}

function attachmentText(teamId: string, about: string, { hash, fileName }: AttachmentFile): string {
  return `attachment ${teamId} ${about} ${hash} ${fileName}`;
}

/** The first generation is left out, as in links from before they could be revoked. */
function reportText(runId: string, generation: number): string {
  return generation === 0 ? `report ${runId}` : `report ${runId} ${generation}`;
}
