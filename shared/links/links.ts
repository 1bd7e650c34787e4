import { createHmac, timingSafeEqual } from "node:crypto";
import { type ChangeImage, nameOfChange } from "./change-image.ts";
import { dayOf } from "./link-rules.ts";

/** 132 bits, as many characters of base64url. */
const SIGNATURE_CHARS = 22;

/** A run whose links can be revoked. */
export interface LinkedRun {
  id: string;
  /** How often they were. */
  linkGeneration: number;
}

/** What an image's link says of itself. */
export interface ImageLink {
  /** The run that it is of; null for one that a member was given outside of a run. */
  runId: string | null;
  generation: number;
  /** When it was made, days since 1970. */
  day: number;
}

const NO_RUN = "-";

/** Addresses of things that open without an API key, for who has the link: each carries a signature that cannot be guessed. */
export class Links {
  readonly #baseUrl: string;
  readonly #key: string;

  /** @param baseUrl the service's public address, without a slash at the end */
  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  run(id: string): string {
    return `${this.#baseUrl}/v1/runs/${id}`;
  }

  /** @param generation how often the run's links were revoked */
  report(runId: string, generation = 0): string {
    return `${this.#baseUrl}/v1/reports/${runId}?token=${this.#sign(reportText(runId, generation))}`;
  }

  /**
   * The signature names the team: a hash alone, known from elsewhere, opens nothing. It names the day, too, and the
   * run, so that the link can expire and be revoked. The same all day, so that browsers keep the image.
   */
  image(teamId: string, hash: string, run: LinkedRun | null = null, madeAtMs = Date.now()): string {
    return this.#image(teamId, hash, run, madeAtMs);
  }

  /** Where a picture of a change is, made of three images that the link names. */
  change(teamId: string, picture: ChangeImage, run: LinkedRun): string {
    return this.#image(teamId, nameOfChange(picture), run, Date.now());
  }

  #image(teamId: string, name: string, run: LinkedRun | null, madeAtMs: number): string {
    const about = [dayOf(madeAtMs).toString(36), run?.id ?? NO_RUN, run?.linkGeneration ?? 0].join(".");
    const signature = this.#sign(`image ${teamId} ${about} ${name}`);
    return `${this.#baseUrl}/v1/images/${teamId}/${about}.${signature}/${name}.png`;
  }

  /** Where alerts of a monitor can be snoozed without signing in, until that time. */
  snooze(teamId: string, monitorId: string, until: Date): string {
    const end = Math.floor(until.getTime() / 1_000);
    const signature = this.#sign(`snooze ${teamId} ${monitorId} ${end}`);
    return `${this.#baseUrl}/v1/alerts/snooze/${teamId}/${monitorId}/${end}/${signature}`;
  }

  /** Where an address can be spared a monitor's alerts. */
  unsubscribe(teamId: string, monitorId: string, address: string): string {
    const name = Buffer.from(address).toString("base64url");
    const signature = this.#sign(`unsubscribe ${teamId} ${monitorId} ${name}`);
    return `${this.#baseUrl}/v1/alerts/unsubscribe/${teamId}/${monitorId}/${name}/${signature}`;
  }

  opensReport(runId: string, token: string, generation = 0): boolean {
    return this.#equals(reportText(runId, generation), token);
  }

  /** Reads a signed image link. Null where this service did not sign it. @param name an image's hash, or a picture's name @param signed the part before the file's name */
  readImage(teamId: string, name: string, signed: string): ImageLink | null {
    const parts = /^([0-9a-z]{1,8})\.(-|run_\w+)\.(\d{1,9})\.([\w-]+)$/.exec(signed);
    if (!parts) return null;
    const [, day = "", run = "", generation = "", signature = ""] = parts;
    if (!this.#equals(`image ${teamId} ${day}.${run}.${generation} ${name}`, signature)) return null;
    return {
      runId: run === NO_RUN ? null : run,
      generation: Number(generation),
      day: Number.parseInt(day, 36),
    };
  }

  /** @param end of its time, seconds since 1970, as the link has it */
  opensSnooze(teamId: string, monitorId: string, end: string, signature: string): boolean {
    return (
      this.#equals(`snooze ${teamId} ${monitorId} ${end}`, signature) && Number(end) * 1_000 > Date.now()
    );
  }

  /** @param name the address, as the link has it */
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

/** Without a generation for the first, as links were before they could be revoked. */
function reportText(runId: string, generation: number): string {
  return generation === 0 ? `report ${runId}` : `report ${runId} ${generation}`;
}
